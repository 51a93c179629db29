#!/usr/bin/env bash
# PyMines 1.2.3 (PyPI; pygame): 8x8 cells with gaps. A flag that was set in one game keeps its cell shut in the next ones. No
# skin is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_pypi PyMines 1.2.3
cd "$fetched/PyMines-1.2.3/pymines" || exit 1
exec /usr/bin/python3 pymines.py
