#pragma once

#include "advise/validation/validate.h"

#include <vector>

namespace ridgeline {

/// A measured training step beside what the model says of it.
struct RankedRun {
    Measurement measurement;
    double predicted = 0;  ///< seconds
};

/// Whether the model puts the faster of two runs first.
struct RankingSummary {
    int works = 0;           ///< with more than one plan or machine
    int pairs = 0;           ///< that differ by more than the least difference
    int right = 0;           ///< of them the faster one is predicted to be faster
    double right_share = 0;  ///< the same, near-duplicates together counting as one pair
};

/// Differences up to this share of the faster run are left out: repetitions of one run differ so.
inline constexpr double least_difference = 0.10;

/// Compares the runs of one work on different plans or machines, each with each. One work is the
/// same model, method, adapter, sequence, samples a step and number types; a plan is its parallel
/// sizes, micro-batch, recomputation and offload; a machine is its part, their number and their
/// links.
RankingSummary ranking_of(const std::vector<RankedRun>& runs);

}  // namespace ridgeline
