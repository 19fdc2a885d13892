#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/program.h"

namespace ridgeline {

/// Time of a program: each operator by the roofline of its class, kernels that a host launches one
/// by one no faster than the host can, the exchange of gradients beside the backward pass, and the
/// optimizer. Training: one optimizer step. Inference: one batch on each rank.
///
/// held  of answers: what waits on the host and what of it each pass reads
TimeEstimate program_time(const EstimateInput& input, const Program& program,
                          const MemoryEstimate& held);

}  // namespace ridgeline
