#!/usr/bin/env bash
# Installs the packages that Minescraper needs. This is the one list of them.
#
#   scripts/setup.sh [--ask] game    a virtual display and one real game, for a program that is installed
#   scripts/setup.sh [--ask] build   what the program is built with
#   scripts/setup.sh [--ask] play    both
#   scripts/setup.sh [--ask] test    that, every supported game, and the tools of the tests
#   scripts/setup.sh [--ask] learn   that, and games that no skin is made for
#   scripts/setup.sh [--ask] unknown that, and what games run in that are fetched from elsewhere; npm has to be there already
#   scripts/setup.sh [--ask] windows what the program is built with for Windows
#   scripts/setup.sh [--ask] wine    what a second game for Windows is made with
#   scripts/setup.sh [--ask] wayland GNOME without a screen and one game for it, for scripts/with-desktop.sh
#   scripts/setup.sh [--ask] debian13 what a Debian 13 in a folder is made with, for scripts/test-desktops.sh
#
# Nothing happens when all of them are installed. With --ask a person at a terminal is asked before something is installed.
# Debian 12 has all of them. Ubuntu names those for game, build and play alike, and lacks some others; of Fedora and Arch Linux
# the names for these three are known. Where it cannot install, it says what is missing, and fails. Rust is not installed
# here: https://rustup.rs (1.88 or newer).
set -euo pipefail

ask=no
if [ "${1:-}" = --ask ]; then
    ask=yes
    shift
fi
case "${1:-}" in
    game | build | windows | play | test | learn | unknown | wine | wayland | debian13) ;;
    *)
        sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
# Only Linux has to be told how to look at the screen.
[ "$(uname -s)" = Linux ] || [ "$1" != build ] || exit 0

# What the system says of itself: its name, and those it is like.
system=$(. "${OS_RELEASE:-/etc/os-release}" 2>/dev/null && echo "${ID:-} ${ID_LIKE:-}") || true
windows=() test=() learn=() unknown=() wine=() wayland=() debian13=()
case " $system " in
    *" fedora "*)
        install=(dnf install)
        build=(
            gcc pkgconf-pkg-config
            clang-devel
            pipewire-devel wayland-devel mesa-libEGL-devel mesa-libgbm-devel libxcb-devel
        )
        game=(xorg-x11-server-Xvfb openbox xprop xwininfo xev gawk wine)
        ;;
    *" arch "*)
        install=(pacman -S --needed)
        build=(
            gcc pkgconf
            clang
            libpipewire wayland libglvnd mesa libxcb
        )
        game=(xorg-server-xvfb openbox xorg-xprop xorg-xwininfo xorg-xev gawk wine)
        ;;
    *) # Debian and Ubuntu. Names elsewhere are often alike.
        install=(apt-get install --no-install-recommends)
        build=(
            gcc libc6-dev pkg-config # linking
            libclang-dev             # bindings are made during the build
            libpipewire-0.3-dev libwayland-dev libegl-dev libgbm-dev libxcb1-dev # looking at the screen
        )
        # scripts/build-windows.sh. The compiler makes a standard library for Windows from its source.
        windows=(
            gcc libc6-dev            # what runs during the build
            rustc-web rust-web-src
            gcc-mingw-w64-x86-64     # linking, with windres and dlltool
            zip
        )
        # scripts/with-game.sh and the first game.
        game=(
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
            sway xwayland qtwayland5 # Wayland desktops, and what KMines needs there
            fonts-dejavu-core fonts-urw-base35 fonts-freefont-ttf # invented games are drawn with them
            chromium                 # looks at the pages that replay and bench write
        )
        learn=(
            xbomb ace-of-penguins
            xfonts-100dpi            # what they write with
        )
        unknown=(
            python3-pip python3-pygame python3-pyqt5 python3-pyqt6 python3-tk python3-pil.imagetk racket
        )
        # scripts/games/sgt-mines-windows.sh. It takes the source from Debian's archive.
        wine=(dpkg-dev cmake make gcc-mingw-w64-x86-64)
        wayland=(
            gnome-shell adwaita-icon-theme
            pipewire wireplumber     # its pictures
            xdg-desktop-portal xdg-desktop-portal-gnome # who allows what
            dbus libglib2.0-bin dconf-gsettings-backend # the buses, gdbus and gsettings
            gnome-mines librsvg2-common
        )
        debian13=(debootstrap)
        ;;
esac

wanted=()
steps=(build game test learn unknown)
case "$1" in
    game | windows | wine | wayland | debian13) steps=("$1") last=$1 ;;
    play) last=game ;;
    *) last=$1 ;;
esac
for step in "${steps[@]}"; do
    declare -n packages=$step
    if [ ${#packages[@]} -eq 0 ]; then
        echo "setup: what '$step' needs is known for Debian and Ubuntu only" >&2
        exit 1
    fi
    wanted+=("${packages[@]}")
    [ "$step" != "$last" ] || break
done

# Those that the system does not have; all of them, where nothing can be asked.
missing=()
for package in "${wanted[@]}"; do
    case "${install[0]}" in
        apt-get) [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ;;
        dnf) rpm -q --whatprovides "$package" >/dev/null 2>&1 ;;
        pacman) pacman -T "$package" >/dev/null 2>&1 ;;
    esac || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

fail() {
    echo "setup: $1: ${install[*]} ${missing[*]}" >&2
    exit 1
}
command -v "${install[0]}" >/dev/null || fail "there is no ${install[0]} here; install what this system has for these"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "run this as root"
    as_root=(sudo)
fi
if [ "$ask" = yes ] && [ -t 0 ] && [ -t 2 ]; then
    read -r -p "setup: these are missing: ${missing[*]}. Install them? [y/N] " answer || true
    [[ $answer == [yY]* ]] || fail "nothing was installed; to go on, run as root"
fi

echo "setup: installing ${missing[*]}" >&2
case "${install[0]}" in
    apt-get)
        # sudo drops the environment, so the variable is set behind it.
        apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
        { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >&2
        ;;
    dnf) "${as_root[@]}" "${install[@]}" -y "${missing[@]}" >&2 ;;
    pacman) "${as_root[@]}" "${install[@]}" --noconfirm "${missing[@]}" >&2 ;;
esac || fail "that failed; to go on, run as root"
