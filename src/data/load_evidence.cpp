// Measured rows. A row whose workload cannot be expressed keeps its reason, so that a validation
// run counts it as skipped instead of losing it.
#include "base/text.h"
#include "data/load.h"
#include "data/reader.h"
#include "data/reader_errors.h"
#include "data/workload_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgeline {
namespace {

using Figure = std::pair<const char*, std::optional<double> Measured::*>;

constexpr std::array figures = {
    Figure{"peak_memory_gib", &Measured::peak_memory_gib},
    Figure{"step_time_s", &Measured::step_time_s},
    Figure{"tokens_per_s_per_accelerator", &Measured::tokens_per_s_per_accelerator},
    Figure{"samples_per_s", &Measured::samples_per_s},
    Figure{"time_to_train_min", &Measured::time_to_train_min},
    Figure{"ttft_s", &Measured::ttft_s},
    Figure{"tpot_s", &Measured::tpot_s},
    Figure{"tokens_per_s", &Measured::tokens_per_s},
    Figure{"iterations_per_s", &Measured::iterations_per_s},
    Figure{"denoise_step_s", &Measured::denoise_step_s},
    Figure{"time_us", &Measured::time_us},
    Figure{"bus_bandwidth_gb_per_s", &Measured::bus_bandwidth_gb_per_s},
    Figure{"bandwidth_gb_per_s", &Measured::bandwidth_gb_per_s},
    Figure{"tflop_per_s", &Measured::tflop_per_s},
    Figure{"mlups", &Measured::mlups},
    Figure{"ns_per_day", &Measured::ns_per_day},
};
constexpr std::array quantities = {"memory",    "train_time",  "inference",  "vision",
                                   "gemm",      "bandwidth",   "collective", "diffusion",
                                   "recurrent", "recommender", "hpc",        "rl"};
constexpr std::array counters = {"allocated", "active", "reserved", "process", "unstated"};

template <std::size_t N>
std::string word(Reader& reader, std::string_view key, const std::array<const char*, N>& known) {
    const std::vector<std::string> names(known.begin(), known.end());
    const auto index = reader.choice_index(key, names);
    return index ? names[*index] : std::string();
}

/// Some rows name the year and month of their framework among the assumptions: "software version:
/// 26.04.01" is "2026-04".
std::string release_of(const std::vector<std::string>& assumptions) {
    constexpr std::string_view prefix = "software version: ";
    constexpr std::string_view form = "00.00";
    for (const std::string& line : assumptions) {
        std::string_view version = line;
        if (!version.starts_with(prefix)) {
            continue;
        }
        version.remove_prefix(prefix.size());
        version.remove_prefix(version.starts_with('v') ? 1 : 0);
        const bool dated =
            version.size() >= form.size() &&
            std::equal(form.begin(), form.end(), version.begin(), [](char expected, char found) {
                return expected == '0' ? is_digit(found) : found == expected;
            });
        if (dated) {
            return fmt::format("20{}-{}", version.substr(0, 2), version.substr(3, 2));
        }
    }
    return {};
}

void read_hardware(Reader& row, EvidenceRow& result) {
    Reader hardware = row.object("hardware");
    result.accelerator = hardware.text("accelerator");
    result.count = hardware.integer("count", {1, 1e6});
    result.per_node = hardware.integer_or("per_node", result.count, {1, 1e6});
    result.fabric = hardware.optional_text("fabric");
    // Some rows name their links in the note.
    constexpr std::string_view links = "interconnect: ";
    const std::string note = hardware.text_or("note", "");
    if (!result.fabric && note.starts_with(links)) {
        result.fabric = note.substr(links.size());
    }
}

void read_measured(Reader& row, EvidenceRow& result) {
    Reader measured = row.object("measured");
    for (const auto& [key, field] : figures) {
        result.measured.*field = measured.optional_number(key, positive);
    }
    result.memory_counter = word(measured, "memory_counter", counters);
    if (result.measured.peak_memory_gib && result.memory_counter.empty()) {
        result.memory_counter = "unstated";
    }
}

EvidenceRow read_row(Reader& row, std::size_t index, const TreePath& file) {
    EvidenceRow result;
    result.id = row.text("id");
    if (!row.has("quantity")) {
        row.fail("quantity", "missing, expected what was measured");
    }
    result.quantity = word(row, "quantity", quantities);
    result.quality = row.text_or("quality", "");
    result.group = row.text_or("group", result.id);
    result.release = row.text_or("release", release_of(row.texts("assumptions")));
    result.fitted_on = row.text_or("fitted_on", "");
    read_hardware(row, result);
    read_measured(row, result);
    if (!row.has("workload")) {
        result.workload_error = "has no workload";
        return result;
    }
    const std::string where = fmt::format("{}: /rows/{}/workload", file.string(), index);
    auto workload = workload_from_value(row.node("workload"), where, file.parent_path());
    const bool needs_model = workload && workload->task != Task::kernel;
    if (needs_model && workload->model_id.empty() && !workload->architecture) {
        result.workload_error = where + ": /model: missing";
    } else if (workload) {
        result.workload = std::move(*workload);
    } else {
        result.workload_error = workload.error().text();
    }
    return result;
}

}  // namespace

Result<std::vector<EvidenceRow>> load_evidence(const TreePath& file) {
    Result<Document> document = Document::read(file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    Reader top = document->root();
    constexpr std::string_view schema = "ridgeline/evidence/1";
    if (const std::string stated = top.text_or("schema", schema); stated != schema) {
        top.fail("schema", fmt::format("found \"{}\", expected \"{}\"", printable(stated), schema));
    }
    if (!top.is_array("rows")) {
        top.fail("rows", "expected a list of measured rows");
    }
    std::vector<EvidenceRow> rows;
    for (Reader& row : top.objects("rows")) {
        rows.push_back(read_row(row, rows.size(), file));
    }
    return document->result().map([&rows] { return std::move(rows); });
}

}  // namespace ridgeline
