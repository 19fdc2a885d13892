#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/workload.h"

#include <vector>

namespace ridgeline {

/// Reads when requests came and how long they were, in the order of their times, which begin at 0.
///
/// A CSV with a header (columns of time, prompt and output tokens under the names that ShareGPT
/// samples, BurstGPT and Azure's traces use; times in seconds or as dates), or JSON lines of
/// Mooncake (`timestamp` in ms, `input_length`, `output_length`, `hash_ids` of blocks of 512
/// tokens, of which those seen before count as cached). Without times all are 0.
///
/// errors  neither form, a column that is missing, a line that is no request, no request at all
Result<std::vector<TracedRequest>> load_requests(const TreePath& file);

}  // namespace ridgeline
