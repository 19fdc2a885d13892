// Collectives as nccl-tests and rccl-tests report them.
#include "base/text.h"
#include "data/benchmark_text.h"
#include "data/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace ridgeline {
namespace {

constexpr int fewest_iterations = 20;

struct NamedTest {
    std::string_view program;  ///< part of the program's name
    Collective operation;
};
constexpr std::array nccl_programs = {
    NamedTest{"all_reduce_perf", Collective::all_reduce},
    NamedTest{"all_gather_perf", Collective::all_gather},
    NamedTest{"reduce_scatter_perf", Collective::reduce_scatter},
    NamedTest{"alltoall_perf", Collective::all_to_all},
    NamedTest{"sendrecv_perf", Collective::point_to_point},
};

std::optional<Collective> program_named(std::string_view text) {
    for (const NamedTest& test : nccl_programs) {
        if (contains(text, test.program)) {
            return test.operation;
        }
    }
    return std::nullopt;
}

/// What the header of nccl-tests says.
struct NcclHeader {
    std::optional<Collective> operation;
    std::set<std::string, std::less<>> hosts;
    int ranks = 0;
    std::string device;
    std::optional<int> iterations;
};

/// The host of a measurement, or all of them: which of several is slow it does not say.
std::string node_of(const NcclHeader& header) {
    std::string node;
    for (const std::string& host : header.hosts) {
        append(node, ",", host);
    }
    return node;
}

/// The number behind a word: "iters:" of "... iters: 20 agg iters: 1".
std::optional<int> number_behind(std::string_view line, std::string_view word) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto words = words_in(line.substr(at + word.size()));
    const auto number = words.empty() ? std::nullopt : plain_number(words.front());
    return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

/// "#  Rank  0 Group  0 Pid  2353 on  node1 device  0 [0x0f] NVIDIA H100 80GB HBM3"
void read_rank(std::string_view line, NcclHeader& header) {
    const auto words = words_in(line);
    const auto on = std::find(words.begin(), words.end(), "on");
    const std::size_t bracket = line.find(']');
    if (on == words.end() || on + 1 == words.end() || bracket == std::string_view::npos) {
        return;
    }
    ++header.ranks;
    header.hosts.emplace(*(on + 1));
    const std::size_t name = line.find_first_not_of(' ', bracket + 1);
    header.device = name == std::string_view::npos ? "" : std::string(line.substr(name));
}

NcclHeader nccl_header(const std::vector<std::string_view>& lines) {
    NcclHeader header;
    for (const std::string_view line : lines) {
        if (!header.operation) {
            header.operation = program_named(line);
        }
        if (line.find("# ") == 0 && line.find("Rank") < 6) {
            read_rank(line, header);
        } else if (contains(line, "warmup iters:")) {
            header.iterations =
                number_behind(line.substr(line.find("warmup iters:") + 13), "iters:");
        }
    }
    return header;
}

/// The operation that the ratio of the two bandwidths leaves; nothing where several are left.
std::optional<Collective> by_ratio(double ratio, int ranks, bool reduces, bool rooted) {
    const double whole = (ranks - 1.0) / ranks;
    const auto near = [&](double other) { return std::abs(ratio / other - 1) < 0.02; };
    if (ranks > 2 && reduces && !rooted && near(2 * whole)) {
        return Collective::all_reduce;
    }
    if (ranks > 2 && reduces && !rooted && near(whole)) {
        return Collective::reduce_scatter;
    }
    return std::nullopt;
}

struct NcclRow {
    double bytes = 0;
    double time_us = 0;
    double ratio = 0;  ///< busbw / algbw; 0: too small to say
    bool reduces = false;
    bool rooted = false;
    bool correct = true;
};

/// A row is read from its right end: the operation of a reduction may be blank, the root too.
std::optional<NcclRow> nccl_row(std::string_view line) {
    const auto words = words_in(line);
    if (words.size() < 10 || line.front() == '#') {
        return std::nullopt;
    }
    const auto bytes = plain_number(words[0]);
    const auto count = plain_number(words[1]);
    const std::size_t right = words.size() - 8;  // twice time, algbw, busbw, #wrong
    const auto time = plain_number(words[right]);
    const auto algorithm = plain_number(words[right + 1]);
    const auto bus = plain_number(words[right + 2]);
    if (!bytes || !count || !time || !algorithm || !bus || *time <= 0 || *bytes <= 0) {
        return std::nullopt;
    }
    NcclRow row;
    row.bytes = *bytes;
    row.time_us = *time;
    row.ratio = *algorithm >= 1 ? *bus / *algorithm : 0;
    for (std::size_t i = 2; i < right; ++i) {
        row.reduces = row.reduces || words[i] == "sum" || words[i] == "prod" || words[i] == "max" ||
                      words[i] == "min" || words[i] == "avg";
    }
    const auto root = right > 2 ? plain_number(words[right - 1]) : std::nullopt;
    row.rooted = root && *root >= 0;
    const auto wrong = plain_number(words[right + 3]);
    row.correct = !wrong || *wrong == 0;
    return row;
}

std::string which_operation(std::string_view where) {
    return fmt::format(
        "Put the command line at the head of {}, for example "
        "\"# all_gather_perf -g 8\".",
        where);
}

/// Points of one operation; wrong results stay, marked, so that they are counted as left out.
void add_points(MeasuredRun& run, std::vector<std::string>& notes, const std::vector<NcclRow>& rows,
                Collective operation, int ranks, int nodes) {
    int wrong = 0;
    for (const NcclRow& row : rows) {
        MeasuredPoint point = point_of_time(PointKind::collective, std::string(name_of(operation)),
                                            row.bytes, row.time_us * 1e-6);
        point.ranks = ranks;
        point.nodes = nodes;
        point.correct = row.correct;
        wrong += row.correct ? 0 : 1;
        run.points.push_back(point);
    }
    if (wrong > 0) {
        notes.push_back(fmt::format("{} of {} sizes gave wrong results: they are left out", wrong,
                                    rows.size()));
    }
}

void note_iterations(std::optional<int> iterations, std::vector<std::string>& notes) {
    if (iterations && *iterations < fewest_iterations) {
        notes.push_back(fmt::format("{} iterations a size: fewer than {} scatter much", *iterations,
                                    fewest_iterations));
    }
}

}  // namespace

