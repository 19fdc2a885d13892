#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

#include <span>

namespace ridgeline {

/// Time to first token, time per output token and throughput of a served model, by folding the
/// operator list of a decode step and of a prompt.
///
/// One decode step streams the weights that its batch touches and the cache once, and pays the
/// fixed time of each kernel; a prompt is bound by compute. Under concurrency (closed loop,
/// continuous batching) each request's decode also waits for the prompts of the others, and the
/// first token waits in the burst in which a benchmark starts. More sequences than the cache holds
/// wait.
///
/// Precondition: check_plan passed and the task is inference.
TimeEstimate inference_time(const EstimateInput& input);

struct PreparedPass;
/// The same, taking passes that were prepared before where they are the ones wanted.
TimeEstimate inference_time(const EstimateInput& input, std::span<const PreparedPass> prepared);

}  // namespace ridgeline
