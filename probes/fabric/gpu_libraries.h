#pragma once

#include <cstddef>
#include <string>

namespace probes {

/// The parts of NCCL, the CUDA runtime and cuBLAS that the fabric probe calls, declared here: it is
/// built where none of them is, and opens them when it is asked for GPU buffers. Figures of the
/// interfaces: nccl.h of NCCL 2.28, cuda_runtime_api.h, cublas_v2.h and library_types.h of CUDA 13;
/// all have been the same since NCCL 2.10 and CUDA 11.
struct GpuLibraries {
    struct UniqueId {
        char bytes[128];
    };
    static constexpr int float32 = 7;        // ncclFloat32
    static constexpr int sum = 0;            // ncclSum
    static constexpr int real_bf16 = 14;     // CUDA_R_16BF
    static constexpr int compute_fp32 = 68;  // CUBLAS_COMPUTE_32F
    static constexpr int to_device = 1;      // cudaMemcpyHostToDevice
    static constexpr int to_host = 2;        // cudaMemcpyDeviceToHost
    static constexpr int default_gemm = -1;  // CUBLAS_GEMM_DEFAULT

    int (*device_count)(int*) = nullptr;
    int (*set_device)(int) = nullptr;
    int (*allocate)(void**, std::size_t) = nullptr;
    int (*release)(void*) = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;
    int (*fill)(void*, int, std::size_t) = nullptr;
    int (*make_stream)(void**) = nullptr;
    int (*wait)(void*) = nullptr;
    const char* (*cuda_error)(int) = nullptr;

    int (*version)(int*) = nullptr;
    int (*unique_id)(UniqueId*) = nullptr;
    int (*join)(void**, int, UniqueId, int) = nullptr;
    int (*leave)(void*) = nullptr;
    int (*all_reduce)(const void*, void*, std::size_t, int, int, void*, void*) = nullptr;
    int (*all_gather)(const void*, void*, std::size_t, int, void*, void*) = nullptr;
    int (*reduce_scatter)(const void*, void*, std::size_t, int, int, void*, void*) = nullptr;
    int (*send)(const void*, std::size_t, int, int, void*, void*) = nullptr;
    int (*receive)(void*, std::size_t, int, int, void*, void*) = nullptr;
    int (*begin_group)() = nullptr;
    int (*end_group)() = nullptr;
    const char* (*nccl_error)(int) = nullptr;

    // Optional: without them no product runs beside the collectives.
    int (*make_blas)(void**) = nullptr;
    int (*blas_stream)(void*, void*) = nullptr;
    int (*gemm)(void*,
                int,
                int,
                int,
                int,
                int,
                const void*,
                const void*,
                int,
                int,
                const void*,
                int,
                int,
                const void*,
                void*,
                int,
                int,
                int,
                int) = nullptr;

    /// Opens all three; false when one that is needed is missing, `why` then names it.
    bool open(std::string& why);
};

}  // namespace probes
