#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

#include <vector>

namespace ridgeline {

/// Tensors alive at the instants of a served model: load, prefill and decode with the cache at full
/// concurrency.
struct InferencePeak {
    std::vector<Instant> instants;
    std::size_t index = 0;
    int stage = 0;  ///< of a pipeline, the one that holds most
    Bytes total;
    Bytes weights;
    Bytes cache;                    ///< at full concurrency
    Bytes cache_of_a_sequence;      ///< as long as the workload's
    double sequences_held = 0;      ///< whose cache is counted, on one replica
    double kv_capacity_tokens = 0;  ///< of sequences as long as the workload's
    Bytes cache_room;  ///< that the runtime gives the cache, by its memory fraction; negative:
                       ///< weights alone are too large
    Bytes host;        ///< weights and cache that stay in host memory
    Bytes unclaimed;   ///< that its memory fraction leaves beside what this workload needs
};
InferencePeak inference_peak(const EstimateInput& input);
/// An engine whose cache is what its share of the card leaves lets requests wait for it.
bool requests_may_wait(const EstimateInput& input);
/// The part of it that no accelerator changes: instants, total and host.
InferencePeak serving_tensors(const Architecture& architecture, const Workload& workload,
                              const SoftwareProfile& software);

/// Peak memory of a served model with its counters, range and verdict.
MemoryEstimate estimate_serving_memory(const EstimateInput& input);

}  // namespace ridgeline
