#!/usr/bin/env bash
# minesweeper-mvc 1.1.0 (PyPI, MIT; pygame) at the level in $1; its beginner board is 9x9. Numbers are all red. A right click sets
# a flag, a second one a question mark. The end of a game covers the board for five seconds and leads to a menu, in
# another window, where a button begins a new game. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
case "${1:?a level}" in
    beginner) level=easy ;;
    intermediate) level=medium ;;
    *) level=hard ;;
esac
fetch_pypi minesweeper-mvc 1.1.0
export PYTHONPATH=$fetched/minesweeper-mvc-1.1.0
export SDL_AUDIODRIVER=dummy # without sound it would not start
# Its menu is passed by.
exec /usr/bin/python3 -c '
import sys
from minesweeper.controller.controller import MinesweeperController
from minesweeper.model.game_model import MinesweeperModel
from minesweeper.view.main_view import MainView
model = MinesweeperModel()
controller = MinesweeperController(model)
controller.set_game_mode(sys.argv[1])
controller.set_view_state("game")
MainView(model, controller).run()' "$level"
