#!/usr/bin/env bash
# Runs a command in another Debian that lies in a folder, as the user nobody. Root only.
#
#   scripts/in-root.sh ROOT COMMAND [ARGUMENT ...]
#
# It sees the devices, the processes, the displays, these scripts and the stage (scripts/stage.sh) of the machine, at the same
# paths. What is mounted for that is seen by this command only, and gone with it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 2 ] || [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
stage=$(dirname "$XDG_RUNTIME_DIR")
# shellcheck disable=SC2016 # the inner shell has its own arguments
exec unshare --mount --propagation private bash -euc '
    root=$1 here=$2 stage=$3
    shift 3
    mount --rbind /dev "$root/dev"
    mount --bind /proc "$root/proc"
    mount -t tmpfs tmpfs "$root/tmp"
    for shared in "$here" "$stage" /tmp/.X11-unix; do
        mkdir -p "$root$shared"
        mount --bind "$shared" "$root$shared"
    done
    chown -R nobody:nogroup "$stage"
    exec chroot --userspec=nobody:nogroup "$root" env --chdir="$HOME" "$@"
' bash "$(cd "$1" && pwd)" "$here" "$stage" "${@:2}"
