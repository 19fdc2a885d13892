#pragma once

#include "spec/workload.h"

namespace ridgeline {

/// Layers `begin` <= i < `end` of one model chunk.
struct ChunkLayers {
    int begin = 0;
    int end = 0;
    [[nodiscard]] int count() const { return end - begin; }
};

/// Layers of chunk `chunk` of pipeline x virtual pipeline; stage s runs the chunks s, s + p, ...
/// Equal shares where the layers divide; where layers + 2 divide, the first and the last chunk hold
/// one layer less (Megatron can count embedding and loss as layers); else the first chunks hold one
/// layer more.
ChunkLayers chunk_layers(int layers, const Plan& plan, int chunk);

/// Micro-batches of one optimizer step on one data-parallel rank.
double micro_batches(const Workload& workload);

/// Time of the passes of one optimizer step under 1F1B or interleaved 1F1B, in the unit of its
/// arguments: the slowest stage works on every micro-batch; filling and draining cost the other
/// stages' time once a chunk.
///
/// slowest  one micro-batch, forward and backward, on the slowest stage
/// total    the same summed over all stages
struct PipelineTime {
    double busy = 0;    ///< m x slowest
    double bubble = 0;  ///< (total - slowest) / v: (p - 1) / v x stage when all are equal
};
PipelineTime pipeline_time(double slowest, double total, double micro_batches, const Plan& plan);

}  // namespace ridgeline
