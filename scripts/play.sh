#!/usr/bin/env bash
# Builds Minescraper and plays: the open Minesweeper if this display shows one, else a real game on a
# virtual display that is started and ended here. Where there is no Rust, the Minescraper that is installed plays.
#
#   scripts/play.sh [--yes] [OPTIONS of `minescraper play`]
#
# Packages that are missing are installed. A person at a terminal is asked first, unless --yes is given.
#
# Without options, the open Minesweeper is played for one game, and the game on the virtual display
# (WineMine, beginner) until a win, 20 games at most. GAME and LEVEL choose another one for the virtual
# display, as in scripts/with-game.sh. What was seen and decided is kept in target/play.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)

# --yes is for the packages; all else is for the program.
ask=(--ask) args=()
for arg in "$@"; do
    if [ "$arg" = --yes ]; then ask=(); else args+=("$arg"); fi
done
set -- "${args[@]}"

game=${GAME:-winemine}
level=${LEVEL:-beginner}

# has NAME ARGS ...: whether the option NAME is among the arguments.
has() {
    local name=$1 arg
    shift
    for arg in "$@"; do
        case "$arg" in "$name" | "$name="*) return 0 ;; esac
    done
    return 1
}
# value NAME ARGS ...: what the option NAME is set to.
value() {
    local name=$1
    shift
    while [ $# -gt 0 ]; do
        case "$1" in
            "$name") echo "${2:-}"; return ;;
            "$name="*) echo "${1#*=}"; return ;;
        esac
        shift
    done
}

if (. "$root/scripts/cargo-path.sh") 2>/dev/null; then
    needs=play
    "$root/scripts/setup.sh" "${ask[@]}" build
    . "$root/scripts/cargo-path.sh"
    cargo build --release --locked --manifest-path "$root/Cargo.toml"
    # Where cargo puts it depends on the person's settings.
    target=$(cargo metadata --format-version 1 --no-deps --locked --manifest-path "$root/Cargo.toml" |
        sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    minescraper=$target/release/minescraper
elif minescraper=$(command -v minescraper); then
    needs=game
else
    # Says how to get Rust, and ends this.
    . "$root/scripts/cargo-path.sh"
fi

case "${1:-}" in
    -h | --help) exec "$minescraper" play --help ;;
esac

if has --record "$@"; then
    record=$(value --record "$@")
else
    record=$root/target/play/$(date +%Y%m%d-%H%M%S)
    mkdir -p "$root/target/play"
    args+=(--record "$record")
fi

# A window that was asked for is played or not found; without a name, one with a board is looked for.
here=no
display=${WAYLAND_DISPLAY:-${DISPLAY:-}}
if [ -n "$display" ]; then
    if has --window "$@"; then
        here=yes
    elif why=$("$minescraper" play --dry-run 2>&1 >/dev/null); then
        here=yes
    else
        printf 'play: nothing to play on display %s:\n%s\n' "$display" "$why" >&2
    fi
fi

if [ "$here" = yes ]; then
    echo "play: playing the open Minesweeper; Ctrl-C stops it" >&2
    command=("$minescraper" play "${args[@]}")
else
    case "$game" in
        winemine) "$root/scripts/setup.sh" "${ask[@]}" "$needs" ;;
        *) "$root/scripts/setup.sh" "${ask[@]}" test ;;
    esac
    if ! has --games "$@" && ! has --dry-run "$@"; then
        args+=(--games 20)
        has --until-win "$@" || args+=(--until-win)
    fi
    [ -n "$display" ] || echo "play: there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set" >&2
    echo "play: playing $game ($level) on a virtual display, which is on no screen; what it shows is kept in $record" >&2
    command=("$root/scripts/with-game.sh" "$game" "$level" -- "$minescraper" play "${args[@]}")
fi

# A game that was lost is no failure: the exit code is that of `minescraper play`.
summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
status=0
# tee lives on at Ctrl-C, so that the summary of what was played so far gets through.
"${command[@]}" | tee -i "$summary" || status=${PIPESTATUS[0]}

if ! has --json "$@"; then
    awk '/^game [0-9]+: / { games++; time += $5 }
        END { if (games) printf "%.2f seconds a game\n", time / games }' "$summary"
fi
last=$(find "$record" -maxdepth 1 -name '[0-9]*.png' 2>/dev/null | sort -V | tail -n 1) || true
# With --json, stdout is for one object only.
if has --json "$@"; then exec >&2; fi
if [ -n "$last" ]; then
    echo "last board: $last"
    has --dry-run "$@" || echo "move by move, as a page: $minescraper replay $record --html game.html"
fi
exit "$status"
