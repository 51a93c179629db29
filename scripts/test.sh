#!/usr/bin/env bash
# Installs what the tests need and runs all of them, those on real windows included.
#
#   scripts/test.sh [OPTIONS of `cargo test`]
#
# The tests start displays and games of their own and end them; they touch no other window.
set -euo pipefail

cd "$(dirname "$0")/.."
scripts/setup.sh test
. scripts/cargo-path.sh

# Who names a target, `--test player` or `--lib`, gets that one only.
for arg in "$@"; do
    case "$arg" in
        --) break ;;
        --lib | --doc | --bin* | --test | --tests | --test=* | --example* | --bench* | --all-targets)
            exec cargo test --locked "$@"
            ;;
    esac
done

# Tests on real windows wait for them most of the time, so more of them run at a time than a small machine has
# cores. All others compute. They run meanwhile, at a lower priority: what counts the time on the wall goes first.
on_windows=(advise choosing config desktop doctor faults readme real_games recording wayland)
windows=() others=(--lib --bins --examples --benches)
for path in tests/*.rs tests/*/main.rs; do
    name=${path#tests/}
    name=${name%%[./]*}
    case " ${on_windows[*]} " in
        *" $name "*) windows+=(--test "$name") ;;
        *) others+=(--test "$name") ;;
    esac
done
compute() {
    nice -n 10 cargo test --locked "${others[@]}" "$@" && nice -n 10 cargo test --locked --doc "$@"
}

# Two that build would wait for each other.
cargo test --locked --all-targets --no-run "$@"

log=$(mktemp)
# With -m, what runs in the background is a process group, which is ended as one and hears Ctrl-C as its tests expect.
set -m
compute "$@" >"$log" 2>&1 &
set +m
computing=$!
trap 'kill -- "-$computing" 2>/dev/null || true; cat "$log"; rm "$log"' EXIT
failed=0
RUST_TEST_THREADS=${RUST_TEST_THREADS:-4} cargo test --locked "${windows[@]}" "$@" || failed=$?
wait "$computing" || failed=$?
[ "$failed" -eq 0 ] || exit "$failed"
echo "test: all tests passed" >&2
