#pragma once

#include "base/dtype.h"
#include "estimate/results.h"
#include "spec/calibration.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// One operator as a fold timed it: work and time of one rank.
struct TimedOperator {
    std::string_view block;  ///< "layer", "head", ...
    std::string_view name;   ///< "q_proj", "attention", ...
    int index = 0;           ///< of the operator in its block
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

}  // namespace ridgeline
