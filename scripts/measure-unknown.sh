#!/usr/bin/env bash
# Has `play` meet programs for which no skin is shipped, each as if for the first time, and play three games of each after what
# it learns. Writes what came of it to docs/unknown-games.md.
#
#   scripts/measure-unknown.sh [GAME ...]: those in scripts/games, each at its smallest board
#
# Fetches some of the games, and takes a minute or two for each.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
games=("$@")
[ ${#games[@]} -gt 0 ] || games=(
    xbomb ace-minesweeper kmines-green kmines-graveyard-mayhem pyqt-minesweeper pygame-minesweeper pymines
    minegauler minegauler-butterfly minegauler-textured tk-minesweeper tk-buttons-minesweeper mvc-minesweeper racket-mines
    react-minesweeper minesweeper-for-web minesweeper-for-web-1 nicegui-minesweeper browsergui-minesweeper # pages
)

scripts/setup.sh unknown
. "$root/scripts/cargo-path.sh"
cargo build --release --locked
target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rows=()
for game in "${games[@]}"; do
    echo "unknown: $game" >&2
    program=$game
    export KMINES_THEME=default MINEGAULER_THEME=standard
    case "$game" in
        kmines-*) program=kmines KMINES_THEME=${game#kmines-} ;;
        minegauler-*) program=minegauler MINEGAULER_THEME=${game#minegauler-} ;;
    esac
    start=$SECONDS learned=-
    scripts/with-game.sh --screen 1600x1000 "$program" beginner -- \
        timeout 240 "$target/release/minescraper" play --games 3 >"$log" 2>&1 || true
    took=$((SECONDS - start))
    cat "$log" >&2
    learned=$(sed -n 's/^learned in \([0-9]*\) games, \([0-9]*\) of them won, in \([0-9]*\) s$/\1 (\2 won) | \3/p' "$log" | head -n 1)
    played=$(sed -n 's/^\([0-9]* of [0-9]* games won\).*/\1/p' "$log" | tail -n 1)
    why=$(sed -n 's/^minescraper: //p' "$log" | sed 's/ (the pictures .*//' | tail -n 1 | tr '|' '/')
    rows+=("| $game | ${learned:-- | -} | ${played:--} | $took | ${why:--} |")
done
{
    echo '# Programs that are met for the first time'
    echo
    echo 'Made by `scripts/measure-unknown.sh`; the file is not edited by hand. For none of these programs and themes a skin is'
    echo 'shipped. Each is started anew, on its smallest board, and `play --games 3` finds out how it looks and behaves.'
    echo 'Lessons go on in play where something comes up that was not learned. The last seconds are those from the start of the'
    echo 'program to the end of the last game.'
    echo
    echo '| program | games of the first lesson | seconds of it | games played | seconds | what stopped it |'
    echo '|---|---|---|---|---|---|'
    printf '%s\n' "${rows[@]}"
} >docs/unknown-games.md
echo "unknown: docs/unknown-games.md is written" >&2
