// Memory, links and disks as STREAM, BabelStream, nvbandwidth and fio report them.
#include "data/benchmark_text.h"
#include "data/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

constexpr double mib = 1048576;
constexpr double nvbandwidth_bytes = 512 * mib;  // its buffer unless told otherwise
constexpr double small_array = 64 * mib;

/// A function of STREAM as the probe names it, and the arrays that it moves. Scale and Add move as
/// copy and triad do.
struct StreamFunction {
    std::string_view printed;
    std::string_view name;
    int arrays;
};
constexpr std::array stream_functions = {
    StreamFunction{"Copy", "copy", 2},
    StreamFunction{"Triad", "triad", 3},
    StreamFunction{"Dot", "read", 2},
};

const StreamFunction* function_named(std::string_view word) {
    for (const StreamFunction& each : stream_functions) {
        if (word.substr(0, word.find(':')) == each.printed) {
            return &each;
        }
    }
    return nullptr;
}

/// The first number of a line behind a mark, as in "Array size = 10000000 (elements)".
std::optional<double> number_after(std::string_view line, std::string_view mark) {
    const std::size_t at = line.find(mark);
    const auto words = at == std::string_view::npos ? std::vector<std::string_view>()
                                                    : words_in(line.substr(at + mark.size()));
    return words.empty() ? std::nullopt : plain_number(words.front());
}

/// The best of several repetitions, which both programs report.
MeasuredPoint best_of(const StreamFunction& function, double bytes, double best, double mean,
                      double worst) {
    MeasuredPoint point =
        point_of_time(PointKind::stream, std::string(function.name), bytes, std::max(mean, best));
    point.time.least = best * second;
    point.time.p10 = point.time.least;
    point.time.p90 = std::max(worst, mean) * second;
    point.flags = {"best of"};
    return point;
}

tl::unexpected<Error> no_rows(const BenchmarkInput& input) {
    return input_error(input.where, "has no row of Copy, Triad or Dot with a rate and times");
}

void note_small_arrays(double array_bytes, std::vector<std::string>& notes) {
    if (array_bytes > 0 && array_bytes < small_array) {
        notes.push_back(
            fmt::format("arrays of {:.0f} MiB may lie in a cache: four times the last "
                        "level is the rule",
                        array_bytes / mib));
    }
}

/// The figures of a matrix of texts, without "N/A" and the zeros of its diagonal.
std::vector<double> figures_of(const Json& matrix) {
    std::vector<double> figures;
    for (const Json& row : matrix.is_array() ? matrix : Json::array()) {
        for (const Json& cell : row.is_array() ? row : Json::array()) {
            const auto figure = cell.is_string()   ? plain_number(cell.get<std::string>())
                                : cell.is_number() ? std::optional<double>(cell.get<double>())
                                                   : std::nullopt;
            if (figure && *figure > 0) {
                figures.push_back(*figure);
            }
        }
    }
    std::sort(figures.begin(), figures.end());
    return figures;
}

struct LinkTest {
    std::string_view test;
    PointKind kind;
    std::string_view name;
    double moved;  ///< bytes that count, of each that is reported
};
constexpr std::array link_tests = {
    LinkTest{"host_to_device_memcpy_ce", PointKind::host_link, "h2d pinned", 1},
    LinkTest{"device_to_host_memcpy_ce", PointKind::host_link, "d2h pinned", 1},
    LinkTest{"device_to_device_memcpy_read_ce", PointKind::peer_link, "one way", 1},
    LinkTest{"device_to_device_memcpy_write_ce", PointKind::peer_link, "one way", 1},
    // Reported once, though each byte is read and written.
    LinkTest{"device_local_copy", PointKind::stream, "copy", 2},
};

/// "0: NVIDIA H100 80GB HBM3 (PCI:0000:07:00.0): (host)" without what stands around the name.
std::string device_name(const Json& list) {
    if (!list.is_array() || list.empty() || !list.front().is_string()) {
        return "";
    }
    std::string name = list.front().get<std::string>();
    if (const std::size_t colon = name.find(": "); colon != std::string::npos && colon < 4) {
        name.erase(0, colon + 2);
    }
    return name.substr(0, name.find(" ("));
}

}  // namespace

ReadResults stream_text(const BenchmarkInput& input) {
    BenchmarkResults results;
    results.tool = "STREAM";
    MeasuredRun run = run_of_tool(results.tool, "cpu");
    double elements = 0;
    double element_bytes = 8;
    int threads = 0;
    for (const std::string_view line : lines_of(input.text)) {
        elements = number_after(line, "Array size =").value_or(elements);
        element_bytes = number_after(line, "This system uses").value_or(element_bytes);
        threads = static_cast<int>(
            std::clamp(number_after(line, "Threads counted =").value_or(threads), 0.0, 1e6));
        const auto words = words_in(line);
        const StreamFunction* function = words.size() < 5 ? nullptr : function_named(words[0]);
        if (function == nullptr) {
            continue;
        }
        const auto rate = plain_number(words[1]);
        const auto mean = plain_number(words[2]);
        const auto best = plain_number(words[3]);
        const auto worst = plain_number(words[4]);
        if (rate && mean && best && worst && *rate > 0 && *best > 0) {
            const double bytes =
                elements > 0 ? function->arrays * element_bytes * elements : *rate * 1e6 * *best;
            run.points.push_back(best_of(*function, bytes, bytes / (*rate * 1e6), *mean, *worst));
            run.points.back().threads = threads;
        }
    }
    if (run.points.empty()) {
        return no_rows(input);
    }
    note_small_arrays(elements * element_bytes, results.notes);
    results.runs.push_back(std::move(run));
    return results;
}

