#pragma once

#include "estimate/work/script.h"

#include <utility>
#include <vector>

namespace ridgeline {

/// Sizes of the flat copies in which torch.distributed sends tensors of one type to the other
/// ranks; a tensor that fills a bucket alone is sent as it is.
///
/// tensors  bytes of each, in their order
std::vector<double> broadcast_copies(const std::vector<double>& tensors);

/// Sizes of the buckets in which DistributedDataParallel reduces gradients: the first closes at
/// 1 MiB, each other one at 25 (torch reducer.cpp, bucket_cap_mb).
///
/// gradients  bytes of each, in the order in which they are there
std::vector<double> gradient_buckets(const std::vector<double>& gradients);

/// What DistributedDataParallel takes of the allocator around a module.
class DistributedGradients {
public:
    /// gradients     bytes of each, in the order in which they are there
    /// finds_unused  parameters without a gradient are looked for (find_unused_parameters)
    DistributedGradients(std::vector<double> gradients, bool finds_unused)
        : gradients_(std::move(gradients)), finds_unused_(finds_unused) {}

    /// Copies of the module's tensors on their way to the other ranks, two at a time, then one
    /// bucket for all gradients, or those that stay where unused ones are looked for.
    ///
    /// types  bytes of the module's tensors, a list for each of their types
    void wrap(ScriptWriter& writer, const std::vector<std::vector<double>>& types);
    /// The bucket gives way to those of the order that the first step has shown (reducer.cpp,
    /// rebuild_buckets), when the second begins.
    void rebuild(ScriptWriter& writer);

private:
    void take_buckets(ScriptWriter& writer) const;

    std::vector<double> gradients_;
    bool finds_unused_;
    TensorId whole_ = nothing;
};

}  // namespace ridgeline
