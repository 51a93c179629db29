#!/usr/bin/env bash
# Races on the real games at Expert, each on a virtual display of its own, and prints a table with the medians of the
# games that were won. Times without a unit are milliseconds.
#
#   scripts/race.sh [--wm stock|bare] [GAME ...] [-- OPTIONS of `minescraper race`]
#
# Without games: all five. Without --wm: first under openbox as it is shipped, then without its bindings of clicks.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)

managers=(stock bare)
games=()
while [ $# -gt 0 ]; do
    case "$1" in
        --wm) managers=("$2"); shift 2 ;;
        --) shift; break ;;
        *) games+=("$1"); shift ;;
    esac
done
[ ${#games[@]} -gt 0 ] || games=(winemine xdemineur kmines sgt-mines gnome-mines)

"$root/scripts/setup.sh" test
. "$root/scripts/cargo-path.sh"
cargo build --release --locked --manifest-path "$root/Cargo.toml"
target=$(cargo metadata --format-version 1 --no-deps --locked --manifest-path "$root/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

for wm in "${managers[@]}"; do
    printf '\nopenbox, %s\n\n' "$wm"
    head=yes
    for game in "${games[@]}"; do
        said=$("$root/scripts/with-game.sh" --wm "$wm" "$game" expert -- "$target/release/minescraper" race "$@")
        grep -v '^|' <<<"$said" | sed "s/^game/$game, game/" >&2
        [ "$head" = no ] || grep '^|' <<<"$said" | head -n 2
        grep '^|' <<<"$said" | tail -n 1
        head=no
    done
done
