#!/bin/sh
# Installs into a new folder, moves it, and asks from there: the program finds its own catalog and
# profiles. Usage: install_test.sh CMAKE BUILD_FOLDER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --install "$2" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
cd /
unset RIDGELINE_CATALOG RIDGELINE_PROFILES 2>/dev/null || true
"$work/moved/bin/ridgeline" catalog show h100-sxm5-80gb | grep -q H100
"$work/moved/bin/ridgeline" estimate --model llama-3.1-8b --method qlora --on rtx-4090 | grep -q fits
# The page is written where the core was built before this was configured; else the core is what is missing.
if [ -f "$work/moved/share/ridgeline/page/core.wasm" ]; then
    "$work/moved/bin/ridgeline" page --output "$work/page.html" 2>/dev/null
    grep -q '</html>' "$work/page.html"
else
    "$work/moved/bin/ridgeline" page --output "$work/page.html" 2>&1 | grep -q WebAssembly
fi
# What a folder given by flag or environment says wins over the installed one.
mkdir "$work/empty"
if RIDGELINE_CATALOG="$work/empty" "$work/moved/bin/ridgeline" catalog list >/dev/null 2>&1; then
    echo "an empty catalog was accepted"
    exit 1
fi
echo "installed copy answers"
