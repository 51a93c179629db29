# Sourced by the scripts that start a desktop of their own: a place for it, and how all of it is ended again.
#
# Sets `root`, a folder that goes with the script; the variables of the user's folders, below it; `start`; and `finish`, which
# runs at the end, however that comes.

root=$(mktemp -d)
pids=()
finish() {
    trap - EXIT
    trap '' INT TERM HUP # a second signal must not end this half-way
    for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
        # Each was started in a session of its own: its children go with it.
        kill -TERM -- "-${pids[i]}" 2>/dev/null || true
        for _ in $(seq 40); do kill -0 -- "-${pids[i]}" 2>/dev/null || break; sleep 0.05; done
        kill -KILL -- "-${pids[i]}" 2>/dev/null || true
    done
    # Wine's server leaves the session it was started in.
    [ -d "$root/home/.wine" ] && WINEPREFIX="$root/home/.wine" wineserver -k 2>/dev/null || true
    rm -rf "$root"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

start() { # start LOG COMMAND ...: in the background, in a session of its own
    local log=$1
    shift
    setsid "$@" >"$root/$log.log" 2>&1 &
    pids+=($!)
}

export HOME="$root/home" XDG_CONFIG_HOME="$root/config" XDG_DATA_HOME="$root/data" \
    XDG_CACHE_HOME="$root/cache" XDG_RUNTIME_DIR="$root/run"
mkdir -p "$HOME" "$XDG_CONFIG_HOME" "$XDG_DATA_HOME" "$XDG_CACHE_HOME"
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset WAYLAND_DISPLAY XDG_SESSION_TYPE DBUS_SESSION_BUS_ADDRESS XAUTHORITY
export NO_AT_BRIDGE=1 LC_ALL=C.UTF-8 PATH="$PATH:/usr/games"
