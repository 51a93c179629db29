#!/usr/bin/env bash
# Runs a command beside a real Minesweeper on a Wayland desktop of its own, and ends both afterwards: sway without a monitor.
#
#   scripts/with-sway.sh [--screen WxH] [--scale S] [--rate HZ] [--xwayland] GAME LEVEL [-- COMMAND ...]
#
# GAME and LEVEL are as for scripts/with-game.sh. Games that know Wayland use it, unless --xwayland is given; without that there
# is no X server at all. --scale is that of the screen: 1, 1.25, 2 and so on; --rate its pictures a second, usually 60.
#
# The command sees WAYLAND_DISPLAY and SWAYSOCK of the new desktop. Without a command, their values are printed, one a line, and
# the game stays until this script is ended. Every process started here is ended by its pid.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
screen=1280x800
scale=1
rate=60
xwayland=disable
while [ $# -gt 0 ]; do
    case "$1" in
        --screen) screen=$2; shift 2 ;;
        --scale) scale=$2; shift 2 ;;
        --rate) rate=$2; shift 2 ;;
        --xwayland) xwayland=enable; shift ;;
        *) break ;;
    esac
done
if [ $# -lt 2 ] || [ ! -f "$here/games/$1.sh" ]; then
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
game=$1
level=$2
shift 2
[ "${1:-}" = "--" ] && shift

. "$here/stage.sh"
unset DISPLAY SWAYSOCK
export XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=sway

cat >"$root/sway.conf" <<CONF
output HEADLESS-1 mode --custom ${screen}@${rate}Hz position 0 0 scale $scale
xwayland $xwayland
default_border normal
for_window [app_id=".*"] floating enable
for_window [class=".*"] floating enable
exec env >"$root/environment"
CONF
export WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman
# Sway does not start as root.
as_user=()
if [ "$(id -u)" -eq 0 ]; then
    chown -R nobody "$root"
    as_user=(setpriv --reuid nobody --regid nogroup --clear-groups)
fi
start sway "${as_user[@]}" sway -c "$root/sway.conf"
for _ in $(seq 200); do
    [ -s "$root/environment" ] && break
    sleep 0.05
done
if [ ! -s "$root/environment" ]; then
    echo "with-sway: sway did not start:" >&2
    cat "$root/sway.log" >&2
    exit 1
fi
told() { sed -n "s/^$1=//p" "$root/environment"; }
export WAYLAND_DISPLAY=$(told WAYLAND_DISPLAY) SWAYSOCK=$(told SWAYSOCK)
display=$(told DISPLAY)
if [ "$xwayland" = enable ]; then
    export DISPLAY=$display GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb
    # An X server lets in only who it belongs to.
    [ ${#as_user[@]} -eq 0 ] || "${as_user[@]}" xhost +si:localuser:root >"$root/xhost.log" 2>&1
else
    export GDK_BACKEND=wayland QT_QPA_PLATFORM=wayland
fi

start game "$here/games/$game.sh" "$level"
game_pid=${pids[-1]}
# The game is there when its window has stopped changing.
windows() { swaymsg -t get_tree 2>/dev/null | grep -E '"(pid|width|height)"' | tr -d '\n'; }
last='' still=0
for _ in $(seq 600); do
    kill -0 "$game_pid" 2>/dev/null || break
    now=$(windows)
    if [[ $now == *pid* && $now == "$last" ]]; then still=$((still + 1)); else still=0; fi
    [ "$still" -ge 10 ] && break
    last=$now
    sleep 0.1
done
if [ "$still" -lt 10 ]; then
    echo "with-sway: $game did not come:" >&2
    cat "$root/game.log" >&2
    exit 1
fi

if [ $# -eq 0 ]; then
    printf '%s\n' "$XDG_RUNTIME_DIR" "$WAYLAND_DISPLAY" "$SWAYSOCK"
    wait "$game_pid"
else
    status=0
    "$@" || status=$?
    exit "$status"
fi
