// SuperBench: results-summary.jsonl, an object a node with flat keys "benchmark/metric:rank".
#include "base/text.h"
#include "data/benchmark_text.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace ridgeline {
namespace {

struct RateMetric {
    std::string_view metric;
    std::string_view name;
};
// GFLOP/s of large products whose shape the summary does not say.
constexpr std::array products = {
    RateMetric{"fp16_tc", "fp16"}, RateMetric{"bf16_tc", "bf16"}, RateMetric{"tf32_tc", "tf32"},
    RateMetric{"fp64_tc", "fp64"}, RateMetric{"fp32", "fp32"},    RateMetric{"fp32_ff", "fp32"},
};
// GB/s of copies from and to pinned memory.
constexpr std::array copies = {RateMetric{"h2d_bw", "h2d pinned"},
                               RateMetric{"d2h_bw", "d2h pinned"}};
constexpr std::array collectives = {
    RateMetric{"allreduce", "all_reduce"},
    RateMetric{"allgather", "all_gather"},
    RateMetric{"reducescatter", "reduce_scatter"},
    RateMetric{"alltoall", "all_to_all"},
};

template <std::size_t N>
std::string_view name_in(const std::array<RateMetric, N>& metrics, std::string_view metric) {
    for (const RateMetric& each : metrics) {
        if (each.metric == metric) {
            return each.name;
        }
    }
    return "";
}

/// A metric with the figures of its ranks: "gemm-flops/fp16_tc" of "gemm-flops/fp16_tc:3".
using Metrics = std::map<std::string, std::vector<double>>;

Metrics metrics_of(const nlohmann::json& node) {
    Metrics metrics;
    for (const auto& [key, value] : node.items()) {
        if (value.is_number() && value.get<double>() > 0) {
            const std::size_t slash = key.find('/');
            const std::size_t rank = key.rfind(':');
            const bool ranked =
                slash != std::string::npos && rank != std::string::npos && rank > slash;
            metrics[ranked ? key.substr(0, rank) : key].push_back(value.get<double>());
        }
    }
    return metrics;
}

double middle_of(std::vector<double> figures) {
    std::sort(figures.begin(), figures.end());
    return figures[figures.size() / 2];
}

constexpr double product_work = 1e12;
constexpr double copied_bytes = 256 * 1048576.0;

/// The point of one metric; nothing for those that no answer uses.
std::optional<MeasuredPoint> point_of(const std::string& key, double figure,
                                      const RunLayout& layout) {
    const std::size_t slash = key.find('/');
    const std::string benchmark = key.substr(0, std::min(key.find(':'), slash));
    const std::string metric = slash == std::string::npos ? "" : key.substr(slash + 1);
    if (benchmark == "gemm-flops" && !name_in(products, metric).empty()) {
        MeasuredPoint point = point_of_time(PointKind::gemm, std::string(name_in(products, metric)),
                                            0, product_work / (figure * 1e9));
        point.work = product_work;
        point.flags = {"rate alone"};
        return point;
    }
    if (benchmark == "mem-bw" && !name_in(copies, metric).empty()) {
        return point_of_time(PointKind::host_link, std::string(name_in(copies, metric)),
                             copied_bytes, copied_bytes / (figure * 1e9));
    }
    const auto parts = split(metric, '_');  // allreduce_8388608_time, in us
    if (benchmark == "nccl-bw" && parts.size() == 3 && parts[2] == "time") {
        const std::string_view operation = name_in(collectives, parts[0]);
        const auto bytes = plain_number(parts[1]);
        if (!operation.empty() && bytes && *bytes > 0) {
            MeasuredPoint point =
                point_of_time(PointKind::collective, std::string(operation), *bytes, figure * 1e-6);
            point.ranks = layout.ranks.value_or(1);
            point.nodes = layout.nodes.value_or(1);
            return point;
        }
    }
    return std::nullopt;
}

}  // namespace

ReadResults superbench_lines(const BenchmarkInput& input) {
    BenchmarkResults results;
    results.tool = "SuperBench";
    std::size_t unused = 0;
    for (const std::string_view line : lines_of(input.text)) {
        if (line.find_first_not_of(" \t") == std::string_view::npos) {
            continue;
        }
        auto document = Document::parse(line, input.where);
        if (!document) {
            return tl::unexpected(document.error());
        }
        MeasuredRun run = run_of_tool(results.tool, "cuda");
        run.node = document->root().text("node");
        if (const auto valid = document->result(); !valid) {
            return tl::unexpected(valid.error());
        }
        for (const auto& [key, figures] : metrics_of(document->value())) {
            if (const auto point = point_of(key, middle_of(figures), input.layout)) {
                run.points.push_back(*point);
            } else {
                ++unused;
            }
        }
        results.runs.push_back(std::move(run));
    }
    if (unused > 0) {
        results.notes.push_back(fmt::format("{} metrics of SuperBench are not used", unused));
    }
    return results;
}

}  // namespace ridgeline
