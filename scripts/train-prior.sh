#!/usr/bin/env bash
# Learns what numbers look like before any rule has spoken, and writes the weights of that network
# (src/learn/from_play/prior.txt). Takes a minute. The same on every run.
set -euo pipefail

cd "$(dirname "$0")/.."
scripts/setup.sh test
. scripts/cargo-path.sh
exec cargo run --locked --release --no-default-features --features skins --example train_prior -- \
    src/learn/from_play/prior.txt
