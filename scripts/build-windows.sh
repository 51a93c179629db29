#!/usr/bin/env bash
# Builds the program for Windows on Debian: minescraper.exe, and a zip of it with its README and licences in target/dist.
#
#   scripts/build-windows.sh           builds both
#   scripts/build-windows.sh --check   says whether everything compiles for Windows, and builds nothing
#
# Where Rust has no standard library for Windows (`rustup target add x86_64-pc-windows-gnu` brings it), Debian's compiler
# makes one from its source. It stays in this script: everything else goes on with the usual one.
set -euo pipefail

cd "$(dirname "$0")/.."
if [ $# -gt 1 ] || [ "${1:---check}" != --check ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
scripts/setup.sh windows
. scripts/cargo-path.sh

target=x86_64-pc-windows-gnu
options=(--locked --target "$target")
if ! ls "$(rustc --print target-libdir --target "$target")"/libstd-*.rlib >/dev/null 2>&1; then
    # With the standard library come its options, which are there in nightly Rust only.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1
    options+=(-Z build-std=std,panic_abort)
fi
export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc

if [ $# -eq 1 ]; then
    cargo check "${options[@]}"
    cargo check "${options[@]}" --package windows-desktop --all-targets
    exit
fi

# A smaller program, for a longer build.
CARGO_PROFILE_RELEASE_LTO=fat cargo build --release "${options[@]}"
built=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
version=$(cargo pkgid --locked)
folder=minescraper-${version##*[#@]}-x86_64-windows
zip=$built/dist/$folder.zip
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$made/$folder/licenses" "$built/dist"
cp "$built/$target/release/minescraper.exe" README.md LICENSE-* "$made/$folder"
# The pictures of the skins are the games' own.
for skin in templates/*/; do
    cp "$skin/README.md" "$made/$folder/licenses/skin-$(basename "$skin").md"
done
rm -f "$zip"
(cd "$made" && zip -q -r "$zip" "$folder")
echo "$zip"
