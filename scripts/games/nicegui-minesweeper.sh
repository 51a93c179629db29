#!/usr/bin/env bash
# nicegui-minesweeper 0.1.1 (PyPI, Apache 2.0) in Chromium: 10x10 cells, 10 mines. Blanks show a 0. A right click sets a flag.
# When a game is lost, only the mine that was opened is shown, as an X; a message comes below for a while. A button above the
# board begins a new game. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
# It asks for Python 3.12, and runs in 3.11.
export PIP_IGNORE_REQUIRES_PYTHON=1
fetch_pypi nicegui-minesweeper 0.1.1 nicegui==2.24.2 numpy==2.2.6 fire==0.7.1 aiofiles==25.1.0 aiohappyeyeballs==2.7.1 \
    aiohttp==3.14.5 aiosignal==1.4.0 annotated-doc==0.0.7 annotated-types==0.8.0 anyio==4.16.0 attrs==26.1.0 \
    bidict==0.24.1 certifi==2026.10.19.post1 click==8.5.1 docutils==0.23 fastapi==0.165.0 frozenlist==1.8.0 h11==0.16.0 \
    httpcore==1.0.9 httptools==0.9.0 httpx==0.28.1 idna==3.20 ifaddr==0.2.0 itsdangerous==2.2.0 Jinja2==3.1.6 \
    markdown2==2.5.5 MarkupSafe==3.0.4 multidict==7.2.1 opentelemetry-api==1.45.2 orjson==3.13.0 propcache==0.5.4 \
    pscript==0.7.7 pydantic==2.14.4 pydantic_core==2.50.5 Pygments==2.21.0 python-dotenv==1.2.4 python-engineio==4.15.1 \
    python-multipart==0.0.34 python-socketio==5.18.1 PyYAML==6.0.4 simple-websocket==1.1.0 starlette==1.10.0 \
    termcolor==3.3.0 typing-inspection==0.4.5 typing_extensions==4.16.0 uvicorn==0.54.0 uvloop==0.23.0 vbuild==0.8.2 \
    watchfiles==1.3.0 websockets==17.4 wsproto==1.3.2 yarl==1.25.1
export PYTHONPATH=$fetched/nicegui-minesweeper-0.1.1
browse_served '' /usr/bin/python3 -c '
import socket
from nicegui import app, ui
from nicegui_minesweeper.minesweeper import run_game
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
app.on_startup(lambda: print(port, flush=True))
run = ui.run
ui.run = lambda **options: run(host="127.0.0.1", show=False, show_welcome_message=False, **options)
run_game(port=port)'
