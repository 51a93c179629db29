#!/usr/bin/env bash
# The page of minesweeper-for-web 1.0.2 (npm, MIT) in Chromium: 9x9 cells, 10 mines. It is another program than the web component
# of version 3: jQuery, and a file for each picture, fetched when it is first shown. A right click opens the browser's menu:
# flags are set with Ctrl held. A new game begins by the first of two buttons; the second asks first. No skin is made for it.
. "$(dirname "$0")/fetch.sh"
fetch_npm minesweeper-for-web 1.0.2
browse "$fetched/minesweeper-for-web-1.0.2" index.html
