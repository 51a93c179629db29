#!/usr/bin/env bash
# The window of minesweeper 0.1.4 (PyPI, MIT; PyQt): 20x20 cells, 40 mines, pictures of keys. It was written for Python 2. No skin
# is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_pypi minesweeper 0.1.4
cd "$fetched/minesweeper-0.1.4" || exit 1
exec /usr/bin/python3 -c '
import builtins, sys
builtins.xrange = range
from PyQt5.QtWidgets import QApplication, QGridLayout, QWidget
from minesweeper import MSGame, gui
app = QApplication(sys.argv)
game = MSGame(20, 20, 40)
window, grid = QWidget(), QGridLayout()
control = gui.ControlWidget()
board = gui.GameWidget(game, control)
grid.addWidget(board, 1, 0)
grid.addWidget(control, 0, 0)
window.setLayout(grid)
window.setWindowTitle("Mine Sweeper")
window.show()
sys.exit(app.exec_())'
