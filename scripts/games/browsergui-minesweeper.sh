#!/usr/bin/env bash
# The Minesweeper among the examples of browsergui 0.4 (PyPI; its licence is not named) in Chromium, at the level in $1. A column
# gets narrower when all its cells are open, so the board does not stay as it was. A right click opens the browser's menu, and
# nothing sets a flag. A mine is shown as a red X on a board that gets pink, and the game goes on; nothing tells that it is won.
# A button above the board begins a new game. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
. "$(dirname "$0")/level.sh"
fetch_pypi browsergui 0.4
export PYTHONPATH=$fetched/browsergui-0.4
browse_served '' /usr/bin/python3 -c '
import sys
import browsergui._gui as gui, browsergui.examples.minesweeper as example
cols, rows, mines = map(int, sys.argv[1:])
example.Game.__init__.__defaults__ = (cols, rows, (mines + 0.5) / (cols * rows))
make = gui.server.make_server_for_gui
def make_and_tell(*args, **options):
    server = make(*args, **options)
    print(server.server_address[1], flush=True)
    return server
gui.server.make_server_for_gui = make_and_tell
example.MinesweeperGUI(title="Minesweeper").run(open_browser=False, quiet=True)' "$cols" "$rows" "$mines"
