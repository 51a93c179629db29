#!/usr/bin/env bash
# Measures how boards of real screenshots are found and read after what displays, scalers and remote desktops do to a
# picture: families of changes, drawn from seeds. Prints tables of boards found, boards right as a whole, cells unclear
# and cells wrong.
#
#   scripts/measure-families.sh [PICTURES]         for work on the reader: names every picture that is not read perfectly
#   scripts/measure-families.sh --judge [PICTURES] other seeds, all families, and only sums; writes docs/reading.md
#
# PICTURES of each family are read, 18 without it, of all skins in turn. FAMILY (names divided by semicolons) measures a part;
# SCENES=FOLDER keeps the pictures that were not read perfectly. Nothing is fitted on what --judge draws.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/cargo-path.sh

if [ "${1:-}" = --judge ]; then
    export JUDGE=1
    shift
fi
export PICTURES=${1:-18}
said=$(cargo test --locked --release --no-default-features --features skins --test reading -- \
    --ignored --nocapture --exact families::whole_measurement_of_families)
report=$(grep -E '^(\||- |$)' <<<"$said" | sed '1{/^$/d}')
echo "$report"
[ -n "${JUDGE:-}" ] && [ -z "${FAMILY:-}" ] || exit 0
cat >docs/reading.md <<END
# How pictures of boards are read

Screenshots of real games (\`fixtures\`) are changed as displays, scalers and remote desktops change pictures, and read from
nothing, with all skins that are shipped. Each family is a continuous one: a seed draws how much of what is done. Then come the
eighteen nuisances of \`scripts/measure-reading.sh\`. Families with a star are for judging only. A board is found
when its cells are where they are; cells count as wrong wherever something was read that is not there.

Made by \`scripts/measure-families.sh --judge $PICTURES\`; the file is not edited by hand.

$report
END
echo "families: docs/reading.md is written" >&2
