#!/usr/bin/env bash
# pygame-minesweeper 1.0.11 (PyPI) at the level in $1; its beginner board is 10x10. Its covered cells look like those of a shipped
# skin, its numbers do not. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
case "${1:?a level}" in
    beginner) level=basic ;;
    *) level=$1 ;;
esac
fetch_pypi pygame-minesweeper 1.0.11 pygame-minesweeper-core==1.0.18 pygame-minesweeper-sprites==1.0.41 appdirs==1.4.4
export PYTHONPATH=$fetched/pygame-minesweeper-1.0.11
exec /usr/bin/python3 -m minesweeper "$level"
