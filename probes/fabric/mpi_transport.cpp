#include "probes/cpu/blocked_product.h"
#include "probes/fabric/transport.h"

#include <mpi.h>
#include <thread>

namespace probes {
namespace {

class MpiTransport final : public Transport {
public:
    explicit MpiTransport(const Ring& ring) : ring_(ring) {}

    [[nodiscard]] std::string library() const override {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
        int length = 0;
        MPI_Get_library_version(text, &length);
        const std::string version(text);
        return version.substr(0, version.find(','));
    }
    [[nodiscard]] const char* place() const override { return "host"; }

    void allocate(std::size_t most) override {
        send_.assign(most, share_of(ring_.rank));
        receive_.assign(most, 0);
    }

    void start(Operation operation, std::size_t count) override {
        const int all = static_cast<int>(count);
        const int piece = all / ring_.ranks;
        float* const from = send_.data();
        float* const to = receive_.data();
        switch (operation) {
            case Operation::all_reduce:
                MPI_Allreduce(from, to, all, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                return;
            case Operation::all_gather:
                MPI_Allgather(from, piece, MPI_FLOAT, to, piece, MPI_FLOAT, MPI_COMM_WORLD);
                return;
            case Operation::reduce_scatter:
                MPI_Reduce_scatter_block(from, to, piece, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                return;
            case Operation::all_to_all:
                MPI_Alltoall(from, piece, MPI_FLOAT, to, piece, MPI_FLOAT, MPI_COMM_WORLD);
                return;
            case Operation::point_to_point:
                ping_pong(all);
        }
    }
    void finish() override {}

    [[nodiscard]] std::vector<float> received(std::size_t count) override {
        return {receive_.begin(), receive_.begin() + static_cast<std::ptrdiff_t>(count)};
    }

    void set_product(int edge) override {
        edge_ = edge;
        const auto elements = static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
        left_.assign(elements, 0.5F);
        right_.assign(elements, 0.25F);
        result_.assign(elements, 0);
    }
    void start_product() override {
        worker_ = std::thread([this] {
            blocked_product(1, edge_, edge_, edge_, left_.data(), right_.data(), result_.data());
        });
    }
    void finish_product() override { worker_.join(); }

private:
    void ping_pong(int length) {
        const int peer = peer_of(ring_);
        if (peer < 0) {
            return;
        }
        const auto send = [&] {
            MPI_Send(send_.data(), length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD);
        };
        const auto receive = [&] {
            MPI_Recv(
                receive_.data(), length, MPI_FLOAT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
    std::vector<float> send_, receive_;
    std::vector<float> left_, right_, result_;
    int edge_ = 0;
    std::thread worker_;
};

}  // namespace

const char* name_of(Operation operation) {
    constexpr const char* names[] = {
        "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "point_to_point"};
    return names[static_cast<int>(operation)];
}

int peer_of(const Ring& ring) {
    const int peer = ring.rank % 2 == 0 ? ring.rank + 1 : ring.rank - 1;
    return peer < ring.ranks ? peer : -1;
}

float share_of(int rank) {
    return static_cast<float>(rank + 1);
}

std::unique_ptr<Transport> mpi_transport(const Ring& ring) {
    return std::make_unique<MpiTransport>(ring);
}

}  // namespace probes
