#pragma once

#include "spec/workload.h"
#include "spec/workload_document.h"

#include <string_view>

namespace ridgeline {

/// From so many tokens on a run of all weights counts as one from scratch.
inline constexpr double least_pretraining_tokens = 5e9;

bool is_pretraining(const WorkloadDocument& document);
bool is_pretraining(const Workload& workload);

/// Samples a step, the nearest power of two to the tokens that train best: 0.58 x D^0.571 of a run
/// of D tokens, a fit over 3,700 models (Li et al. 2025, "Step Law", arXiv 2503.04715). 1 T tokens:
/// 4 M, as Llama; 15 T: 19 M, of which Llama 3 405B took 16 M. Precondition: `is_pretraining`.
int pretraining_batch(const WorkloadDocument& document);
inline constexpr std::string_view pretraining_batch_source =
    "0.58 x tokens^0.571 tokens a step (Step Law, arXiv 2503.04715)";

}  // namespace ridgeline
