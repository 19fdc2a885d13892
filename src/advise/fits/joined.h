#pragma once

#include "advise/answers/answer.h"

#include <string>

namespace ridgeline {

/// What cards of several kinds hold and take together under llama.cpp, which parts the layers of
/// one model by the memory of each.
struct Joint {
    double capacity_gib = 0;
    AnswerNeeds needs;
    double rate = 0, rate_low = 0, rate_high = 0;  ///< tokens/s of one request
    std::string cards;                             ///< "1 x RTX 3090 and 1 x RTX 3060"
    std::string shares;                            ///< "22.5 of 23.7 GiB on the RTX 3090, ..."
    std::string verdict;
    bool fits_one = false;  ///< one of the cards holds it alone
};

/// The cards of `reading.joined`; empty: one is not known or does not run it.
std::optional<Joint> joint_of(const Reading& reading, const WorkloadDocument& document,
                              const Architecture& architecture, const AnswerTools& tools);

}  // namespace ridgeline
