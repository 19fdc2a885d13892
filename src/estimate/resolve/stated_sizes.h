#pragma once

#include "base/result.h"
#include "spec/workload_document.h"

namespace ridgeline {

/// Whether the model can be cut into as many parts as a document states, whatever the others are: its
/// heads by tensor, its layers by pipeline parallelism. errors  the field, its value, the nearest legal one
Result<void> check_stated_sizes(const Architecture& architecture, const WorkloadDocument& document);

}  // namespace ridgeline
