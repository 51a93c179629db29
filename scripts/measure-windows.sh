#!/usr/bin/env bash
# Reads fresh windows of the real games at many settings: sizes of boards and windows, themes, a dark window theme,
# scaled desktops. Prints what came of each and how many were right, refused with a message, or wrong; fails when one was
# wrong.
#
#   scripts/measure-windows.sh [GAME ...]
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
scripts/setup.sh test
. "$root/scripts/cargo-path.sh"
cargo build --release --locked
target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')

# GAME LEVEL COLSxROWS VARIABLE|- WINDOW-SIZE ...; the size of a window that stays as it is is -
settings() {
    local level small="300x400 420x500 555x600" large="700x777 1000x900 1500x950"
    for level in "beginner 9x9" "intermediate 16x16" "expert 30x16" "24x20x80 24x20"; do
        echo "winemine $level - -"
        echo "xdemineur ${level/beginner 9x9/beginner 12x9} - -"
        echo "sgt-mines $level - - $small $large"
        echo "kmines $level - - $small $large"
    done
    for level in "beginner 9x9" "expert 30x16"; do
        echo "kmines $level KMINES_THEME=classic $small $large"
        for scale in 1.25 1.5 2; do echo "kmines $level QT_SCALE_FACTOR=$scale -"; done
        echo "sgt-mines $level GTK_THEME=Adwaita:dark -"
        echo "sgt-mines $level GDK_SCALE=2 -"
    done
    for level in "beginner 8x8" "intermediate 16x16" "expert 30x16"; do
        echo "gnome-mines $level - 500x400 700x500 900x700 1200x800 1550x950"
        echo "gnome-mines $level GNOME_THEME=classic 700x500 1200x800"
        echo "gnome-mines $level GNOME_THEME=bgcolors 700x500 1200x800"
        echo "gnome-mines $level GTK_THEME=Adwaita:dark 700x500 1200x800"
        echo "gnome-mines $level GDK_SCALE=2 1500x900"
    done
}

# Beside the game: PROGRAM COLSxROWS STARTS-OPEN WINDOW-SIZE ...; STARTS-OPEN is empty for a board that starts covered.
read_windows='
    program=$1 expected=$2 starts_open=$3
    shift 3
    for size; do
        sleep 1
        window=$(($(xprop -root _NET_CLIENT_LIST | grep -o "0x[0-9a-f]*" | tail -n 1)))
        if [ "$size" != - ]; then
            xdotool windowsize --sync "$window" "${size%x*}" "${size#*x}"
            sleep 1.5
        fi
        if ! seen=$("$program" read --window "$window" 2>&1); then
            echo "$size refused: $(tail -n 1 <<<"$seen")"
            continue
        fi
        seen=$(sed -n "/^minescraper /,\$p" <<<"$seen")
        cells=$(tail -n +2 <<<"$seen" | tr -d "#\n")
        [ -z "$starts_open" ] || cells=${cells//[0-8]/}
        if [ "$(head -n 1 <<<"$seen" | cut -d" " -f2)" = "$expected" ] && [ -z "$cells" ]; then
            echo "$size right"
        else
            echo "$size WRONG: $(head -n 1 <<<"$seen") $cells"
        fi
    done'

settings | while read -r game level expected variable sizes; do
    [ $# = 0 ] || [[ " $* " == *" $game "* ]] || continue
    [ "$variable" != - ] || variable=PLAIN=1
    starts_open=$([ "$game" != xdemineur ] || echo yes)
    # shellcheck disable=SC2086 # several sizes
    env "$variable" scripts/with-game.sh --screen 1600x1000 "$game" "$level" -- \
        bash -c "$read_windows" bash "$target/release/minescraper" "$expected" "$starts_open" $sizes </dev/null |
        sed "s/^/$game $level ${variable/PLAIN=1/-} /"
done | tee "$target/windows.txt"

right=$(grep -c ' right$' "$target/windows.txt") || true
refused=$(grep -c ' refused: ' "$target/windows.txt") || true
wrong=$(grep -c ' WRONG: ' "$target/windows.txt") || true
echo "$right right, $refused refused, $wrong wrong" >&2
[ "$wrong" = 0 ]
