#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "data/json_tree.h"
#include "spec/workload_document.h"

#include <optional>
#include <string>

namespace ridgeline {

/// A workload document that is part of a parsed one, laid over `base`. Strict: unknown keys are
/// errors. `where` names it in errors, `folder` is what a relative `hf_config` path starts from;
/// without one a path is an error.
Result<WorkloadDocument> workload_from_value(const JsonNode& value, const std::string& where,
                                             const std::optional<TreePath>& folder,
                                             WorkloadDocument base = {});

}  // namespace ridgeline
