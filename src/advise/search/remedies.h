#pragma once

#include "advise/advice.h"

#include <functional>
#include <optional>
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
/// What a workload comes to with a change: itself changed, or asked for anew with the flags. Empty:
/// it cannot be asked for.
using Reestimate =
    std::function<std::optional<Estimate>(const Workload& changed, const std::string& flags)>;

/// Every change that would help, best first. Where none alone makes a workload fit that does not,
/// the first is the combination that does, found step by step; none when six changes do not
/// suffice.
///
/// before  what it comes to as it stands
std::vector<Remedy> remedies(const EstimateInput& input, const Estimate& before,
                             const Reestimate& changed);
/// The same with everything else of the workload as it stands, its plan too.
std::vector<Remedy> remedies(const EstimateInput& input);

struct Search;

/// Changes that would make a rejected cluster run the question, each re-estimated; shortest first.
///
/// first_alone  only the first of them
std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection,
                                      bool first_alone);

}  // namespace ridgeline
