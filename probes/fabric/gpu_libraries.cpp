#include "probes/fabric/gpu_libraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

namespace probes {
namespace {

/// The first of the names that opens; a variable of the environment names another (tests).
void* opened(const char* variable, std::initializer_list<const char*> names) {
    if (const char* given = std::getenv(variable)) {
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    }
    for (const char* name : names) {
        if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
            return library;
        }
    }
    return nullptr;
}

template <typename Function>
bool found(void* library, const char* name, Function& function) {
    function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace

bool GpuLibraries::open(std::string& why) {
    void* const cuda =
        opened("RIDGELINE_CUDART",
               {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so"});
    if (!(found(cuda, "cudaGetDeviceCount", device_count) &&
          found(cuda, "cudaSetDevice", set_device) && found(cuda, "cudaMalloc", allocate) &&
          found(cuda, "cudaFree", release) && found(cuda, "cudaMemcpy", copy) &&
          found(cuda, "cudaMemset", fill) && found(cuda, "cudaStreamCreate", make_stream) &&
          found(cuda, "cudaStreamSynchronize", wait) &&
          found(cuda, "cudaGetErrorString", cuda_error))) {
        why = "the CUDA runtime (libcudart.so) is not installed or not on the library path";
        return false;
    }
    void* const nccl = opened("RIDGELINE_NCCL", {"libnccl.so.2", "libnccl.so"});
    if (!(found(nccl, "ncclGetVersion", version) && found(nccl, "ncclGetUniqueId", unique_id) &&
          found(nccl, "ncclCommInitRank", join) && found(nccl, "ncclCommDestroy", leave) &&
          found(nccl, "ncclAllReduce", all_reduce) && found(nccl, "ncclAllGather", all_gather) &&
          found(nccl, "ncclReduceScatter", reduce_scatter) && found(nccl, "ncclSend", send) &&
          found(nccl, "ncclRecv", receive) && found(nccl, "ncclGroupStart", begin_group) &&
          found(nccl, "ncclGroupEnd", end_group) &&
          found(nccl, "ncclGetErrorString", nccl_error))) {
        why = "NCCL (libnccl.so.2) is not installed or not on the library path";
        return false;
    }
    void* const blas =
        opened("RIDGELINE_CUBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
    if (!(found(blas, "cublasCreate_v2", make_blas) &&
          found(blas, "cublasSetStream_v2", blas_stream) && found(blas, "cublasGemmEx", gemm))) {
        gemm = nullptr;
    }
    return true;
}

}  // namespace probes
