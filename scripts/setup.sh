#!/usr/bin/env bash
# Installs the Debian packages that Minescraper needs. This is the one list of them.
#
#   scripts/setup.sh build   what the program is built with
#   scripts/setup.sh play    that, a virtual display and one real game
#   scripts/setup.sh test    that, every supported game, and the tools of the tests
#   scripts/setup.sh learn   that, and games that no skin is made for
#   scripts/setup.sh unknown that, and what games run in that are fetched from elsewhere; npm has to be there already
#
# Nothing happens when all of them are installed. On a system without apt it only says what is needed.
# Rust is not installed here: https://rustup.rs (1.88 or newer).
set -euo pipefail

build=(
    gcc libc6-dev pkg-config # linking
    libclang-dev             # bindings are made during the build
    libpipewire-0.3-dev libwayland-dev libegl-dev libgbm-dev libxcb1-dev # looking at the screen
)
# scripts/with-game.sh and the first game.
play=(
    xvfb openbox
    x11-utils                # xprop, xwininfo, xev
    mawk
    wine wine64              # WineMine is a part of Wine
)
test=(
    xdotool
    x11-xserver-utils        # xrandr
    dbus dbus-x11 libglib2.0-bin dconf-gsettings-backend # a session bus, gsettings and gdbus
    librsvg2-common          # GNOME Mines draws SVG files; GTK only recommends what reads them
    gnome-mines kmines sgt-puzzles xdemineur
    fonts-dejavu-core fonts-urw-base35 fonts-freefont-ttf # invented games are drawn with them
)

learn=(
    xbomb ace-of-penguins
    xfonts-100dpi            # what they write with
)

unknown=(
    chromium python3-pip python3-pygame python3-pyqt5 python3-pyqt6 python3-tk python3-pil.imagetk racket
)

case "${1:-}" in
    build) wanted=("${build[@]}") ;;
    play) wanted=("${build[@]}" "${play[@]}") ;;
    test) wanted=("${build[@]}" "${play[@]}" "${test[@]}") ;;
    learn) wanted=("${build[@]}" "${play[@]}" "${test[@]}" "${learn[@]}") ;;
    unknown) wanted=("${build[@]}" "${play[@]}" "${test[@]}" "${learn[@]}" "${unknown[@]}") ;;
    *)
        sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "setup: this is no Debian; what is needed is called there: ${wanted[*]}" >&2
    exit 0
fi

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in "${wanted[@]}"; do
    is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: run this as root: apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
apt() {
    # sudo drops the environment, so the variable is set behind it.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

echo "setup: installing ${missing[*]}" >&2
apt update -q >&2
apt install -q -y --no-install-recommends "${missing[@]}" >&2
