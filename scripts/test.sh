#!/usr/bin/env bash
# Installs what the tests need and runs all of them, those on real windows included.
#
#   scripts/test.sh [OPTIONS of `cargo test`]
#
# The tests start displays and games of their own and end them; they touch no other window.
set -euo pipefail

cd "$(dirname "$0")/.."
. scripts/cargo-path.sh
scripts/setup.sh test

# Who names a target, `--test player` or `--lib`, gets that one only.
for arg in "$@"; do
    case "$arg" in
        --) break ;;
        --lib | --doc | --bin* | --test | --tests | --test=* | --example* | --bench* | --all-targets)
            exec cargo test --locked "$@"
            ;;
    esac
done
cargo test --locked --all-targets "$@"
cargo test --locked --doc "$@"
echo "test: all tests passed" >&2
