#pragma once

#include <vector>

#include "estimate/estimate.h"

namespace ridgeline {

/// Tensors alive at the instants of the worst pipeline stage of a training step.
struct TrainingPeak {
    std::vector<Instant> instants;
    std::size_t index = 0;  ///< of the highest instant
    int stage = 0;
    Bytes total;
    Bytes gather_pool;  ///< most that the pool of the gathering stream holds at any moment
};
TrainingPeak training_peak(const EstimateInput& input);

/// The same for inference: load, prefill and decode with the cache at full concurrency.
struct InferencePeak {
    std::vector<Instant> instants;
    std::size_t index = 0;
    Bytes total;
    double kv_capacity_tokens = 0;
};
InferencePeak inference_peak(const EstimateInput& input);

}  // namespace ridgeline
