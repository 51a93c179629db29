#!/usr/bin/env bash
# Plays on every other desktop that a Debian machine can have, and says what came of it: sway and GNOME without a monitor,
# Windows as Wine is, and the games and the GNOME of Debian 13 (as root only). X11 with the games of Debian 12 is what
# scripts/test.sh is for.
#
#   scripts/test-desktops.sh [sway] [gnome] [windows] [debian13] [gnome48]     the first three when none is named
#
# It installs what it needs. GAMES sets how many games are played for each line (20). Ends with 1 at the first line that is not as
# it has to be: a cell was read wrong, a mine was where none could be, fewer games came to their end, or none was won.
set -euo pipefail

cd "$(dirname "$0")/.."
games=${GAMES:-20}
[ $# -gt 0 ] || set -- sway gnome windows
scripts/setup.sh test
. scripts/cargo-path.sh

said=$(mktemp)
staged=$said.staged
trap 'rm -rf "$said" "$staged"' EXIT

program() {
    cargo build --release --locked >&2
    echo "$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/minescraper"
}
field() { sed -n "s/.*\"$1\":\([^,}]*\).*/\1/p" <<<"$summary"; }
# checked NAME COMMAND ...: a command that plays so many games, and prints its summary
checked() {
    local name=$1
    shift
    summary=$("$@" 2>"$said" | tail -n 1) || { cat "$said" >&2; echo "$name: failed" >&2; exit 1; }
    local played wins
    played=$(field games) wins=$(field wins)
    # Games that are lost early and games that are won take as long for a click.
    local took
    took=$(awk -F, -v clicks="$(field clicks)" '{ for (n = 1; n <= NF; n++) all += $n; printf "%.2f", 100 * all / clicks }' \
        <<<"$(sed -n 's/.*"seconds":\[\([^]]*\)\].*/\1/p' <<<"$summary")")
    echo "$name: $wins of $played won, misreads $(field misreads), proven mines $(field proven_mines)," \
        "clicks $(field clicks), sent again $(field clicks_lost), $took s for 100 clicks"
    [ "$played" = "$games" ] && [ "$wins" != 0 ] && [ "$(field misreads)" = 0 ] && [ "$(field proven_mines)" = 0 ] || exit 1
}

sway() {
    cargo test --locked --test wayland
    local program
    program=$(program)
    for game in gnome-mines kmines; do
        checked "sway, $game, expert" scripts/with-sway.sh --screen 1600x1000 "$game" expert -- \
            "$program" play --json --games "$games"
        # How much longer a game takes than the game itself needs to paint, at 250 pictures a second. With a full list of best times
        # KMines asks for no name, which it does not need to paint.
        KMINES_SCORES=full scripts/with-sway.sh --screen 1600x1000 --rate 250 "$game" expert -- "$program" race --games "$games" | tail -n 1
    done
}

# gnome_plays NAME CONSENT TESTS PROGRAM WITH ...: on the GNOME that WITH starts, given its name, a game, a level and a command
gnome_plays() {
    local name=$1 consent=$2 tests=$3 program=$4
    shift 4
    for scale in 1 1.25 2; do
        "$@" gnome gnome-mines intermediate --scale "$scale" --screen 2560x1600 -- \
            sh -c '"$0" share & exec "$1" --ignored a_click_shows' "$consent" "$tests"
    done
    "$@" gnome gnome-mines beginner -- sh -c '"$0" cancel & exec "$1" --ignored a_no_is_told' "$consent" "$tests"
    # KMines asks for a name in a window beside the board, which GNOME tells nobody of.
    for game in gnome-mines kmines; do
        KMINES_SCORES=full checked "$name, $game, expert" "$@" gnome "$game" expert --screen 1600x1000 -- \
            sh -c '"$0" share & exec "$@"' "$consent" "$program" play --json --games "$games"
        KMINES_SCORES=full "$@" gnome "$game" expert --screen 1600x1000 -- \
            sh -c '"$0" share & exec "$@"' "$consent" "$program" race --games "$games" | tail -n 1
    done
}
# What that needs: the tests that ask for a desktop, and, beside them, a program that answers GNOME's question.
portal_tests() {
    cargo build --locked --example gnome_consent >&2
    cargo test --locked --lib --no-run 2>&1 | sed -n 's/.*Executable .*(\(.*\)).*/\1/p'
}

gnome() {
    scripts/setup.sh wayland
    local tests program
    tests=$(portal_tests)
    program=$(program)
    gnome_plays "GNOME 43" "${tests%/*/*}/examples/gnome_consent" "$tests" "$program" scripts/with-desktop.sh
}

# All of the desktop runs in the Debian 13. It sees the stage, and what lies there.
in_debian13() {
    (
        . scripts/stage.sh
        cp "$staged"/* "$HOME"
        scripts/in-root.sh "$(debian13_root)" env "PATH=$HOME:$PATH" "$PWD/scripts/with-desktop.sh" "$@"
    )
}
gnome48() {
    scripts/setup.sh debian13
    debian13_root >/dev/null
    local tests program
    tests=$(portal_tests)
    program=$(program)
    mkdir -p "$staged"
    cp "${tests%/*/*}/examples/gnome_consent" "$program" "$staged"
    cp "$tests" "$staged/portal_tests"
    gnome_plays "GNOME 48" gnome_consent portal_tests minescraper in_debian13
}

windows() {
    local zip exe built stub linux
    zip=$(scripts/build-windows.sh | tail -n 1)
    built=$(mktemp -d)
    trap 'rm -rf "$built"' RETURN
    unzip -q "$zip" -d "$built"
    exe=$(echo "$built"/*/minescraper.exe)
    # Wine 8 lacks a library of random numbers that Windows has.
    stub=$(dirname "$exe")
    cat >"$stub/stub.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID to, ULONG bytes);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T bytes) { return SystemFunction036(to, (ULONG)bytes); }
C
    x86_64-w64-mingw32-gcc -shared -o "$stub/bcryptprimitives.dll" "$stub/stub.c" -ladvapi32
    linux=$(program)
    # What needs no game says the same on both. Wine asks for a display all the same, and for its prefix.
    local bench=(bench --json --games 200 --seed 7 --level expert)
    replayed() { sed -n '$p'; }
    fingerprint() { sed -n 's/.*"fingerprint":"\([^"]*\)".*/\1/p'; }
    under_wine() { scripts/with-game.sh winemine beginner -- wine "$exe" "$@" 2>/dev/null; }
    same() { # same NAME OURS THEIRS
        echo "$1: $2 on Linux, $3 on Windows"
        [ -n "$2" ] && [ "$2" = "$3" ] || exit 1
    }
    same "replay fixtures" "$("$linux" replay fixtures | replayed)" "$(under_wine replay fixtures | tr -d '\r' | replayed)"
    same bench "$("$linux" "${bench[@]}" | fingerprint)" "$(under_wine "${bench[@]}" | fingerprint)"
    under_wine demo --games 1 --seed 1 --plain >/dev/null
    scripts/setup.sh wine
    scripts/games/sgt-mines-windows.sh build
    for game in winemine sgt-mines-windows; do
        for level in beginner intermediate expert; do
            checked "Wine, $game, $level" scripts/with-game.sh "$game" "$level" -- wine "$exe" play --json --games "$games"
        done
    done
    # How much longer that takes than the program for Linux needs, on the same window.
    for level in beginner intermediate expert; do
        checked "Linux, winemine, $level" scripts/with-game.sh winemine "$level" -- "$linux" play --json --games "$games"
    done
    MINESCRAPER_EXE=$exe cargo test --locked --test faults windows -- --ignored --test-threads 1
}

# A Debian 13 with its games and GNOME is made once, below target. Prints its folder.
debian13_root() {
    local packages=(
        gnome-mines adwaita-icon-theme librsvg2-common kmines
        dbus-x11 libglib2.0-bin dconf-gsettings-backend fonts-dejavu-core
        gnome-shell pipewire wireplumber xdg-desktop-portal xdg-desktop-portal-gnome qt6-wayland
    )
    local root=target/debian13
    if [ "$(cat "$root/packages" 2>/dev/null)" != "${packages[*]}" ]; then
        rm -rf "$root" "$root.parts"
        mkdir -p target
        debootstrap --variant=minbase trixie "$root.parts" >&2
        chroot "$root.parts" env DEBIAN_FRONTEND=noninteractive \
            apt-get -q install -y --no-install-recommends "${packages[@]}" >&2
        echo "${packages[*]}" >"$root.parts/packages"
        mv "$root.parts" "$root"
    fi
    echo "$root"
}

debian13() {
    scripts/setup.sh debian13
    local root program theme
    root=$(debian13_root)
    program=$(program)
    local with=(scripts/with-game.sh --screen 1600x1000 --root "$root")
    for level in beginner intermediate expert; do
        for theme in default classic bgcolors; do
            GNOME_THEME=$theme checked "Debian 13, gnome-mines, $theme, $level" "${with[@]}" gnome-mines "$level" -- \
                "$program" play --json --games "$games"
        done
        for theme in default classic; do
            KMINES_THEME=$theme checked "Debian 13, kmines, $theme, $level" "${with[@]}" kmines "$level" -- \
                "$program" play --json --games "$games"
        done
    done
    # Themes that no skin is shipped for.
    for theme in clean_blue clean_blue_dark; do
        KMINES_THEME=$theme checked "Debian 13, kmines, $theme, beginner, learned" "${with[@]}" kmines beginner -- \
            "$program" play --json --games "$games"
    done
}

for desktop in "$@"; do
    case "$desktop" in
        sway | gnome | windows | debian13 | gnome48) "$desktop" ;;
        *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
