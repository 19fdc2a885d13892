#!/bin/sh
# usage: make_fake_gpu.sh TORCH_FOLDER CUDA_INCLUDE FOLDER
# Builds FOLDER/*.so: each library of CUDA that torch links, all functions returning success, and
# FOLDER/fake_gpu.so (fake_gpu.c) with those that must do more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
gcc -shared -fPIC -w -O1 -I"$2" -Wl,-soname,fake_gpu.so -o "$3/fake_gpu.so" "$here/fake_gpu.c"
nm -D --defined-only "$3/fake_gpu.so" | awk '{ print $3 }' | sort -u > "$3/defined"
for library in "$1"/lib/*.so; do
    nm -D --undefined-only "$library" | awk '{ print $2 }' | sed 's/@.*//'
done | grep -E '^(cu[A-Zdbsrfp]|nccl|nvtx|nvrtc|nvshmem|__cuda)' | sort -u | comm -23 - "$3/defined" | grep -vE '^cu(Mem|Ctx|Device|Module|Func|Launch|Stream|Event|Link|Array|Graph|Tensor|Get|Driver|Init|Occ|Pointer|Multicast|Library|Kernel)' > "$3/missing"
sed 's/.*/int &() { return 0; }/' "$3/missing" > "$3/stubs.c"
gcc -shared -fPIC -w -o "$3/stubs.so" "$3/stubs.c"
for library in "$1"/lib/*.so; do readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(lib\(cu\|nv\|nccl\).*\)\]/\1/p'; done |
    sort -u | while read -r name; do
        [ -e "$1/lib/$name" ] || gcc -shared -fPIC -Wl,-soname,"$name" -o "$3/$name" -x c /dev/null
    done
# The driver is opened by name: its functions must be its own. Triton links against it.
gcc -shared -fPIC -w -O1 -I"$2" -o "$3/driver.so" "$here/fake_driver.c"
nm -D --defined-only "$3/driver.so" "$3/fake_gpu.so" | awk '{ print $3 }' | sort -u > "$3/driver_defined"
{ nm -D --undefined-only "$1"/lib/*.so | awk '{ print $2 }'
  strings -a "$1"/lib/libtorch_cuda.so "$1"/lib/libc10_cuda.so "$1"/lib/libcaffe2_nvrtc.so
  cat "$1"/../triton/backends/nvidia/driver.[cp]* 2>/dev/null || true; } | grep -oE '\bcu[A-Z][A-Za-z0-9_]+' |
    sort -u | comm -23 - "$3/driver_defined" | sed 's/.*/int &() { return 0; }/' > "$3/driver.c"
gcc -shared -fPIC -w -I"$2" -Wl,-soname,libcuda.so.1 -Wl,--no-as-needed -o "$3/libcuda.so.1" "$3/driver.c" "$here/fake_driver.c" "$3/fake_gpu.so"
ln -sf libcuda.so.1 "$3/libcuda.so"
