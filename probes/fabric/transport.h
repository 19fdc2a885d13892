#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace probes {

/// The ranks of the job, and how they lie on its nodes.
struct Ring {
    int rank = 0;
    int ranks = 1;
    int nodes = 1;
    int rank_on_node = 0;
};

enum class Operation { all_reduce, all_gather, reduce_scatter, all_to_all, point_to_point };
const char* name_of(Operation operation);
inline constexpr Operation operations[] = {Operation::all_reduce,
                                           Operation::all_gather,
                                           Operation::reduce_scatter,
                                           Operation::all_to_all,
                                           Operation::point_to_point};

/// Who a rank talks to in `point_to_point`: its neighbour; -1: nobody.
int peer_of(const Ring& ring);

/// What every rank sends: a number that tells who it was.
float share_of(int rank);

/// Moves buffers of floats between the ranks. The whole buffer has `count` elements, a multiple of
/// the ranks, counted as nccl-tests counts it. Failures are exceptions.
class Transport {
public:
    virtual ~Transport() = default;
    /// "Open MPI v4.1.4", "NCCL 2.28.9".
    [[nodiscard]] virtual std::string library() const = 0;
    /// "host" or "GPU".
    [[nodiscard]] virtual const char* place() const = 0;
    /// Buffers of `most` floats: what is sent holds share_of(rank).
    virtual void allocate(std::size_t most) = 0;
    /// Starts an operation; `finish` waits for it. The two together are what is timed.
    virtual void start(Operation operation, std::size_t count) = 0;
    virtual void finish() = 0;
    /// The first elements of what came.
    [[nodiscard]] virtual std::vector<float> received(std::size_t count) = 0;
    /// A matrix product beside which operations run; its edge is chosen by `set_product`.
    virtual void set_product(int edge) = 0;
    virtual void start_product() = 0;
    virtual void finish_product() = 0;
};

/// Buffers in host memory, MPI itself.
std::unique_ptr<Transport> mpi_transport(const Ring& ring);
/// Buffers on the GPUs, NCCL, with MPI to bring the ranks together. Null where a library or a
/// device is missing; `why` says which. Libraries are opened when asked for; none is linked.
std::unique_ptr<Transport> nccl_transport(const Ring& ring, std::string& why);

}  // namespace probes
