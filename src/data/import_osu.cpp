// Collectives as the OSU micro-benchmarks report them.
#include "base/text.h"
#include "data/benchmark_text.h"

#include <optional>
#include <string>
#include <utility>

namespace ridgeline {
namespace {

/// What the head of an OSU test says is measured below it.
struct OsuTest {
    std::optional<Collective> operation{};
    bool bandwidth = false;

    [[nodiscard]] bool is_used() const { return operation || bandwidth; }
};

OsuTest osu_test(std::string_view head) {
    static constexpr std::pair<std::string_view, Collective> tests[] = {
        {"Allreduce", Collective::all_reduce},          {"Allgather", Collective::all_gather},
        {"Reduce_scatter", Collective::reduce_scatter}, {"All-to-All", Collective::all_to_all},
        {"Alltoall", Collective::all_to_all},
    };
    const auto says = [&](std::string_view words) { return contains(head, words); };
    OsuTest found;
    for (const auto& [name, operation] : tests) {
        if (says(name)) {
            found.operation = operation;
        }
    }
    found.bandwidth = says(" Bandwidth Test") && !says("Bi-Directional");
    return found;
}

bool measures_devices(std::string_view head) {
    return contains(head, "-CUDA") || contains(head, "-ROCM") || contains(head, "NCCL");
}

/// MB are 10^6 bytes, one way between two ranks.
MeasuredPoint bandwidth_point(double bytes, double mb_per_s) {
    MeasuredPoint point =
        point_of_time(PointKind::collective, std::string(name_of(Collective::point_to_point)),
                      bytes, bytes / (mb_per_s * 1e6));
    point.ranks = 2;
    return point;
}

/// Gathers and exchanges count the part of one rank, nccl-tests the whole buffer.
MeasuredPoint collective_point(Collective operation, double size, double time_us, int ranks) {
    const bool of_one_rank =
        operation != Collective::all_reduce && operation != Collective::reduce_scatter;
    MeasuredPoint point = point_of_time(PointKind::collective, std::string(name_of(operation)),
                                        of_one_rank ? size * ranks : size, time_us * 1e-6);
    point.ranks = ranks;
    return point;
}

}  // namespace

ReadResults osu_text(const BenchmarkInput& input) {
    BenchmarkResults results;
    results.tool = "OSU micro-benchmarks";
    MeasuredRun run = run_of_tool(results.tool, "mpi");
    OsuTest test;
    for (const std::string_view line : lines_of(input.text)) {
        if (line.starts_with("# OSU ")) {
            test = osu_test(line);
            if (!test.is_used()) {
                results.notes.push_back(std::string(line.substr(2)) + ": is not used");
            }
            run.backend = measures_devices(line) ? "cuda" : run.backend;
            continue;
        }
        const auto words = words_in(line);
        const auto size = words.size() < 2 ? std::nullopt : plain_number(words[0]);
        const auto figure = words.size() < 2 ? std::nullopt : plain_number(words[1]);
        if (!size || !figure || *size <= 0 || *figure <= 0 || !test.is_used()) {
            continue;
        }
        if (!test.bandwidth && !input.layout.ranks) {
            return input_error(input.where, "does not say how many ranks took part",
                               "Give --ranks N and, of several nodes, --nodes N.");
        }
        run.points.push_back(test.bandwidth ? bandwidth_point(*size, *figure)
                                            : collective_point(*test.operation, *size, *figure,
                                                               *input.layout.ranks));
        run.points.back().nodes = input.layout.nodes.value_or(1);
    }
    if (run.points.empty()) {
        return input_error(
            input.where, "no OSU test with figures that are used was found",
            "Used are osu_allreduce, osu_allgather, osu_reduce_scatter, osu_alltoall "
            "and osu_bw.");
    }
    results.runs.push_back(std::move(run));
    return results;
}

}  // namespace ridgeline
