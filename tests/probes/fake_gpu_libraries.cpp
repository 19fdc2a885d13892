#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <thread>
#include <vector>

// A CUDA runtime, NCCL and cuBLAS made of host memory and MPI: the GPU side of the fabric probe
// runs over local ranks of any machine. RIDGELINE_FAKE_GPU=none: no device is there.
// NOLINTBEGIN(readability-identifier-naming): the names are those of the libraries

namespace {

struct UniqueId {
    char bytes[128];
};

constexpr int float32 = 7;
std::vector<MPI_Request> requests;
bool grouped = false;

int add(MPI_Request request) {
    requests.push_back(request);
    if (!grouped) {
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        requests.clear();
    }
    return 0;
}

/// A wrong type or operation shows as an error, as it would in the real library.
int checked(int type, int operation = 0) { return type == float32 && operation == 0 ? 0 : 4; }

}  // namespace

extern "C" {

int cudaGetDeviceCount(int* count) {
    const char* mode = std::getenv("RIDGELINE_FAKE_GPU");
    *count = mode != nullptr && std::strcmp(mode, "none") == 0 ? 0 : 8;
    return 0;
}
int cudaSetDevice(int device) { return device < 8 ? 0 : 101; }
int cudaMalloc(void** memory, std::size_t bytes) {
    *memory = std::malloc(bytes);
    return *memory == nullptr ? 2 : 0;
}
int cudaFree(void* memory) {
    std::free(memory);
    return 0;
}
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int) {
    std::memcpy(to, from, bytes);
    return 0;
}
int cudaMemset(void* memory, int byte, std::size_t bytes) {
    std::memset(memory, byte, bytes);
    return 0;
}
int cudaStreamCreate(void** stream) {
    *stream = nullptr;
    return 0;
}
int cudaStreamSynchronize(void*) { return 0; }
const char* cudaGetErrorString(int) { return "made-up CUDA error"; }

int ncclGetVersion(int* version) {
    *version = 22809;
    return 0;
}
int ncclGetUniqueId(UniqueId* id) {
    std::memset(id->bytes, 7, sizeof(id->bytes));
    return 0;
}
int ncclCommInitRank(void** communicator, int ranks, UniqueId id, int rank) {
    int size = 0;
    int own = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    *communicator = nullptr;
    return size == ranks && own == rank && id.bytes[127] == 7 ? 0 : 4;
}
int ncclCommDestroy(void*) { return 0; }
const char* ncclGetErrorString(int) { return "made-up NCCL error"; }
int ncclAllReduce(const void* from, void* to, std::size_t count, int type, int operation, void*,
                  void*) {
    MPI_Allreduce(from, to, static_cast<int>(count), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return checked(type, operation);
}
int ncclAllGather(const void* from, void* to, std::size_t count, int type, void*, void*) {
    const int piece = static_cast<int>(count);
    MPI_Allgather(from, piece, MPI_FLOAT, to, piece, MPI_FLOAT, MPI_COMM_WORLD);
    return checked(type);
}
int ncclReduceScatter(const void* from, void* to, std::size_t count, int type, int operation, void*,
                      void*) {
    MPI_Reduce_scatter_block(from, to, static_cast<int>(count), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return checked(type, operation);
}
int ncclSend(const void* from, std::size_t count, int type, int peer, void*, void*) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(from, static_cast<int>(count), MPI_FLOAT, peer, 1, MPI_COMM_WORLD, &request);
    return add(request) + checked(type);
}
int ncclRecv(void* to, std::size_t count, int type, int peer, void*, void*) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(to, static_cast<int>(count), MPI_FLOAT, peer, 1, MPI_COMM_WORLD, &request);
    return add(request) + checked(type);
}
int ncclGroupStart() {
    grouped = true;
    return 0;
}
int ncclGroupEnd() {
    grouped = false;
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
    return 0;
}

int cublasCreate_v2(void** handle) {
    *handle = nullptr;
    return 0;
}
int cublasSetStream_v2(void*, void*) { return 0; }
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int left, int,
                 const void*, int right, int, const void*, void*, int result, int, int compute,
                 int) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return left == 14 && right == 14 && result == 14 && compute == 68 ? 0 : 7;
}

}  // extern "C"

// NOLINTEND(readability-identifier-naming)
