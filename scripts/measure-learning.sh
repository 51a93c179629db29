#!/usr/bin/env bash
# Learns the skin of each real game from its window alone, at two window sizes or levels each, and then reads the real
# pictures in fixtures/ with nothing but what was learned. Prints what was learned and a table of cells that were right,
# unclear or wrong, and fails when one was wrong.
#
#   scripts/measure-learning.sh [GAME ...]
#
# Takes about two minutes for each window; the skins are left in target/learned.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/cargo-path.sh"
cd "$root"
games=("$@")
[ ${#games[@]} -gt 0 ] || games=(winemine xdemineur gnome-mines kmines sgt-mines)

scripts/setup.sh test
cargo build --release --locked
target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
learned=$target/learned
rm -rf "$learned"
mkdir -p "$learned"

learn() { # learn GAME LEVEL [WIDTH HEIGHT]
    local game=$1 level=$2 name=$1.$2
    shift 2
    [ $# -eq 0 ] || name=$name.$1x$2
    echo "$name" >&2
    "$root/scripts/with-game.sh" "$game" "$level" -- bash -c '
        program=$1 out=$2
        shift 2
        if [ $# -gt 0 ]; then
            window=$(xprop -root _NET_CLIENT_LIST | grep -o "0x[0-9a-f]*" | tail -n 1)
            xdotool windowsize --sync $((window)) "$@"
            sleep 2
        fi
        exec "$program" calibrate --name learned --out "$out"
    ' bash "$target/release/minescraper" "$learned/$name" "$@"
}

for game in "${games[@]}"; do
    case "$game" in
        # These windows do not resize.
        winemine | xdemineur) learn "$game" beginner; learn "$game" expert ;;
        *) learn "$game" beginner; learn "$game" beginner 620 720 ;;
    esac
done

LEARNED=$learned cargo test --locked --release --no-default-features --test learn -- --ignored --nocapture
