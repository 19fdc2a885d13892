#pragma once

#include "spec/calibration.h"

#include <cmath>

namespace ridgeline {

/// How the latency between domains grows from two of them: trees in their depth, rings and pairwise
/// exchanges in their length.
inline double latency_growth(Collective operation, double domains) {
    switch (operation) {
        case Collective::all_reduce:
            return std::log2(domains);
        case Collective::point_to_point:
            return 1;
        default:
            return domains - 1;
    }
}

}  // namespace ridgeline
