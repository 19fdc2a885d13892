#pragma once

#include "advise/search/search.h"

#include <optional>

namespace ridgeline {

/// Of all legal plans of the first suitable stack
/// the one that needs least memory (trained transformers: as the search found it; others:
/// micro-batch 1, sharded, recomputed in full), for near misses. Nothing when no plan is legal.
struct ThriftyPlan {
    Workload workload;
    Cluster cluster;
    const SoftwareProfile* software = nullptr;
};
std::optional<ThriftyPlan> thrifty_plan(const Search& search, const Candidate& candidate,
                                        int count);

/// The same rejection with the shortfall of the thriftiest plan instead of that of a bound.
Rejection measured_rejection(const Search& search, const Rejection& rejection);

}  // namespace ridgeline
