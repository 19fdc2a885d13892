#!/bin/sh
# Fetches the libraries of Ridgeline for arm64 and unpacks them into build/arm64/root; neither needs root nor
# touches the packages of this machine (Debian 12).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)/build/arm64/root
[ ! -e "$root/usr/include/fmt" ] || exit 0
fetched=$(mktemp -d)
trap 'rm -rf "$fetched"' EXIT
mkdir -p "$fetched/state/lists/partial" "$fetched/cache/archives/partial" "$root"
: >"$fetched/status"
cd "$fetched"
of_arm64() {
    apt-get -qq -o Dir::State="$fetched/state" -o Dir::Cache="$fetched/cache" \
        -o Dir::State::status="$fetched/status" -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o APT::Sandbox::User="$(id -un)" "$@"
}
of_arm64 update
of_arm64 download libfmt-dev libfmt9 liblzma-dev liblzma5
for package in *.deb; do
    dpkg-deb -x "$package" "$root"
done
# liblzma lies outside of /usr, and its link for linkers begins at the root of the file system.
mv "$root"/lib/aarch64-linux-gnu/* "$root/usr/lib/aarch64-linux-gnu/"
ln -sf liblzma.so.5 "$root/usr/lib/aarch64-linux-gnu/liblzma.so"
