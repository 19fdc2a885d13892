#!/bin/sh
# usage: make_fake_driver.sh SITE_PACKAGES FOLDER
# Builds FOLDER/libcuda.so.1: every driver function that torch looks up, each returning success.
set -eu
mkdir -p "$2"
{
    echo 'int cuDevicePrimaryCtxGetState(int d, unsigned *f, int *a) { if (f) *f = 0; *a = 0; return 0; }'
    strings -a "$1/torch/lib/libtorch_cuda.so" "$1/torch/lib/libc10_cuda.so" |
        grep -E '^cu[A-Z][A-Za-z0-9_]+$' | grep -vx cuDevicePrimaryCtxGetState | sort -u |
        sed 's/.*/int &() { return 0; }/'
} > "$2/fake_driver.c"
gcc -shared -fPIC -w -o "$2/libcuda.so.1" "$2/fake_driver.c"
