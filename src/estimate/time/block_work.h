#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/time/block_time.h"
#include "estimate/time/collective.h"
#include "estimate/work/operator.h"

#include <algorithm>
#include <vector>

namespace ridgeline {

/// Collectives inside some layers for one micro-batch, seconds that stay visible.
struct Exchange {
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double hidden = 0;  ///< runs beside kernels and slows them
    Exchange& operator+=(const Exchange& other);
    friend Exchange operator*(Exchange e, double factor) {
        return {e.tensor * factor, e.context * factor, e.expert * factor, e.hidden * factor};
    }
    [[nodiscard]] double total() const { return tensor + context + expert; }
};

/// Kernels and exchanges of some layers for one micro-batch.
struct Work {
    BlockTime block;
    Exchange exchange;
    double kept = 0;  ///< bytes that its layers keep for the backward pass
    Work& operator+=(const Work& other);
    friend Work operator*(const Work& work, double factor) {
        return {work.block * factor, work.exchange * factor, work.kept * factor};
    }
    [[nodiscard]] double device() const {
        return block.forward.device + block.backward.device + block.recompute.device +
               block.quantize.device + block.dequantize.device;
    }
    [[nodiscard]] double launches() const {
        return block.forward.launches + block.backward.launches + block.recompute.launches +
               block.quantize.launches + block.dequantize.launches;
    }
    /// Device and host together: the host's launches are hidden unless they take longer.
    [[nodiscard]] double seconds(double host_per_launch) const {
        return std::max(device() + exchange.total() + block.held, launches() * host_per_launch);
    }
};

/// Work of each block of the list, once, when its layers recompute in this way; the tier of its
/// collectives is in `block.worst_tier`. Plans that agree in tensor, context, expert and sequence
/// parallelism, in the micro-batch and in the number of micro-batches share it.
///
/// none  the same without recomputation, where that is known: it does not change other blocks than
///       layers
std::vector<Work> works_of(const EstimateInput& input, const LinkModel& links,
                           const OperatorList& list, RecomputeMode recompute,
                           const std::vector<Work>& none = {});

/// Whether the work of a micro-batch depends on how many a step has: low-precision recipes quantise
/// the weights once a step.
bool works_follow_step(const Workload& workload);

}  // namespace ridgeline
