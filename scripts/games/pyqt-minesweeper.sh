#!/usr/bin/env bash
# The window of minesweeper 0.1.4 (PyPI, MIT; PyQt): 20x20 cells, 40 mines, pictures of keys. It was written for Python 2. No skin
# is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_pypi minesweeper 0.1.4
export PYTHONPATH=$fetched/minesweeper-0.1.4
exec /usr/bin/python3 -c '
import builtins, runpy, sys
builtins.xrange = range
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")' "$fetched/minesweeper-0.1.4/bin/ms-gui.py"
