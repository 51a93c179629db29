# Sourced by the games beside it: fetches a package of others once, and leaves its files in target/games.
fetched=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/target/games

need() { # need COMMAND ...: says what is missing
    for command in "$@"; do
        command -v "$command" >/dev/null || { echo "${0##*/}: $command is needed" >&2; exit 1; }
    done
}

# fetch_pypi NAME VERSION [PACKAGE==VERSION ...]: with packages that it needs, into $fetched/NAME-VERSION, for the Python of Debian
fetch_pypi() {
    need /usr/bin/python3
    local name=$1 version=$2
    shift 2
    [ -d "$fetched/$name-$version" ] && return
    mkdir -p "$fetched"
    local parts
    parts=$(mktemp -d -p "$fetched")
    /usr/bin/python3 -m pip install -q --no-deps --target "$parts" "$name==$version" "$@" >&2 || exit 1
    mv "$parts" "$fetched/$name-$version"
}

# fetch_npm NAME VERSION: into $fetched/NAME-VERSION
fetch_npm() {
    need npm tar
    [ -d "$fetched/$1-$2" ] && return
    mkdir -p "$fetched"
    local parts
    parts=$(mktemp -d -p "$fetched")
    (cd "$parts" && npm pack --silent "$1@$2" >/dev/null && tar xzf ./*.tgz --strip-components 1) || exit 1
    mv "$parts" "$fetched/$1-$2"
}

# fetch_debian NAME VERSION: the source of a package of Debian 12, into $fetched/NAME-VERSION. It needs no root, and leaves the
# sources of this machine as they are.
fetch_debian() {
    need apt-get dpkg-source
    [ -d "$fetched/$1-$2" ] && return
    mkdir -p "$fetched"
    local parts
    parts=$(mktemp -d -p "$fetched")
    mkdir -p "$parts/lists/partial" "$parts/cache"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
        >"$parts/sources.list"
    local apt=(
        apt-get -q -o Dir::Etc::sourcelist="$parts/sources.list" -o Dir::Etc::sourceparts=-
        -o Dir::State::lists="$parts/lists" -o Dir::Cache="$parts/cache" -o APT::Sandbox::User="$(id -un)"
    )
    (cd "$parts" && "${apt[@]}" update && "${apt[@]}" source --download-only "$1=$2" &&
        dpkg-source -x ./*.dsc source) >&2 || exit 1
    mv "$parts/source" "$fetched/$1-$2"
    rm -r "$parts"
}

# browse FOLDER PAGE: serves a folder to this machine alone, and shows a page of it in Chromium
browse() {
    need python3
    cd "$1" || exit 1
    browse_served "$2" python3 -u -c '
import functools, http.server
serve = functools.partial(http.server.SimpleHTTPRequestHandler, directory=".")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
print(server.server_address[1])
server.serve_forever()'
}

# browse_served PAGE COMMAND ...: shows a page of a command that serves to this machine alone and says its port first
browse_served() {
    need chromium
    local page=$1 port
    shift
    exec 3< <(exec "$@" 2>/dev/null)
    read -r port <&3
    # Chromium runs as root, as in a container, only without its sandbox.
    local as_root=()
    [ "$(id -u)" -ne 0 ] || as_root=(--no-sandbox)
    exec chromium "${as_root[@]}" --no-first-run --disable-gpu --password-store=basic --user-data-dir="$HOME/chromium" \
        --window-position=20,20 --window-size=1000,760 "http://127.0.0.1:$port/$page"
}
