#include "probes/fabric/gpu_libraries.h"
#include "probes/fabric/transport.h"

#include <mpi.h>
#include <stdexcept>

namespace probes {
namespace {

class NcclTransport final : public Transport {
public:
    NcclTransport(const Ring& ring, const GpuLibraries& gpu) : ring_(ring), gpu_(gpu) {
        cuda(gpu_.make_stream(&stream_), "stream");
        GpuLibraries::UniqueId id{};
        if (ring_.rank == 0) {
            nccl(gpu_.unique_id(&id), "unique id");
        }
        MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
        nccl(gpu_.join(&ranks_, ring_.ranks, id, ring_.rank), "communicator");
    }
    NcclTransport(const NcclTransport&) = delete;
    NcclTransport& operator=(const NcclTransport&) = delete;
    ~NcclTransport() override {
        gpu_.leave(ranks_);
        for (void* memory : {send_, receive_, left_, right_, result_}) {
            gpu_.release(memory);
        }
    }

    [[nodiscard]] std::string library() const override {
        int version = 0;
        gpu_.version(&version);
        return "NCCL " + std::to_string(version / 10000) + "." +
               std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
    }
    [[nodiscard]] const char* place() const override { return "GPU"; }

    void allocate(std::size_t most) override {
        const std::vector<float> mine(most, share_of(ring_.rank));
        cuda(gpu_.allocate(&send_, most * sizeof(float)), "memory");
        cuda(gpu_.allocate(&receive_, most * sizeof(float)), "memory");
        cuda(gpu_.copy(send_, mine.data(), most * sizeof(float), GpuLibraries::to_device), "copy");
    }

    void start(Operation operation, std::size_t count) override {
        const std::size_t piece = count / static_cast<std::size_t>(ring_.ranks);
        constexpr int type = GpuLibraries::float32;
        constexpr int sum = GpuLibraries::sum;
        switch (operation) {
            case Operation::all_reduce:
                nccl(gpu_.all_reduce(send_, receive_, count, type, sum, ranks_, stream_),
                     "all_reduce");
                return;
            case Operation::all_gather:
                nccl(gpu_.all_gather(send_, receive_, piece, type, ranks_, stream_), "all_gather");
                return;
            case Operation::reduce_scatter:
                nccl(gpu_.reduce_scatter(send_, receive_, piece, type, sum, ranks_, stream_),
                     "reduce_scatter");
                return;
            case Operation::all_to_all:
                exchange(piece);
                return;
            case Operation::point_to_point:
                ping_pong(count);
        }
    }
    void finish() override { cuda(gpu_.wait(stream_), "synchronize"); }

    [[nodiscard]] std::vector<float> received(std::size_t count) override {
        std::vector<float> values(count);
        cuda(gpu_.copy(values.data(), receive_, count * sizeof(float), GpuLibraries::to_host),
             "copy");
        return values;
    }

    void set_product(int edge) override {
        if (gpu_.gemm == nullptr) {
            throw std::runtime_error("cuBLAS (libcublas.so) is not installed");
        }
        edge_ = edge;
        const std::size_t bytes =
            2 * static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
        for (void** memory : {&left_, &right_, &result_}) {
            cuda(gpu_.allocate(memory, bytes), "memory");
            // 0x3d3d is 0.046 in bf16: values that a sum of thousands keeps in range.
            cuda(gpu_.fill(*memory, 0x3d, bytes), "fill");
        }
        cuda(gpu_.make_stream(&product_stream_), "stream");
        if (gpu_.make_blas(&blas_) != 0 || gpu_.blas_stream(blas_, product_stream_) != 0) {
            throw std::runtime_error("cuBLAS could not be started");
        }
    }
    void start_product() override {
        const float one = 1;
        const float zero = 0;
        constexpr int bf16 = GpuLibraries::real_bf16;
        const int n = edge_;
        if (gpu_.gemm(blas_,
                      0,
                      0,
                      n,
                      n,
                      n,
                      &one,
                      left_,
                      bf16,
                      n,
                      right_,
                      bf16,
                      n,
                      &zero,
                      result_,
                      bf16,
                      n,
                      GpuLibraries::compute_fp32,
                      GpuLibraries::default_gemm) != 0) {
            throw std::runtime_error("the matrix product failed");
        }
    }
    void finish_product() override { cuda(gpu_.wait(product_stream_), "synchronize"); }

private:
    void cuda(int status, const char* what) const {
        if (status != 0) {
            throw std::runtime_error(std::string(what) + ": " + gpu_.cuda_error(status));
        }
    }
    void nccl(int status, const char* what) const {
        if (status != 0) {
            throw std::runtime_error(std::string(what) + ": " + gpu_.nccl_error(status));
        }
    }

    void exchange(std::size_t piece) {
        nccl(gpu_.begin_group(), "all_to_all");
        for (int peer = 0; peer < ring_.ranks; ++peer) {
            const std::size_t at = static_cast<std::size_t>(peer) * piece;
            float* const from = static_cast<float*>(send_) + at;
            float* const to = static_cast<float*>(receive_) + at;
            constexpr int type = GpuLibraries::float32;
            nccl(gpu_.send(from, piece, type, peer, ranks_, stream_), "all_to_all");
            nccl(gpu_.receive(to, piece, type, peer, ranks_, stream_), "all_to_all");
        }
        nccl(gpu_.end_group(), "all_to_all");
    }

    void ping_pong(std::size_t count) {
        const int peer = peer_of(ring_);
        if (peer < 0) {
            return;
        }
        const auto send = [&] {
            nccl(gpu_.send(send_, count, GpuLibraries::float32, peer, ranks_, stream_), "send");
        };
        const auto receive = [&] {
            nccl(gpu_.receive(receive_, count, GpuLibraries::float32, peer, ranks_, stream_),
                 "receive");
        };
        if (ring_.rank % 2 == 0) {
            send();
            receive();
        } else {
            receive();
            send();
        }
    }

    Ring ring_;
    GpuLibraries gpu_;
    void* stream_ = nullptr;
    void* product_stream_ = nullptr;
    void* ranks_ = nullptr;
    void* blas_ = nullptr;
    void* send_ = nullptr;
    void* receive_ = nullptr;
    void* left_ = nullptr;
    void* right_ = nullptr;
    void* result_ = nullptr;
    int edge_ = 0;
};

}  // namespace

std::unique_ptr<Transport> nccl_transport(const Ring& ring, std::string& why) {
    GpuLibraries gpu;
    if (!gpu.open(why)) {
        return nullptr;
    }
    int devices = 0;
    if (const int status = gpu.device_count(&devices); status != 0 || devices == 0) {
        why = std::string("no GPU can be used: ") +
              (status != 0 ? gpu.cuda_error(status) : "none is there");
        return nullptr;
    }
    // An engine that shows each rank its own device shows one; else the ranks of a node share them.
    if (devices > 1 && ring.rank_on_node >= devices) {
        why = "found " + std::to_string(devices) + " GPUs, expected one for each rank of a node";
        return nullptr;
    }
    if (const int status = gpu.set_device(devices == 1 ? 0 : ring.rank_on_node); status != 0) {
        why = std::string("the GPU cannot be used: ") + gpu.cuda_error(status);
        return nullptr;
    }
    return std::make_unique<NcclTransport>(ring, gpu);
}

}  // namespace probes
