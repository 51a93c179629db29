#!/usr/bin/env bash
# mfranceschi-minesweeper 0.2.3 (PyPI, MIT; Tkinter): 8x8 cells, 10 mines. Covered cells are blue, and lighter under the mouse;
# numbers are all grey. A column gets wider with its first number, and the window with it. A right click sets a flag, a yellow
# cell. The ground around the board is green after a game that was won, brown after one that was lost. A yellow button begins a
# new game. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_pypi mfranceschi-minesweeper 0.2.3 overrides==6.1.0 typing-utils==0.1.0
export PYTHONPATH=$fetched/mfranceschi-minesweeper-0.2.3
exec /usr/bin/python3 -m mfranceschi_minesweeper.main
