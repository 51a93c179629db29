#!/usr/bin/env bash
# The Minesweeper among the games of Racket 8.7 (Debian, LGPL): 16x16 cells, 30 mines. The cell under the mouse is brighter, and so
# is what lies around a number under the mouse. A right click sets a flag, a second one a question mark. The first click may meet
# a mine. A button begins a new game. No skin is made for it.
exec racket -l racket/base -l racket/unit -e "(require games/mines/mines) (invoke-unit game@)"