ReadResults nccl_tests_text(const BenchmarkInput& input) {
    const auto lines = lines_of(input.text);
    const NcclHeader header = nccl_header(lines);
    std::vector<NcclRow> rows;
    for (const std::string_view line : lines) {
        if (const auto row = line.empty() ? std::nullopt : nccl_row(line)) {
            rows.push_back(*row);
        }
    }
    const int ranks = header.ranks > 0 ? header.ranks : input.layout.ranks.value_or(0);
    if (ranks < 2 || rows.empty()) {
        return input_error(input.where,
                           rows.empty() ? "no row of sizes and times was found"
                                        : "does not say how many ranks took part",
                           rows.empty() ? "" : "Give --ranks N and, of several nodes, --nodes N.");
    }
    std::optional<Collective> operation = header.operation;
    for (const NcclRow& row : rows) {
        if (!operation && row.ratio > 0) {
            operation = by_ratio(row.ratio, ranks, row.reduces, row.rooted);
        }
    }
    if (!operation) {
        return input_error(input.where, "does not say which collective was measured",
                           which_operation(input.where));
    }
    BenchmarkResults results;
    results.tool = "nccl-tests";
    MeasuredRun run = run_of_tool(results.tool, "cuda");
    run.device.name = header.device;
    run.node = node_of(header);
    const int hosts = static_cast<int>(header.hosts.size());
    add_points(run, results.notes, rows, *operation, ranks,
               hosts > 0 ? hosts : input.layout.nodes.value_or(1));
    note_iterations(header.iterations, results.notes);
    results.runs.push_back(std::move(run));
    return results;
}

namespace {

nlohmann::json list_at(const nlohmann::json& object, const char* key) {
    return object.contains(key) && object[key].is_array() ? object[key] : nlohmann::json::array();
}

NcclHeader nccl_header(const nlohmann::json& document) {
    NcclHeader header;
    for (const auto& word : list_at(document, "args")) {
        if (word.is_string() && !header.operation) {
            header.operation = program_named(word.get<std::string>());
        }
    }
    for (const auto& device : list_at(document, "devices")) {
        ++header.ranks;
        if (const std::string host = text_at(device, "hostname"); !host.empty()) {
            header.hosts.insert(host);
        }
        header.device = text_at(device, "device_info");
    }
    return header;
}

/// The times of one size: of buffers apart where they were measured, else in place.
nlohmann::json times_of(const nlohmann::json& size) {
    const auto held = [&](const char* key) { return size.is_object() && size.contains(key); };
    return held("out_of_place") && size["out_of_place"].is_object() ? size["out_of_place"]
           : held("in_place")                                       ? size["in_place"]
                                                                    : nlohmann::json();
}

/// Sizes with their times; the last number of iterations goes to the header.
std::vector<NcclRow> nccl_rows(const nlohmann::json& document, NcclHeader& header,
                               std::vector<std::string>& notes) {
    std::vector<NcclRow> rows;
    int of_the_host = 0;
    for (const auto& each : list_at(document, "results")) {
        const nlohmann::json times = times_of(each);
        const auto bytes = number_at(each, "size");
        const auto time = number_at(times, "time");
        of_the_host += number_at(times, "cpu_time") ? 1 : 0;
        if (!bytes || !time || *time <= 0 || *bytes <= 0) {
            continue;
        }
        NcclRow row;
        row.bytes = *bytes;
        row.time_us = *time;
        row.correct = number_at(times, "nwrong").value_or(0) == 0;
        rows.push_back(row);
        if (const auto done = number_at(each, "actual_iterations")) {
            header.iterations = static_cast<int>(std::clamp(*done, 0.0, 1e9));
        }
    }
    if (of_the_host > 0) {
        notes.push_back(fmt::format(
            "{} sizes have the time of the host alone (-C): they are left out", of_the_host));
    }
    return rows;
}

}  // namespace

ReadResults nccl_tests_json(const BenchmarkInput& input, const nlohmann::json& document) {
    BenchmarkResults results;
    results.tool = "nccl-tests";
    NcclHeader header = nccl_header(document);
    const std::vector<NcclRow> rows = nccl_rows(document, header, results.notes);
    if (!header.operation || header.ranks < 2 || rows.empty()) {
        return input_error(input.where,
                           rows.empty()        ? "no size with a time was found"
                           : !header.operation ? "does not say which collective was measured"
                                               : "names fewer than two devices",
                           "");
    }
    MeasuredRun run = run_of_tool(results.tool, "cuda");
    run.device.name = header.device;
    run.node = node_of(header);
    run.created = text_at(document, "start_time");
    if (const auto version = number_at(document, "nccl_version")) {
        run.software.collectives = fmt::format("NCCL {:.0f}", *version);
    }
    add_points(run, results.notes, rows, *header.operation, header.ranks,
               std::max(1, static_cast<int>(header.hosts.size())));
    note_iterations(header.iterations, results.notes);
    results.runs.push_back(std::move(run));
    return results;
}

}  // namespace ridgeline
