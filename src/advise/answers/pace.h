// Times and rates that a question asks for, held against those of a placement.
#pragma once

#include "advise/advice.h"
#include "advise/placement/placement.h"

#include <string>

namespace ridgeline {

/// A time or a rate that was asked for, and what is reached of it.
struct Pace {
    std::string words;
    std::string missed;   ///< those of the words that tell of what is not reached
    bool middle = true;   ///< reached in the middle of the range
    bool at_best = true;  ///< reached at its good end at least
    bool bears = true;    ///< false: more comes in than even the good end gets through
};

Pace pace_of(const Placement& placement, const Query& query);

/// Requests or samples a second at the slow end of the range: what is surely served.
double surely_served(const TimeEstimate& time);

}  // namespace ridgeline
