#!/bin/sh
# usage: make_fake_libraries.sh SITE_PACKAGES FOLDER CUDA_INCLUDE
# Builds in FOLDER a stand-in for each CUDA library that torch's wheel (CUDA 12) is linked to and that is
# not installed. Every function returns success; the runtime is fake_cudart.c and what it leaves out.
set -eu
torch="$1/torch/lib" out=$2
here=$(dirname "$0")
mkdir -p "$out"
for f in "$torch"/*.so*; do objdump -p "$f" | awk '/NEEDED/{print $2}'; done | sort -u > "$out/needed"
for f in "$torch"/*.so*; do nm -D --undefined-only "$f" | awk '{print $2}' | sed 's/@.*//'; done |
    sort -u > "$out/undefined"
grep -oE 'cudaError_t cuda[A-Za-z0-9]+\(' "$here/fake_cudart.c" | sed 's/.* //;s/(//' | sort -u > "$out/have"
sed 's/cudaGetDriverEntryPointByVersion.*$/unused(const char*s,void**f,unsigned v,unsigned long long l,void*r){OK;}/' \
    "$here/fake_cudart.c" > "$out/runtime.c"
special='__cudaRegisterFatBinary$|GetDeviceProperties_v2|cudaGetErrorString|cudaGetErrorName|GetDriverEntryPoint'
{
    grep -E '^(__)?cuda[A-Za-z]' "$out/undefined" | grep -vxFf "$out/have" | grep -vE "$special" |
        sed 's/.*/long &(){return 0;}/'
    cat <<'C'
#include <string.h>
static long handle[8]; void* __cudaRegisterFatBinary(){return handle;}
const char* cudaGetErrorString(){return "none";} const char* cudaGetErrorName(){return "none";}
static int state(int d,unsigned*f,int*a){if(f)*f=0;*a=0;return 0;}
static int generic(){return 0;}
int cudaGetDriverEntryPointByVersion(const char*s,void**f,unsigned v,unsigned long long l,int*r){*f=strstr(s,"PrimaryCtxGetState")?(void*)state:(void*)generic;if(r)*r=0;return 0;}
int cudaGetDriverEntryPoint(const char*s,void**f,unsigned long long l,int*r){return cudaGetDriverEntryPointByVersion(s,f,0,l,r);}
C
} > "$out/rest.c"
gcc -c -fPIC -w "-I$3" -o "$out/runtime.o" "$out/runtime.c"
gcc -c -fPIC -w -fno-builtin -o "$out/rest.o" "$out/rest.c"
echo 'libcudart.so.12 { global: *; };' > "$out/map"
gcc -shared -o "$out/libcudart.so.12" -Wl,-soname,libcudart.so.12 "$out/runtime.o" "$out/rest.o" \
    "-Wl,--version-script=$out/map"
grep -E '^(cu[A-Z]|cublas|cudnn|cufft|cufile|cupti|curand|cusolver|cusparse|nccl|nvrtc|nvJit|nvtx|nvshmem)' \
    "$out/undefined" | grep -vx cuDevicePrimaryCtxGetState | sed 's/.*/int &() { return 0; }/' > "$out/all.c"
for name in $(grep -E '^lib(cublas|cudnn|cufft|cufile|cupti|curand|cusolver|cusparse|nccl|nv)' "$out/needed"); do
    echo "$name { global: *; };" > "$out/map"
    version="-Wl,--version-script=$out/map"
    case $name in libcusparseLt* | libcufile* | libcurand* | libnccl*) version= ;; esac
    gcc -shared -fPIC -w "-Wl,-soname,$name" $version -o "$out/$name" "$out/all.c"
done
"$here/make_fake_driver.sh" "$1" "$out"