ReadResults babel_stream_text(const BenchmarkInput& input) {
    BenchmarkResults results;
    results.tool = "BabelStream";
    MeasuredRun run = run_of_tool(results.tool, "cpu");
    double array_bytes = 0;
    for (const std::string_view line : lines_of(input.text)) {
        array_bytes = number_after(line, "Array size:").value_or(array_bytes / 1e6) * 1e6;
        for (const std::string_view mark : {"Using CUDA device ", "Using HIP device "}) {
            if (line.starts_with(mark)) {
                run.backend = "cuda";
                run.device.name = std::string(line.substr(mark.size()));
            }
        }
        const auto words = words_in(line);
        const StreamFunction* function = words.size() < 5 ? nullptr : function_named(words[0]);
        const auto rate = function == nullptr ? std::nullopt : plain_number(words[1]);
        const auto worst = function == nullptr ? std::nullopt : plain_number(words[3]);
        const auto mean = function == nullptr ? std::nullopt : plain_number(words[4]);
        const auto best = function == nullptr ? std::nullopt : plain_number(words[2]);
        if (rate && mean && best && worst && *rate > 0 && *best > 0) {
            const double bytes =
                array_bytes > 0 ? function->arrays * array_bytes : *rate * 1e6 * *best;
            run.points.push_back(best_of(*function, bytes, bytes / (*rate * 1e6), *mean, *worst));
        }
    }
    if (run.points.empty()) {
        return no_rows(input);
    }
    note_small_arrays(array_bytes, results.notes);
    results.runs.push_back(std::move(run));
    return results;
}

ReadResults nvbandwidth_json(const BenchmarkInput& input, const Json& document) {
    BenchmarkResults results;
    results.tool = "nvbandwidth";
    MeasuredRun run = run_of_tool(results.tool, "cuda");
    run.device.name = device_name(document.value("GPU Device list", Json()));
    run.software.driver = text_at(document, "Driver Version");
    int unused = 0;
    for (const Json& test : document.value("testcases", Json::array())) {
        const std::string name = text_at(test, "name");
        const auto known = std::find_if(link_tests.begin(), link_tests.end(),
                                        [&](const LinkTest& each) { return each.test == name; });
        const std::string status = text_at(test, "status");
        const auto figures =
            figures_of(test.is_object() ? test.value("bandwidth_matrix", Json()) : Json());
        if (known == link_tests.end() || figures.empty()) {
            ++unused;
            continue;
        }
        const double median = figures[figures.size() / 2];
        MeasuredPoint point =
            point_of_time(known->kind, std::string(known->name), known->moved * nvbandwidth_bytes,
                          nvbandwidth_bytes / (median * 1e9));
        point.time.samples = static_cast<int>(figures.size());
        run.points.push_back(point);
    }
    if (run.points.empty()) {
        return input_error(input.where, "no test of nvbandwidth with figures that are used");
    }
    if (unused > 0) {
        results.notes.push_back(fmt::format("{} tests of nvbandwidth are not used", unused));
    }
    results.notes.emplace_back("its buffers are taken to be 512 MiB, as they are by default");
    results.runs.push_back(std::move(run));
    return results;
}

ReadResults fio_json(const BenchmarkInput& input, const Json& document) {
    BenchmarkResults results;
    results.tool = "fio";
    MeasuredRun run = run_of_tool(results.tool, "cpu");
    const Json common = document.value("global options", Json::object());
    for (const Json& job : document.value("jobs", Json::array())) {
        const Json read = job.is_object() ? job.value("read", Json::object()) : Json::object();
        const auto rate = number_at(read, "bw_bytes");
        const auto bytes = number_at(read, "io_bytes");
        if (!rate || !bytes || *rate <= 0 || *bytes <= 0) {
            results.notes.push_back(fmt::format("job {} reads nothing", text_at(job, "jobname")));
            continue;
        }
        const Json own = job.value("job options", Json::object());
        const std::string stated = text_at(own, "direct");
        const bool direct = (stated.empty() ? text_at(common, "direct") : stated) == "1";
        run.points.push_back(point_of_time(
            PointKind::storage, direct ? "direct read" : "buffered read", *bytes, *bytes / *rate));
        results.notes.push_back(
            fmt::format("{} GB/s {}: give it to `estimate` as --storage-gb-per-s",
                        fmt::format("{:.3g}", *rate / 1e9),
                        direct ? "read past the page cache"
                               : "read through the page cache, in part from memory"));
    }
    if (run.points.empty()) {
        return input_error(input.where, "no job of fio that reads");
    }
    results.runs.push_back(std::move(run));
    return results;
}

}  // namespace ridgeline
