#pragma once

#include "spec/catalog.h"
#include "spec/workload_document.h"

#include <vector>

namespace ridgeline {

/// Stacks over the usual one for one card that make the loss in pieces, so that the logits are
/// never whole: for tuning that the usual stack has no room for. Empty where the document names a
/// stack or no training.
std::vector<const SoftwareProfile*> lean_stacks(const Profiles& profiles,
                                                const WorkloadDocument& document);

}  // namespace ridgeline
