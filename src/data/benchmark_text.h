#pragma once

#include "base/result.h"
#include "data/benchmark_results.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What each reader of another tool's results is given.
struct BenchmarkInput {
    std::string_view text;
    std::string where;  ///< the file
    RunLayout layout;
};
using ReadResults = Result<BenchmarkResults>;

// One reader a tool; `benchmark_results` chooses.
ReadResults nccl_tests_text(const BenchmarkInput& input);
ReadResults nccl_tests_json(const BenchmarkInput& input, const nlohmann::json& document);
ReadResults osu_text(const BenchmarkInput& input);
ReadResults stream_text(const BenchmarkInput& input);
ReadResults babel_stream_text(const BenchmarkInput& input);
ReadResults nvbandwidth_json(const BenchmarkInput& input, const nlohmann::json& document);
ReadResults fio_json(const BenchmarkInput& input, const nlohmann::json& document);
ReadResults superbench_lines(const BenchmarkInput& input);

/// Lines without the prefix that mpirun --tag-output gives them ("[1,0]<stdout>:").
std::vector<std::string_view> lines_of(std::string_view text);
/// Pieces between blanks.
std::vector<std::string_view> words_in(std::string_view line);
/// A plain finite number, all of the text.
std::optional<double> plain_number(std::string_view text);

/// A run of a tool with one time each; `backend` says what the figures are of: "cuda", "mpi",
/// "cpu".
MeasuredRun run_of_tool(std::string tool, std::string backend);
/// A point whose repetitions are known by one figure.
MeasuredPoint point_of_time(PointKind kind, std::string name, double bytes, double seconds);

}  // namespace ridgeline
