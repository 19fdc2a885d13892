#pragma once

#include "advise/placement/placement.h"
#include "advise/search/remedies.h"
#include "ask/world.h"
#include "spec/workload_document.h"

#include <vector>

namespace ridgeline::ask {

/// Changes that would help a placed workload, best first: each is what `estimate` answers where its
/// flags are added, so that the plan is chosen anew where the document leaves it open.
///
/// errors  the framework is unknown
Result<std::vector<Remedy>> remedies_of(const World& world, const WorkloadDocument& document,
                                        const Placement& placed);

/// Hardware that would hold what does not fit: the fewest more accelerators of the same part, twice
/// as many at a time, and the cheapest rented part with the memory in the same number. Empty where
/// it fits.
std::vector<Remedy> hardware_remedies(const World& world, const WorkloadDocument& document,
                                      const Placement& placed);

}  // namespace ridgeline::ask
