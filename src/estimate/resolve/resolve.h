#pragma once

#include "base/result.h"
#include "spec/architecture.h"
#include "spec/machine.h"
#include "spec/software_profile.h"
#include "spec/workload_document.h"

#include <vector>

namespace ridgeline {

/// Tokens of a sequence where nobody says: of pretraining and of a service, and of fine-tuning.
inline constexpr int usual_sequence_length = 4096;
inline constexpr int usual_tuning_sequence = 2048;

/// A workload with every choice made, and the list of what was filled in.
struct ResolvedWorkload {
    Workload workload;
    std::vector<FilledDefault> defaults;
};

/// Fills what the document leaves unsaid from the software profile (and, where that is silent, from
/// Ridgeline's own defaults), expands "all-linear", and derives the data-parallel size and the
/// global batch when they are not stated.
///
/// errors  contradictions: qlora without a quantisation, lora keys with method full, ranks that do
///         not multiply to the accelerators, a context longer than the model's positions is a
///         finding, not an error
Result<ResolvedWorkload> resolve(const WorkloadDocument& document, const Architecture& architecture,
                                 const SoftwareProfile& software, int accelerators);

}  // namespace ridgeline
