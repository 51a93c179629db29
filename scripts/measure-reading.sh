#!/usr/bin/env bash
# Measures how boards are read: of every skin, at 20 sizes, with each nuisance. Prints tables of boards, cells, and
# how many of these were right, unclear or wrong, then every wrong cell. Fails when a cell was wrong.
#
#   scripts/measure-reading.sh [BOARDS]
#
# BOARDS of each skin, size and nuisance are read; 2 without it, which makes more than 2,000,000 cells.
# NUISANCE, SKIN, SIZE and SEED (names or figures, divided by commas) measure a part of that; SCENES=FOLDER keeps the
# pictures that were not read perfectly, TELL=1 names the unclear cells.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/cargo-path.sh
BOARDS=${1:-2} cargo test --locked --release --no-default-features --features skins --test reading -- \
    --ignored --nocapture whole_measurement
