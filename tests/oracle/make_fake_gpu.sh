#!/bin/sh
# usage: make_fake_gpu.sh TORCH_FOLDER CUDA_INCLUDE FOLDER
# Builds FOLDER/*.so: each library of CUDA that torch links, all functions returning success, and
# FOLDER/fake_gpu.so (fake_gpu.c) with those that must do more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
gcc -shared -fPIC -w -O1 -I"$2" -o "$3/fake_gpu.so" "$here/fake_gpu.c"
nm -D --defined-only "$3/fake_gpu.so" | awk '{ print $3 }' | sort -u > "$3/defined"
for library in "$1"/lib/*.so; do
    nm -D --undefined-only "$library" | awk '{ print $2 }' | sed 's/@.*//'
done | grep -E '^(cu[A-Zdbsrfp]|nccl|nvtx|nvrtc|nvshmem|__cuda)' | sort -u | comm -23 - "$3/defined" > "$3/missing"
sed 's/.*/int &() { return 0; }/' "$3/missing" > "$3/stubs.c"
gcc -shared -fPIC -w -o "$3/stubs.so" "$3/stubs.c"
for library in "$1"/lib/*.so; do readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(lib\(cu\|nv\|nccl\).*\)\]/\1/p'; done |
    sort -u | while read -r name; do
        [ -e "$1/lib/$name" ] || gcc -shared -fPIC -Wl,-soname,"$name" -o "$3/$name" -x c /dev/null
    done
# The driver is opened by name: its functions must be its own.
{
    echo 'int cuDevicePrimaryCtxGetState(int d, unsigned *f, int *a) { if (f) *f = 0; *a = 1; return 0; }'
    strings -a "$1"/lib/libtorch_cuda.so "$1"/lib/libc10_cuda.so "$1"/lib/libcaffe2_nvrtc.so |
        grep -E '^cu[A-Z][A-Za-z0-9_]+$' | grep -vx cuDevicePrimaryCtxGetState | sort -u |
        sed 's/.*/int &() { return 0; }/'
} > "$3/driver.c"
gcc -shared -fPIC -w -Wl,-soname,libcuda.so.1 -o "$3/libcuda.so.1" "$3/driver.c"
