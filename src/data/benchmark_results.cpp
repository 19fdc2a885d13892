#include "data/benchmark_results.h"

#include "base/text.h"
#include "data/benchmark_text.h"
#include "data/reader.h"

#include <nlohmann/json.hpp>

namespace ridgeline {
namespace {

using Read = Result<std::optional<BenchmarkResults>>;

Read read_json(const BenchmarkInput& input) {
    const auto document = Document::parse(input.text, input.where);
    if (!document || !document->value().is_object()) {
        return std::optional<BenchmarkResults>();
    }
    const nlohmann::json& value = document->value();
    if (value.contains("nccl_version") && value.contains("results")) {
        return nccl_tests_json(input, value);
    }
    if (value.contains("nvbandwidth") && value["nvbandwidth"].is_object()) {
        return nvbandwidth_json(input, value["nvbandwidth"]);
    }
    if (value.contains("fio version")) {
        return fio_json(input, value);
    }
    if (value.contains("DCGM Diagnostic") || value.contains("DCGM GPU Diagnostic")) {
        return input_error(input.where, "holds the verdicts of a DCGM diagnostic and no figures",
                           "Its figures stand in the files of `dcgmi diag --statspath`; `probe` "
                           "measures the same.");
    }
    return std::optional<BenchmarkResults>();
}

Read read_text(const BenchmarkInput& input) {
    const std::string_view text = input.text;
    if (contains(text, "algbw") && contains(text, "busbw")) {
        return nccl_tests_text(input);
    }
    if (contains(text, "# OSU ")) {
        return osu_text(input);
    }
    if (contains(text, "Best Rate MB/s")) {
        return stream_text(input);
    }
    if (contains(text, "BabelStream") || contains(text, "MBytes/sec")) {
        return babel_stream_text(input);
    }
    return std::optional<BenchmarkResults>();
}

}  // namespace

Read benchmark_results(const TreePath& file, const RunLayout& layout) {
    const auto text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    const BenchmarkInput input{*text, file.string(), layout};
    const std::size_t begin = text->find_first_not_of(" \t\r\n");
    if (begin == std::string::npos || (*text)[begin] != '{') {
        return read_text(input);
    }
    // One JSON document, or one a line.
    const std::string_view first = std::string_view(*text).substr(0, text->find('\n'));
    return contains(first, "\"node\"") && first.back() == '}' ? Read(superbench_lines(input))
                                                              : read_json(input);
}

}  // namespace ridgeline
