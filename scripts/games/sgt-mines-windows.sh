#!/usr/bin/env bash
# Simon Tatham's Mines at the level in $1, as a program for Windows, under Wine. It is made from Debian's source; with `build` for
# a level it is made and not started. MINES_BOARD is a board as for sgt-mines.sh.
set -euo pipefail
. "$(dirname "$0")/fetch.sh"
puzzles=(sgt-puzzles 20230122.806ae71-2)
made=$fetched/${puzzles[0]}-${puzzles[1]}/windows
if [ ! -f "$made/mines.exe" ]; then
    need cmake make x86_64-w64-mingw32-gcc
    fetch_debian "${puzzles[@]}"
    {
        cmake -S "$made/.." -B "$made" -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_TOOLCHAIN_FILE="$made/../cmake/toolchain-mingw.cmake"
        cmake --build "$made" --target mines
    } >&2
fi
[ "$1" != build ] || exit 0
. "$(dirname "$0")/level.sh"
. "$(dirname "$0")/wine.sh"
set_up_wine
exec wine "$made/mines.exe" "${MINES_BOARD:-${cols}x${rows}n${mines}}"
