#!/usr/bin/env bash
# minesweeper-python 0.0.4 (PyPI, MIT; Tkinter): 16x16 cells, about 36 mines. Cells are wider than high, numbers are all green. A
# right click sets a flag, an F. A game is won when as many flags are set as there are mines, wherever they are, and goes on when
# all else is open. A button begins a new game, in a second window: the first one stays, without a board. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_pypi minesweeper-python 0.0.4
export PYTHONPATH=$fetched/minesweeper-python-0.0.4
exec /usr/bin/python3 -c 'from minesweeper import minesweeper; minesweeper.start()'
