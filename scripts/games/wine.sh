# Sourced by the games beside it that run under Wine: a prefix of their own, below HOME, and quiet.
export WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="

# set_up_wine [FILE]: makes the prefix, with what a file of the registry says.
set_up_wine() {
    # It would show a window of its own: no display for it, and a new server for the game.
    once() { DISPLAY='' wine wineboot --init && { [ $# -eq 0 ] || DISPLAY='' wine regedit /S "$1"; }; }
    if ! once "$@"; then
        # Once in some hundred times a new prefix comes out without kernel32.dll, and nothing runs in it.
        echo "wine: the prefix is broken; setting up a new one" >&2
        wineserver -k || true
        mv "$HOME/.wine" "$HOME/.wine-broken"
        once "$@"
    fi
    wineserver -w
}
