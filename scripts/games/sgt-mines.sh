#!/usr/bin/env bash
# Simon Tatham's Mines at the level in $1. MINES_BOARD, when set, is a board in the game's own notation
# (30x16n99:15,8,u<hex>), which starts that very board.
. "$(dirname "$0")/level.sh"
exec sgt-mines "${MINES_BOARD:-${cols}x${rows}n${mines}}"
