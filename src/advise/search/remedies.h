#pragma once

#include "advise/advice.h"

#include <string>
#include <vector>

namespace ridgeline {

/// A change that would help a workload on given hardware, re-estimated.
struct Remedy {
    std::string change;  ///< "recompute activations fully"
    std::string flags;   ///< how to ask for it
    Estimate before;
    Estimate after;
    bool fits = false;
    int changes = 1;  ///< above 1: several changes together, parted by ";"
};
/// Every change that would help, best first. Where none alone makes a workload fit that does not,
/// the first is the combination that does, found step by step; none when six changes do not
/// suffice.
std::vector<Remedy> remedies(const EstimateInput& input);

struct Search;

/// Changes that would make a rejected cluster run the question, each re-estimated; shortest first.
///
/// first_alone  only the first of them
std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection,
                                      bool first_alone);

}  // namespace ridgeline
