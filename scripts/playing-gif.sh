#!/usr/bin/env bash
# Makes the moving picture in the README: plays Simon Tatham's Mines at Expert on a virtual display until it wins, and
# writes that game as it was on the screen.
#
#   scripts/playing-gif.sh [OUT.gif]   without a name: docs/playing.gif
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/docs/playing.gif}

"$root/scripts/setup.sh" test
. "$root/scripts/cargo-path.sh"
cargo build --release --locked --manifest-path "$root/Cargo.toml"
target=$(cargo metadata --format-version 1 --no-deps --locked --manifest-path "$root/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$root/scripts/with-game.sh" sgt-mines expert -- \
    "$target/release/minescraper" play --until-win --games 20 --record "$folder/game"
# The last game is the one that was won.
"$target/release/minescraper" replay "$folder/game" --gif "$out"
