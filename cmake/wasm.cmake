# Toolchain of the preset `wasm`: clang 19 and wasi-libc of Debian 12.
#   apt-get install clang-19 lld-19 llvm-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 binaryen
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# Instructions that every browser has had since 2021. There is one thread, nothing is torn down, and functions of the same
# instructions are one.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions -fno-rtti -fvisibility=hidden -mbulk-memory -mnontrapping-fptoint -msign-ext \
-fno-threadsafe-statics -fno-c++-static-destructors -fno-math-errno -Xclang -fno-pch-timestamp -Xclang -fmerge-functions")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
