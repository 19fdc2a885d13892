#pragma once

#include "base/result.h"
#include "spec/workload_document.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace ridgeline {

/// A workload document that is part of a parsed one. Strict: unknown keys are errors. `where` names
/// it in errors, `folder` is what a relative `hf_config` path starts from.
Result<WorkloadDocument> workload_from_value(const nlohmann::json& value,
                                             const std::string& where,
                                             const std::filesystem::path& folder);

}  // namespace ridgeline
