#!/usr/bin/env bash
# The web component of minesweeper-for-web 3.0.4 (npm, MIT) in Chromium, on a page of its own, at the level in $1. A right click
# opens the browser's menu: flags are set with Ctrl or Alt held. A button beside the board begins a new game. No skin is made
# for it.
. "$(dirname "$0")/fetch.sh"
. "$(dirname "$0")/level.sh"
fetch_npm minesweeper-for-web 3.0.4
cat >"$fetched/minesweeper-for-web-3.0.4/page.html" <<PAGE
<!DOCTYPE html>
<meta charset="utf-8">
<title>Minesweeper</title>
<script type="module" src="dist/custom-element.js"></script>
<p><minesweeper-game columns="$cols" rows="$rows" bombs="$mines" restart-selector="#restart"></minesweeper-game></p>
<p><button id="restart">Restart</button></p>
PAGE
browse "$fetched/minesweeper-for-web-3.0.4" page.html
