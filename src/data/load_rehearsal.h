#pragma once

#include "base/result.h"
#include "spec/rehearsal.h"

#include <filesystem>

namespace ridgeline {

/// Reads what the processes of one pass wrote into its folder: `<process>.json`, `problems.jsonl` and
/// `notes`. A process that ended without writing leaves nothing, which is no error.
///
/// errors  a file that is there and cannot be read as what it should be
Result<RehearsedPass> load_rehearsed_pass(const std::filesystem::path& folder);

}  // namespace ridgeline
