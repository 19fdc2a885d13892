#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/time/operator_log.h"

#include <array>
#include <vector>

namespace ridgeline {

/// The dense peak and memory bandwidth that bound a product of one type, before efficiencies.
struct Roof {
    ComputeType type = ComputeType::bf16;
    FlopsPerSecond peak;
    BytesPerSecond bandwidth;
    /// FLOPs a byte from which on the matrix units bound.
    [[nodiscard]] double ridge_point() const { return peak / bandwidth * byte / flop; }
};

/// What a roofline chart draws.
struct OperatorProfile {
    OperatorLog operators;    ///< of one rank, mean over the stages, in the order they run
    std::vector<Roof> roofs;  ///< of the types that the matrix products run in
    std::array<double, 5> bound_share{};  ///< of the step, by Bound; kernels by their own bound
    Seconds step;
};

/// The operators of a training step or of serving (one prompt pass and one decode pass; prompts
/// weigh as often as requests come, decode passes as many as tokens) with the bound of each.
/// Precondition: check_plan passed. Kernel workloads have no operators.
OperatorProfile operator_profile(const EstimateInput& input, const TimeEstimate& time);

}  // namespace ridgeline
