#pragma once

#include "estimate/work/program.h"

#include <vector>

namespace ridgeline {

/// Bytes that a parameter takes while its gradient is made.
struct GradientTypes {
    double stored = 4;  ///< of the gradient that stays
    double made = 0;    ///< of one in the products' type that is cast to it (autocast); 0: none
    double copied = 0;  ///< of the weight's copy that autocast made, free once its gradient is there
};

/// What is alive beside weights, kept maps and gradients of weights.
struct PassingMaps {
    double forward = 0;            ///< at the highest instant of the forward pass
    std::vector<double> backward;  ///< at the highest instant of each block's backward pass, over
                                   ///< all that its forward pass kept and its weights' gradients
};

/// Follows the gradients of the maps through one backward pass as autograd makes and frees them.
PassingMaps passing_maps(const SubModel& model, const GradientTypes& types);

}  // namespace ridgeline
