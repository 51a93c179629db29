#!/usr/bin/env bash
# Builds what can be handed on: the release binary with its manual, completions and licences, as a tarball and, where there
# is dpkg, as a Debian package. Both are left in target/dist. Fails if the binary is larger than it may be, unless the
# program in the package runs, and unless this system can install the package: a package for Debian 12 is made on Debian 12.
#
#   scripts/dist.sh
#
# cargo-deb makes the package. Where it is missing it is built in target/tools first, which takes some minutes.
set -euo pipefail

cd "$(dirname "$0")/.."
scripts/setup.sh build
. scripts/cargo-path.sh
cargo build --release --locked
target=$(cargo metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
minescraper=$target/release/minescraper
# In bytes. Chosen.
limit=15000000
size=$(stat -c %s "$minescraper")
if [ "$size" -gt "$limit" ]; then
    echo "dist: the program has $size bytes, more than $limit" >&2
    exit 1
fi
version=$("$minescraper" --version)
version=${version#minescraper }

# Cargo.toml tells cargo-deb of these.
made=$target/release/dist
rm -rf "$made"
mkdir -p "$made/completions" "$made/licenses" "$target/dist"
"$minescraper" man "$made/man"
"$minescraper" completions bash >"$made/completions/minescraper"
"$minescraper" completions zsh >"$made/completions/_minescraper"
"$minescraper" completions fish >"$made/completions/minescraper.fish"
# The pictures of the skins are the games' own.
for skin in templates/*/; do
    cp "$skin/README.md" "$made/licenses/skin-$(basename "$skin").md"
done
cp LICENSE-* "$made/licenses"

folder=minescraper-$version-$(uname -m)-linux
tarball=$target/dist/$folder.tar.gz
tar -czf "$tarball" --owner=0 --group=0 --transform "s,^,$folder/," \
    README.md -C "$target/release" minescraper -C "$made" man completions licenses
echo "$tarball"

command -v dpkg-deb >/dev/null || exit 0
PATH="$PATH:$target/tools/bin"
command -v cargo-deb >/dev/null || cargo install --locked --root "$target/tools" cargo-deb
package=$(cargo deb --no-build --no-strip --quiet --output "$target/dist/")

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
dpkg-deb -x "$package" "$unpacked"
# Without the settings and skins of whoever builds it.
there=(env -i HOME="$unpacked" "$unpacked/usr/bin/minescraper")
[ "$("${there[@]}" --version)" = "minescraper $version" ]
"${there[@]}" demo --level beginner >&2
echo "dist: the package depends on $(dpkg-deb -f "$package" Depends)" >&2
apt-get install --simulate --quiet --quiet "$package" >/dev/null
echo "$package"
