#pragma once

#include "estimate/input.h"

namespace ridgeline {

/// Seconds of a round in which weights and states cross the host's link.
struct Handover {
    double states = 0;     ///< the trainer's optimizer states to the host and back, its weights too
    double reference = 0;  ///< the reference comes from the host and the policy back in its place
};

/// What a stack moves whose states or reference wait on the host. Nothing where rollouts have
/// accelerators of their own, but for the reference.
///
/// trainer: of the accelerators that update; all of a node move at once.
Handover handover(const EstimateInput& trainer, bool colocated);

/// New weights to the engine: each tensor is gathered from the trainer's shards and loaded by
/// itself, seconds.
double sync_seconds(const EstimateInput& input);

}  // namespace ridgeline
