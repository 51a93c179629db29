#!/usr/bin/env bash
# Has invented Minesweepers that nobody has looked at be learned and played from nothing, three games each, on virtual desktops,
# and counts what came of it.
#
#   scripts/measure-zoo.sh [FROM..TO]  those to build on, or a part of them: names each that was not played
#   scripts/measure-zoo.sh --judge     other seeds and fonts, and only sums; writes docs/zoo.md
#
# Nothing is fitted on what --judge draws.
set -euo pipefail

cd "$(dirname "$0")/.."
scripts/setup.sh test
. scripts/cargo-path.sh

if [ "${1:-}" = --judge ]; then
    export JUDGE=1
elif [ -n "${1:-}" ]; then
    export SPECIMENS=$1
fi
said=$(cargo test --locked --release --no-default-features --features skins --test zoo -- \
    --ignored --nocapture --exact whole_measurement_of_the_zoo)
[ -n "${JUDGE:-}" ] || { echo "$said"; exit 0; }
report=$(grep -E '^\|' <<<"$said")
echo "$report"
cat >docs/zoo.md <<END
# Invented Minesweepers, met for the first time

A seed draws a Minesweeper: fonts, colours, bevels, gaps, gradients, size and shape of cells, what is around the board, when flags are
taken, how a new game is started, and more (\`src/lab/zoo\`). Each is on a virtual desktop, which has a time of its own. It is
learned from nothing, in ten games at most, and three games are played after that. These seeds, and eight of their fonts, are
for judging only.

Made by \`scripts/measure-zoo.sh --judge\`; the file is not edited by hand.

| | |
|---|---|
$report
END
echo "zoo: docs/zoo.md is written" >&2
