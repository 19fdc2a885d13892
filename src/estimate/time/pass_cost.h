#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/program.h"
#include "estimate/work/script.h"

#include <algorithm>

namespace ridgeline {

/// Device and host time of a pass over one network.
struct PassCost {
    double device = 0;         ///< seconds of its kernels, one after another
    double compute_bound = 0;  ///< of them, where the units set the pace
    double kernels = 0;     ///< launches, each as long for the host as that of a pointwise kernel
    double uncompiled = 0;  ///< of them, beside those of `kernels`: what no compiler takes
    double at_peak = 0;     ///< seconds that its operations take at the dense peak
    Tier worst = Tier::measured;

    void operator+=(const PassCost& other) {
        device += other.device;
        compute_bound += other.compute_bound;
        kernels += other.kernels;
        uncompiled += other.uncompiled;
        at_peak += other.at_peak;
        worst = std::max(worst, other.worst);
    }
};

/// One pass over the blocks of a network: each operator by the roofline of its class.
///
/// phase        `again`: the blocks that a checkpoint is around, forward
/// inputs_only  no gradients of the weights
/// ranks        that share the positions of the pass
PassCost pass_cost(const EstimateInput& input, const SubModel& model, Phase phase, bool inputs_only,
                   double ranks = 1);

/// Seconds of one operator of such a pass on the device; as for pass_cost.
Seconds operator_time(const EstimateInput& input, const Operator& op, bool back, bool inputs_only,
                      double ranks = 1);

}  // namespace ridgeline
