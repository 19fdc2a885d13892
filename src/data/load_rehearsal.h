#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/rehearsal.h"

#include <filesystem>

namespace ridgeline {

/// Reads what the processes of one pass wrote into its folder: `<process>.json`, `problems.jsonl`
/// and `notes`. A process that ended without writing leaves nothing, which is no error.
///
/// errors  a file that is there and cannot be read as what it should be
Result<RehearsedPass> load_rehearsed_pass(const std::filesystem::path& folder);

/// The memory of the first card of a kept answer (`rehearse --json`).
///
/// errors  not such an answer, a figure out of range
Result<RehearsedMemory> load_rehearsed_memory(const TreePath& file);

}  // namespace ridgeline
