#!/usr/bin/env bash
# The demo of react-minesweeper 1.0.2 (npm, MIT) in Chromium: 10x10 cells. Blanks open only what is at their sides; all cells are
# open when a game is lost. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_npm react-minesweeper 1.0.2
browse "$fetched/react-minesweeper-1.0.2/demo/dist" index.html
