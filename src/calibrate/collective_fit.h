#pragma once

#include "base/result.h"
#include "spec/measurement.h"

#include <span>

namespace ridgeline {

struct CollectiveSample {
    double bus_bytes = 0;  ///< f(ranks) x buffer: what one rank moves
    double buffer = 0;     ///< bytes of the whole buffer, as nccl-tests counts them
    Seconds time;
};

inline constexpr std::size_t fewest_collectives = 5;

/// Fits alpha, beta and gamma of t = alpha + f S / beta + gamma sqrt(S) by the least mean
/// |ln(model / measured)|; each size is held out once. Errors: too few sizes.
Result<FittedCollective> fit_collective(std::span<const CollectiveSample> given,
                                        Collective operation, int ranks, int nodes);

}  // namespace ridgeline
