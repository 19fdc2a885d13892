#pragma once

#include "estimate/estimate.h"
#include "estimate/operator.h"
#include "estimate/roofline.h"

#include <array>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One operator as a fold timed it: work and time of one rank.
struct TimedOperator {
    std::string_view block;  ///< "layer", "head", ...
    std::string_view name;   ///< "q_proj", "attention", ...
    std::string_view phase;  ///< "forward", "backward", "recompute", "prompt", "decode", ...
    OperatorClass operator_class = OperatorClass::streaming;
    ComputeType type = ComputeType::bf16;
    double flops = 0;
    double bytes = 0;
    double seconds = 0;
    Bound bound = Bound::memory;
    double repeat = 1;  ///< times that it runs in a step

    /// FLOPs a byte, the abscissa of a roofline chart.
    [[nodiscard]] double intensity() const { return bytes > 0 ? flops / bytes : 0; }
};

/// Where the operators are written down by a fold that is asked to; null: nowhere.
using OperatorLog = std::vector<TimedOperator>;

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
