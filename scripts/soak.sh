#!/usr/bin/env bash
# Plays many games in a row on a real game on a display of its own, and tells what they came to and what they cost. A
# window of another program has the rest of the screen and counts what is pressed there.
#
#   scripts/soak.sh GAME N [LEVEL]
#
# GAME and LEVEL as in scripts/with-game.sh; without a level: beginner. Fails when not all games were played, when
# anything was pressed outside the game, and when memory grew: when the second half of the games took more of it than the
# first by more than one picture of the screen.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -lt 2 ] || [ $# -gt 3 ] || ! [[ $2 =~ ^[1-9][0-9]*$ ]]; then
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

"$root/scripts/setup.sh" test
. "$root/scripts/cargo-path.sh"
cargo build --release --locked --manifest-path "$root/Cargo.toml" --bin minescraper --example bystander
target=$(cargo metadata --format-version 1 --no-deps --locked --manifest-path "$root/Cargo.toml" |
    sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

soak() { # soak PROGRAMS GAMES, beside the game
    local programs=$1 games=$2 player began played size status=0
    # Seen by the trap too.
    folder=$(mktemp -d)
    touch "$folder/pressed" "$folder/memory"
    "$programs/examples/bystander" >"$folder/pressed" &
    bystander=$!
    trap 'kill $bystander 2>/dev/null || true; rm -rf "$folder"' EXIT
    until grep -q '^ready' "$folder/pressed"; do kill -0 $bystander && sleep 0.05; done

    mkfifo "$folder/said"
    began=$(date +%s.%N)
    RUST_LOG=warn,minescraper::play=info RUST_LOG_STYLE=never \
        "$programs/minescraper" play --json --games "$games" >"$folder/summary" 2>"$folder/said" &
    player=$!
    # What it has in memory is asked whenever it says that a game is over; after the last one it may be gone.
    while read -r line; do
        if [[ $line =~ "game "[0-9]+" is " ]]; then
            awk '/^VmRSS/ { print $2 }' "/proc/$player/status" >>"$folder/memory" 2>/dev/null || true
        fi
        echo "$line" >>"$folder/log"
    done <"$folder/said"
    wait $player || status=$?
    played=$(date +%s.%N)
    if [ "$status" != 0 ] || ! [ -s "$folder/summary" ]; then
        tail -n 20 "$folder/log" >&2
        echo "soak: the player ended with $status" >&2
    fi

    number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$folder/summary"; }
    seconds() { sed 's/.*"seconds":\[\([^]]*\)\].*/\1/' "$folder/summary" | tr ',' '\n' | awk '{ sum += $1 } END { printf "%.1f", sum }'; }
    foreign=$(grep -cv '^ready' "$folder/pressed") || true
    echo "games            $(number games)"
    echo "wins             $(number wins)"
    echo "clicks           $(number clicks)"
    echo "lost clicks      $(number clicks_lost)"
    echo "foreign presses  $foreign"
    echo "memory first     $(head -n 1 "$folder/memory") kB"
    echo "memory last      $(tail -n 1 "$folder/memory") kB"
    echo "wall seconds     $(awk "BEGIN { printf \"%.1f\", $played - $began }")"
    echo "seconds of play  $(seconds)"

    if [ "$foreign" != 0 ]; then
        echo "soak: pressed outside the game:" >&2
        grep -v '^ready' "$folder/pressed" >&2
        status=1
    fi
    # A pixel of the screen has four bytes.
    size=$(xwininfo -root | awk '/Width:/ { width = $2 } /Height:/ { print width * $2 * 4 / 1024 }')
    if ! awk -v games="$games" -v picture="$size" '
        NR <= games / 2 { if ($1 > first) first = $1; next }
        $1 > second { second = $1 }
        END { if (games > 1 && second > first + picture) { print "soak: memory grew from " first " to " second " kB" > "/dev/stderr"; exit 1 } }
    ' "$folder/memory"; then
        status=1
    fi
    return "$status"
}
export -f soak
"$root/scripts/with-game.sh" "$1" "${3:-beginner}" -- bash -c 'set -euo pipefail; soak "$@"' bash "$target/release" "$2"
