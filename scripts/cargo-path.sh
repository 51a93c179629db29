# Sourced by the scripts beside it: finds cargo where rustup puts it, or says how to get it.
if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
fi
if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install Rust 1.88 or newer, see https://rustup.rs" >&2
    exit 1
fi
