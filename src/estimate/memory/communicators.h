#pragma once

#include "estimate/input.h"

namespace ridgeline {

/// What the ranks of a plan exchange by, of which NCCL holds buffers on each of them.
struct Communicators {
    int groups = 0;  ///< that reduce, gather or scatter, each with channels of its own
    int peers = 0;   ///< of the same node that a rank sends to and receives from one by one
    friend bool operator==(const Communicators&, const Communicators&) = default;
};

/// Each group of ranks (tensor, context, data parallel, shards within it, experts) is a
/// communicator of its own, which takes memory when it is first used (NVIDIA/nccl #864, #986);
/// where there are several, norms and losses are summed over one more. Neighbours in a pipeline and
/// ranks that exchange experts' tokens have connections one to one (#1685). Replicas of a served
/// model exchange nothing, and engines are taken to have one communicator.
Communicators communicators(const Workload& workload, const Cluster& cluster, const Plan& plan);

/// Memory of their buffers on a rank, bytes.
double communication_bytes(const EstimateInput& input, const Plan& plan);

}  // namespace ridgeline
