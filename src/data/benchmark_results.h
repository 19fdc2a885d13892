#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// What a user says of a run whose output does not.
struct RunLayout {
    std::optional<int> ranks;
    std::optional<int> nodes;
};

/// Points that another tool measured: one run a node where the tool tells nodes apart, else one.
struct BenchmarkResults {
    std::string tool;  ///< "nccl-tests", "STREAM"
    std::vector<MeasuredRun> runs;
    std::vector<std::string> notes;  ///< what was left out, and what to mistrust
};

/// Reads what a tool printed or wrote; which tool it was is told by content: nccl-tests and
/// rccl-tests (text and -J), nvbandwidth (-j), OSU micro-benchmarks, STREAM, BabelStream, fio
/// (JSON), SuperBench (results-summary.jsonl). Nothing when it is none of them.
///
/// errors  a known tool whose figures cannot be used: what is missing, and how to say it
Result<std::optional<BenchmarkResults>> benchmark_results(const TreePath& file,
                                                          const RunLayout& layout);

}  // namespace ridgeline
