#!/usr/bin/env bash
# Runs a command beside a real Minesweeper on a Wayland desktop that has no screen, and ends both afterwards.
#
#   scripts/with-desktop.sh gnome GAME LEVEL [--scale FACTOR] [--screen WxH] [-- COMMAND ...]
#
# gnome    GNOME Shell, with PipeWire and the desktop portal. `scripts/setup.sh wayland` installs them.
# GAME     a file in scripts/games that has a Wayland window: gnome-mines, kmines and others
# LEVEL    beginner, intermediate, expert, or WIDTHxHEIGHTxMINES
# --scale  how many pixels of the screen, in each direction, a unit of the desktop takes: 1 (the default), 1.25, 2, ...
#
# The command sees the WAYLAND_DISPLAY, the session bus and the folders of the new desktop, and no X server. Without a command, the
# folder XDG_RUNTIME_DIR is printed and the desktop stays until this script is ended. Root becomes the user nobody.
# Every process that belongs to the desktop is ended by its pid.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
usage() {
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
fail() {
    echo "with-desktop: $1" >&2
    exit "${2:-1}"
}

if [ "$(id -u)" -eq 0 ]; then
    exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$0" "$@"
fi

[ $# -ge 3 ] || usage
desktop=$1 game=$2 level=$3
shift 3
scale=1 screen=1280x800
while [ $# -gt 0 ]; do
    case "$1" in
        --scale) scale=$2; shift 2 ;;
        --screen) screen=$2; shift 2 ;;
        --) shift; break ;;
        *) usage ;;
    esac
done
[ "$desktop" = gnome ] || fail "no desktop called '$desktop'; there is gnome" 2
[ -f "$here/games/$game.sh" ] || fail "no game called '$game' in $here/games" 2
case "$level" in
    beginner | intermediate | expert | *x*x*) ;;
    *) fail "'$level' is no level; use beginner, intermediate, expert or WIDTHxHEIGHTxMINES" 2 ;;
esac
for program in gnome-shell pipewire wireplumber; do
    command -v "$program" >/dev/null || fail "there is no $program here: scripts/setup.sh wayland"
done

. "$here/stage.sh"
# The processes of this desktop, but for this script: services that the bus starts, too. They know its runtime folder.
ours() {
    local environ pid
    for environ in /proc/[0-9]*/environ; do
        pid=${environ//[!0-9]/}
        [ "$pid" != $$ ] && [ "$pid" != "$BASHPID" ] || continue
        grep -qzxF "XDG_RUNTIME_DIR=$root/run" "$environ" 2>/dev/null && echo "$pid"
    done
}
finish() {
    trap - EXIT
    trap '' INT TERM HUP
    local left
    for signal in TERM KILL; do
        for _ in $(seq 40); do
            left=$(ours) || true
            [ -n "$left" ] || break 2
            # shellcheck disable=SC2086 # one word for each pid
            kill "-$signal" $left 2>/dev/null || true
            sleep 0.05
        done
    done
    rm -rf "$root"
}
until_it() { # until_it WHAT COMMAND ...: waits until the command succeeds
    local what=$1
    shift
    for _ in $(seq 300); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    tail -n 20 "$root"/*.log >&2
    fail "$what"
}

unset DISPLAY
cd "$HOME"
export WAYLAND_DISPLAY=wayland-0 XDG_SESSION_TYPE=wayland XDG_CURRENT_DESKTOP=GNOME GDK_BACKEND=wayland QT_QPA_PLATFORM=wayland \
    LIBGL_ALWAYS_SOFTWARE=1 GSETTINGS_BACKEND=keyfile \
    DBUS_SESSION_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/bus" DBUS_SYSTEM_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/system_bus"

# What the bus starts has the environment that the bus was started with.
start bus dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS"
# GNOME Shell asks the bus of the system who is logged in. Here nobody answers.
start system_bus dbus-daemon --session --nofork --nopidfile --address="$DBUS_SYSTEM_BUS_ADDRESS"
until_it "the session bus did not start" test -S "$XDG_RUNTIME_DIR/bus"
until_it "the system bus did not start" test -S "$XDG_RUNTIME_DIR/system_bus"

set_key() { gsettings set "$@"; }
set_key org.gnome.desktop.interface enable-animations false
set_key org.gnome.desktop.session idle-delay 0
set_key org.gnome.desktop.notifications show-banners false
set_key org.gnome.shell welcome-dialog-last-shown-version 999
set_key org.gnome.mutter experimental-features "['scale-monitor-framebuffer']"

start pipewire pipewire
until_it "PipeWire did not start" test -S "$XDG_RUNTIME_DIR/pipewire-0"
# One only: a second one stops all frames.
start wireplumber wireplumber
# In its unsafe mode it tells which windows there are.
start desktop gnome-shell --headless --virtual-monitor "$screen" --wayland-display "$WAYLAND_DISPLAY" --no-x11 --unsafe-mode
shell_call() { gdbus call --session --dest "org.gnome.$1" --object-path "/org/gnome/${1//.//}" --method "$2" "${@:3}"; }
# While it starts, an invisible pane lies over the screen and takes every click.
has_started() { shell_call Shell org.gnome.Shell.Eval Main.layoutManager._startingUp | grep -q "'false'"; }
until_it "GNOME Shell did not start" has_started

if [ "$scale" != 1 ]; then
    state=$(shell_call Mutter.DisplayConfig org.gnome.Mutter.DisplayConfig.GetCurrentState)
    serial=$(sed -E 's/^\(uint32 ([0-9]+).*/\1/' <<<"$state")
    connector=$(sed -E "s/^[^']*'([^']*)'.*/\1/" <<<"$state")
    mode=$(sed -E "s/^[^']*('[^']*', ){4}\[\('([^']*)'.*/\2/;s/^.*'([0-9]+x[0-9]+@[0-9.]+)'.*/\1/" <<<"$state")
    shell_call Mutter.DisplayConfig org.gnome.Mutter.DisplayConfig.ApplyMonitorsConfig "$serial" 1 \
        "[(0, 0, $scale, uint32 0, true, [('$connector', '$mode', @a{sv} {})])]" "@a{sv} {}" >/dev/null ||
        fail "this screen cannot be scaled by $scale: $state"
fi

shows_game() {
    kill -0 "$game_pid" 2>/dev/null || { cat "$root/game.log" >&2; fail "$game ended before its window came"; }
    shell_call Shell.Introspect org.gnome.Shell.Introspect.GetWindows | grep -q "'has-focus': <true>" && return
    # The desktop starts with an overview of its windows.
    shell_call Shell org.freedesktop.DBus.Properties.Set org.gnome.Shell OverviewActive "<false>"
    return 1
}
start game "$here/games/$game.sh" "$level"
game_pid=${pids[-1]}
until_it "no window of $game within half a minute" shows_game

if [ $# -eq 0 ]; then
    echo "$XDG_RUNTIME_DIR"
    wait "$game_pid"
else
    status=0
    "$@" || status=$?
    exit "$status"
fi
