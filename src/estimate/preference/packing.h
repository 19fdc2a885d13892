#pragma once

#include "spec/workload.h"

namespace ridgeline {

/// The batch of one optimizer step as it passes where sequences are packed. A micro-batch takes as
/// many answers as fit into its tokens, micro x sequence_length: at least one, and never two that
/// are longer than half of them. It then has their tokens, or where a pipeline passes it on, which
/// needs one size for all, as many as it may have. The batch comes back with so many micro-batches
/// of sequences of the mean length.
///
/// samples: answers of a step over all data-parallel ranks, above 0.
Workload packed_batch(const Workload& workload, double samples);

}  // namespace ridgeline
