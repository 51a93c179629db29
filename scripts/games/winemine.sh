#!/usr/bin/env bash
# WineMine at the level in $1, with best times of 0 so that no win asks for a name. WINEMINE_TIMES=999 makes
# it ask.
. "$(dirname "$0")/level.sh"
. "$(dirname "$0")/wine.sh"
case "$1" in
    beginner) difficulty=0 ;;
    intermediate) difficulty=1 ;;
    expert) difficulty=2 ;;
    *) difficulty=3 ;;
esac
dword() { printf '"%s"=dword:%08x\r\n' "$1" "$2"; }
{
    printf 'REGEDIT4\r\n\r\n[HKEY_CURRENT_USER\\Software\\Microsoft\\WinMine]\r\n'
    dword Difficulty "$difficulty"
    dword Width "$cols"
    dword Height "$rows"
    dword Mines "$mines"
    dword Mark 0
    for n in 1 2 3; do dword "Time$n" "${WINEMINE_TIMES:-0}"; done
} >"$HOME/winemine.reg"
set_up_wine "$HOME/winemine.reg"
exec wine winemine
