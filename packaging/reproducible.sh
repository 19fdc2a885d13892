#!/bin/sh
# Builds and packs twice in two folders and compares what came out, byte by byte.
# Usage: packaging/reproducible.sh, from the root of the sources; needs dpkg-dev, file and python3.
set -eu
source=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
for copy in first/a second/another-folder; do
    mkdir -p "$work/$copy"
    git archive HEAD | tar -x -C "$work/$copy"
    (
        cd "$work/$copy"
        cmake --preset package >/dev/null
        cmake --build --preset package --target all wheel sbom >/dev/null
        cd build/package
        cpack -G DEB >/dev/null
        sha256sum ridgeline libridgeline.so ./*.deb ./*.whl ridgeline.spdx.json
    ) >"$work/$(dirname "$copy").sums"
done
cd "$source"
cat "$work/first.sums"
diff "$work/first.sums" "$work/second.sums"
echo "both builds are alike"
