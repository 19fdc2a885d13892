#pragma once

#include "estimate/memory/training_peak.h"

namespace ridgeline {

/// The row of a part's own context, else of its vendor's, else of any part's; null: there is none.
const ContextCalibration* context_of(const Calibration& calibration,
                                     const Accelerator& accelerator);

/// What a process holds beside its tensors, bytes; the same for every plan of a run but for the
/// buffers of its communicators.
struct OutsideTensors {
    double library = 0;   ///< workspace that the allocator counts
    double context = 0;   ///< context and communication buffers
    double capacity = 0;  ///< of the accelerator
    double host = 0;      ///< memory of a node's host; 0: unknown, nothing is refused
};
OutsideTensors outside_tensors(const EstimateInput& input);
/// Factors on the process counter.
Interval process_band(const EstimateInput& input);
/// Shares of what comes and goes that the allocator holds beyond it.
Fragmentation fragmentation_of(const EstimateInput& input);
/// Layers with experts are computed again, and their own share is known.
bool fragments_experts(const EstimateInput& input);
/// The process counter of a peak: it fits when this is at most the capacity.
double process_bytes(PeakTotals peak, const OutsideTensors& outside);

/// The instants of a peak, which are moved out of it, and what lies in the host's memory.
MemoryEstimate at_peak(const EstimateInput& input, const MemoryStages& stages, TrainingPeak& peak);

/// estimate_memory of a training run whose stages are known.
MemoryEstimate estimate_training_memory(const EstimateInput& input, const MemoryStages& stages);

/// From tensors alive (`instants`, `allocated`) to the counters, the ranges and the verdict.
///
/// gather_pool  bytes of FSDP's gathering stream at its highest
/// replayed     what the allocator held, by pool, where the run was replayed; 0: a share
/// library      share of the workspaces of both passes that the run takes
/// emptied      an instant before which the allocator gives back all that it does not use
MemoryEstimate counted(MemoryEstimate memory, const EstimateInput& input, double gather_pool = 0,
                       PoolBytes replayed = {}, double library = 1,
                       const std::optional<Instant>& emptied = {});

}  // namespace ridgeline
