#pragma once

#include "estimate/input.h"
#include "estimate/work/program.h"

namespace ridgeline {

/// What a pass adds whose tokens several ranks share (`Plan::token_ranks`).
struct SharedPass {
    double waits = 0;     ///< seconds of exchanges that no kernel hides
    double device = 0;    ///< seconds of copies around them and of sums of partial results
    double launches = 0;  ///< of both, which a compiler leaves alone
};

/// Sums over the attentions of a pass, by `Plan::split`: an all-to-all of each of queries, keys,
/// values and results (Ulysses, arXiv 2309.14509); keys and values that go around while a part of
/// the attention runs (ring attention, arXiv 2310.01889); outputs handed to the next stage
/// (PipeFusion, arXiv 2405.14430).
SharedPass shared_pass(const EstimateInput& input, const SubModel& model);

}  // namespace ridgeline
