#!/usr/bin/env bash
# Learns the skin of each real game from its window alone, at two window sizes or levels each and at both together, and
# then reads the real pictures in fixtures/ with nothing but what was learned. Prints what was learned and a table of
# cells that were right, unclear or wrong, and fails when one was wrong. After that `play` has to play each game without
# its built-in skin, and what no skin was made for: KMines in two themes, XBomb, and the Minesweeper of The Ace of Penguins.
#
#   scripts/measure-learning.sh [GAME ...]
#
# Takes about two minutes for each window; the skins are left in target/learned.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
games=("$@")
[ ${#games[@]} -gt 0 ] || games=(winemine xdemineur gnome-mines kmines sgt-mines)

scripts/setup.sh learn
. "$root/scripts/cargo-path.sh"
cargo build --release --locked
target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
learned=$target/learned
rm -rf "$learned"
mkdir -p "$learned"

learn() { # learn SKIN GAME LEVEL [WIDTH HEIGHT]: what SKIN is known from already is added to
    local skin=$1 game=$2 level=$3
    shift 3
    echo "$skin: $game $level $*" >&2
    "$root/scripts/with-game.sh" "$game" "$level" -- bash -c '
        program=$1 out=$2
        shift 2
        if [ $# -gt 0 ]; then
            window=$(xprop -root _NET_CLIENT_LIST | grep -o "0x[0-9a-f]*" | tail -n 1)
            xdotool windowsize --sync $((window)) "$@"
            sleep 2
        fi
        exec "$program" calibrate --name learned --out "$out"
    ' bash "$target/release/minescraper" "$learned/$skin" "$@"
}

for game in "${games[@]}"; do
    case "$game" in
        kmines | sgt-mines) other=(beginner 620 720) ;;
        # These windows do not resize, and GNOME Mines has small cells at Expert only.
        *) other=(expert) ;;
    esac
    learn "$game.1" "$game" beginner
    learn "$game.2" "$game" "${other[@]}"
    cp -r "$learned/$game.1" "$learned/$game.both"
    learn "$game.both" "$game" "${other[@]}"
done

LEARNED=$learned cargo test --locked --release --no-default-features --features skins --test learn -- --ignored --nocapture

# A user's skin stands in for the built-in one of its name: each game is played with skins of another one only.
for game in "${games[@]}"; do
    echo "play $game" >&2
    other=gnome-mines
    [ "$game" != gnome-mines ] || other=winemine
    "$root/scripts/with-game.sh" "$game" beginner -- bash -c '
        program=$1 templates=$2 other=$3
        skins=$XDG_DATA_HOME/minescraper/skins
        mkdir -p "$skins"
        for shipped in "$templates"/*/; do cp -r "$templates/$other" "$skins/$(basename "$shipped")"; done
        "$program" play --games 3 && ls -d "$skins"/learned-*
    ' bash "$target/release/minescraper" "$root/templates" "$other"
done

# What no shipped skin was made for; without games named, or with kmines among them.
[[ $# -eq 0 || " $* " == *" kmines "* ]] || exit 0
for theme in green graveyard-mayhem; do
    echo "play kmines, theme $theme" >&2
    KMINES_THEME=$theme "$root/scripts/with-game.sh" kmines beginner -- "$target/release/minescraper" play --games 3
done
[ $# -eq 0 ] || exit 0
for unknown in "xbomb beginner" "xbomb intermediate" "ace-minesweeper expert"; do
    echo "play $unknown" >&2
    # Both words are arguments.
    # shellcheck disable=SC2086
    "$root/scripts/with-game.sh" --screen 1600x1000 $unknown -- "$target/release/minescraper" play --games 10
done
