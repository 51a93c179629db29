#!/usr/bin/env bash
# Runs a command beside a real Minesweeper on a virtual display of its own, and ends both afterwards.
#
#   scripts/with-game.sh [--wm stock|bare|none] [--screen WxH] [--root DIR] GAME LEVEL [-- COMMAND ...]
#
# GAME   a file in scripts/games: winemine, gnome-mines, kmines, sgt-mines, xdemineur, xbomb, react-minesweeper and others
# LEVEL  beginner, intermediate, expert, or WIDTHxHEIGHTxMINES
# --wm   openbox as Debian ships it (stock: it swallows fast clicks), openbox without click bindings on
#        windows (bare, the default), or no window manager
# --root a folder with another Debian, whose game it is (scripts/in-root.sh)
#
# The command sees DISPLAY of the new display. Without a command, the display number is printed and the
# game stays until this script is ended. Every process started here is ended by its pid.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
wm=bare
screen=1280x800
inside=()
while [ $# -gt 0 ]; do
    case "$1" in
        --wm) wm=$2; shift 2 ;;
        --screen) screen=$2; shift 2 ;;
        --root) inside=("$here/in-root.sh" "$2"); shift 2 ;;
        *) break ;;
    esac
done
if [ $# -lt 2 ]; then
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
game=$1
level=$2
shift 2
[ "${1:-}" = "--" ] && shift

if [ ! -f "$here/games/$game.sh" ]; then
    echo "with-game: no game called '$game' in $here/games" >&2
    exit 2
fi
case "$level" in
    beginner | intermediate | expert) ;;
    *x*x*) ;;
    *) echo "with-game: '$level' is no level; use beginner, intermediate, expert or WIDTHxHEIGHTxMINES" >&2; exit 2 ;;
esac

. "$here/stage.sh"

# Xvfb picks a free display number by itself and tells it when it is ready.
mkfifo "$root/display"
# Without -noreset it would start anew, and refuse connections meanwhile, whenever its last client leaves.
setsid Xvfb -displayfd 3 -screen 0 "${screen}x24" -nolisten tcp -noreset 3>"$root/display" >"$root/xvfb.log" 2>&1 &
pids+=($!)
if ! read -r -t 20 number <"$root/display"; then
    echo "with-game: Xvfb did not start:" >&2
    cat "$root/xvfb.log" >&2
    exit 1
fi
export DISPLAY=":$number"

case "$wm" in
    stock) start openbox openbox ;;
    bare)
        sed '/<context name="Client">/,/<\/context>/d' /etc/xdg/openbox/rc.xml >"$root/openbox.xml"
        start openbox openbox --config-file "$root/openbox.xml"
        ;;
    none) ;;
    *) echo "with-game: --wm takes stock, bare or none" >&2; exit 2 ;;
esac

# A window that comes before the window manager is ready is placed late, or stays unmapped for a while.
manages() { [ "$wm" = none ] || xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q 'window id'; }
for _ in $(seq 300); do
    manages && break
    sleep 0.1
done
if ! manages; then
    echo "with-game: openbox did not start:" >&2
    cat "$root/openbox.log" >&2
    exit 1
fi

# The game is there when a window of a fair size is on the display and has stopped changing.
windows() { xwininfo -root -children 2>/dev/null | awk '/^ +0x/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+x[0-9]+\+/) { split($i, s, /[x+]/); if (s[1] > 100 && s[2] > 100) print $1, $i } }'; }
# What looks for windows asks the window manager, which lists a new one a little later.
is_listed() { [ "$wm" = none ] || xprop -root _NET_CLIENT_LIST 2>/dev/null | grep -q '0x'; }
window_comes() {
    local last='' now still=0
    for _ in $(seq 600); do
        if ! kill -0 "$game_pid" 2>/dev/null; then
            echo "with-game: $game ended before its window came" >&2
            return 1
        fi
        now=$(windows)
        if [ -n "$now" ] && [ "$now" = "$last" ]; then still=$((still + 1)); else still=0; fi
        [ "$still" -ge 10 ] && is_listed && return
        last=$now
        sleep 0.1
    done
    echo "with-game: no window of $game within a minute" >&2
    return 1
}

# On a busy machine a window may get lost between a game and a window manager that start together.
tries=0
until start game "${inside[@]}" "$here/games/$game.sh" "$level" && game_pid=${pids[-1]} && window_comes; do
    cat "$root"/game.log "$root"/openbox.log >&2 || true
    xwininfo -root -tree >&2 || true
    kill -TERM -- "-$game_pid" 2>/dev/null || true
    tries=$((tries + 1))
    [ "$tries" -eq 2 ] && exit 1
    echo "with-game: starting $game again" >&2
done

if [ $# -eq 0 ]; then
    echo "$DISPLAY"
    wait "$game_pid"
else
    status=0
    "$@" || status=$?
    exit "$status"
fi
