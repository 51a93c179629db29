# Sourced by the scripts beside it, after what installs packages: finds cargo where rustup puts it, or says how to get it,
# and the libclang that bindings are made with.
if ! command -v cargo >/dev/null && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
fi
if ! command -v cargo >/dev/null; then
    echo "cargo is missing: install Rust 1.88 or newer, see https://rustup.rs" >&2
    exit 1
fi

# Of several libclangs the newest would be taken, which may have come with another program and without its headers
# ("'stdbool.h' file not found"). Debian has each in a folder llvm-N: the newest that is whole is taken.
if [ -z "${LIBCLANG_PATH:-}" ]; then
    for folder in $(printf '%s\n' "${LLVM_FOLDERS:-/usr/lib}"/llvm-*/lib | sort -V); do
        # Fails when one of them is not there.
        if ls "$folder"/libclang[.-][0-9s]* "$folder"/clang/*/include/stdbool.h >/dev/null 2>&1; then
            export LIBCLANG_PATH="$folder"
        fi
    done
fi
