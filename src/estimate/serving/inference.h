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
/// first token waits in the burst in which a benchmark starts. Of more sequences than the cache
/// holds each waits for its turn, which comes as fast as requests end: the requests in flight are
/// the rate times what one takes (Little 1961).
///
/// Precondition: check_plan passed and the task is inference.
TimeEstimate inference_time(const EstimateInput& input);

/// Sequences of one replica that decode together in a closed loop: those that come, or as many as
/// its cache holds in all stages of their answers.
double running_together(const EstimateInput& input);

struct PreparedPass;
struct ServedPass;

/// Tokens that one step of speculative decoding yields a request: the expected length of the
/// accepted run, and the token of the step itself (Leviathan et al. 2023, equation 1).
double speculated_tokens(const Serving& serving);
/// Seconds of proposing the tokens of a step, `plain` being the step of the model itself.
double draft_time(const EstimateInput& input, const Serving& serving, const ServedPass& plain);

/// The same, taking passes that were prepared before where they are the ones wanted.
TimeEstimate inference_time(const EstimateInput& input, std::span<const PreparedPass> prepared);

}  // namespace ridgeline
