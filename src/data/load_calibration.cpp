#include "data/load.h"
#include "data/measurement_reader.h"
#include "data/profile_reader.h"
#include "spec/words.h"

#include <fmt/format.h>

namespace ridgeline {
namespace {

constexpr Range efficiency{0.0001, 1.5};  // boost clocks lift some parts above their rated peak
constexpr Range microseconds{0, 1e6};
constexpr Range cache{1e-4, 20};
constexpr Range rank_count{1, 1e6};

Tier read_tier(Reader& row) {
    row.text("tier");
    return row.optional_choice("tier", tier_words()).value_or(Tier::assumed);
}

/// What a row ends with: how its figures are known.
template <typename Row>
void read_origin(Reader& row, Row& out) {
    out.tier = read_tier(row);
    out.source = row.text("source");
    out.date = row.text_or("date", "");
    row.ignore("note");
    row.reject_unknown();
}

/// The value whose name stands there, of the first `count` of an enumeration.
template <typename E>
E named(Reader& row, const char* key, int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
        names.emplace_back(name_of(static_cast<E>(i)));
    }
    row.text(key);
    return static_cast<E>(row.choice_index(key, names).value_or(0));
}

std::optional<ComputeType> read_compute(Reader& row) {
    const std::optional<std::string> word = row.optional_text("compute");
    if (!word) {
        return std::nullopt;
    }
    const std::optional<ComputeType> type = compute_type_named(*word);
    if (!type) {
        row.fail("compute",
                 fmt::format("found \"{}\", expected an operand type such as bf16, fp8 or nvfp4",
                             printable(*word)));
    }
    return type;
}

KernelCalibration read_kernel(Reader& row) {
    KernelCalibration kernel;
    kernel.accelerator = row.text_or("accelerator", "");
    kernel.chip = row.text_or("chip", "");
    kernel.architecture = row.text_or("architecture", "");
    kernel.compute = read_compute(row);
    kernel.operator_class = named<OperatorClass>(row, "operator_class", all_operator_classes);
    kernel.training = row.boolean_or("training", false);
    kernel.half_rate = row.boolean_or("half_rate", false);
    Efficiency& found = kernel.efficiency;
    found.compute_fraction = row.number("compute_fraction", efficiency);
    // A cache is many times as fast as the memory that its fraction is of.
    found.bandwidth_fraction =
        row.number("bandwidth_fraction",
                   kernel.operator_class == OperatorClass::cached_stream ? cache : efficiency);
    found.overhead = row.number_or("overhead_us", 0, microseconds) * microsecond;
    found.exponent = row.number_or("exponent", 2, Range{0.2, 1000});
    found.wave_share = row.number_or("wave_share", 0, fraction);
    found.tile_m = row.integer_or("tile_m", 0, Range{0, 4096});
    found.tile_n = row.integer_or("tile_n", 0, Range{0, 4096});
    found.quantize_fraction = row.number_or("quantize_fraction", 0, Range{0, 1.5});
    read_origin(row, found);
    return kernel;
}

CollectiveCalibration read_collective(Reader& row) {
    CollectiveCalibration collective;
    collective.accelerator = row.text_or("accelerator", "");
    collective.link = row.text_or("link", "");
    collective.operation =
        named<Collective>(row, "operation", static_cast<int>(Collective::count_));
    collective.ranks = row.integer("ranks", rank_count);
    collective.nodes = row.integer_or("nodes", 1, rank_count);
    collective.alpha = row.number("alpha_us", microseconds) * microsecond;
    collective.bus_bandwidth =
        row.number("bus_bandwidth_gb_per_s", Range{1e-3, 1e5}) * gigabyte_per_second;
    collective.gamma_us_per_sqrt_mib = row.number_or("gamma_us_per_sqrt_mib", 0, Range{0, 1e6});
    collective.link_rate = row.number_or("link_gb_per_s", 0, Range{0, 1e5}) * gigabyte_per_second;
    collective.in_switch = row.boolean_or("in_switch", false);
    read_origin(row, collective);
    return collective;
}

ContextCalibration read_context(Reader& row) {
    ContextCalibration context;
    context.accelerator = row.text_or("accelerator", "");
    context.vendor = row.text_or("vendor", "");
    context.context_mib = row.number("context_mib", Range{0, 1e6});
    context.library_mib = row.number_or("library_mib", 0, Range{0, 1e6});
    context.collective_mib = row.number_or("collective_mib", 0, Range{0, 1e6});
    context.peer_mib = row.number_or("peer_mib", 0, Range{0, 1e6});
    context.tier = read_tier(row);
    context.source = row.text("source");
    row.ignore("note");
    row.ignore("date");
    row.reject_unknown();
    return context;
}

SustainedCalibration read_sustained(Reader& row) {
    SustainedCalibration sustained;
    sustained.accelerator = row.text_or("accelerator", "");
    sustained.chip = row.text_or("chip", "");
    sustained.architecture = row.text_or("architecture", "");
    sustained.matrix_rate = row.number("matrix_rate", efficiency);
    sustained.beside_collectives = row.number("beside_collectives", efficiency);
    read_origin(row, sustained);
    return sustained;
}

AttentionCalibration read_attention(Reader& row) {
    AttentionCalibration attention;
    row.text("generation");
    attention.generation =
        row.optional_choice("generation", flash_words()).value_or(FlashGeneration::flash2);
    attention.chip = row.text_or("chip", "");
    attention.architecture = row.text_or("architecture", "");
    attention.forward_rate = row.number("forward_rate", efficiency);
    attention.backward_rate = row.number("backward_rate", efficiency);
    read_origin(row, attention);
    return attention;
}

RunCalibration read_run(Reader& row) {
    const Range hours{1e-3, 1e9};
    RunCalibration run;
    run.accelerator = row.text_or("accelerator", "");
    run.architecture = row.text_or("architecture", "");
    run.between_failures = row.number("hours_between_failures", hours) * hour;
    run.between_failures_low = row.number("hours_between_failures_low", hours) * hour;
    run.between_failures_high = row.number("hours_between_failures_high", hours) * hour;
    run.between_spot_interruptions = row.number("hours_between_spot_interruptions", hours) * hour;
    run.restart = row.number("restart_s", Range{0, 1e6}) * second;
    run.checkpoint_write =
        row.number("checkpoint_write_gb_per_s", Range{1e-6, 1e4}) * gigabyte_per_second;
    run.checkpoint_write_least =
        row.number_or("checkpoint_write_least_gb_per_s", 0, Range{0, 1e4}) * gigabyte_per_second;
    run.evaluation_share = row.number("evaluation_share_ratio", Range{0, 10});
    run.evaluation_share_high = row.number("evaluation_share_high_ratio", Range{0, 10});
    read_origin(row, run);
    return run;
}

ResidualBand read_residual(Reader& row) {
    ResidualBand band;
    band.quantity = row.text("quantity");
    band.kind = row.text_or("kind", "");
    band.low = row.number("low", Range{1e-3, 1e3});
    band.high = row.number("high", Range{1e-3, 1e3});
    band.rows = row.integer_or("rows", 0, count_from_zero);
    band.makers = row.texts("makers");
    band.source = row.text("source");
    if (band.low > band.high) {
        row.fail("low",
                 fmt::format("found {}, expected no more than high ({})", band.low, band.high));
    }
    row.ignore("note");
    row.reject_unknown();
    return band;
}

ArchitectureRelative read_relative(Reader& row) {
    ArchitectureRelative relative;
    relative.architecture = row.text("architecture");
    relative.older = row.text("older");
    relative.least_capability = row.number_or("least_capability", 0, Range{0, 100});
    relative.source = row.text("source");
    row.reject_unknown();
    return relative;
}

}  // namespace

void read_calibration(Reader& document, Calibration& calibration) {
    check_schema(document, "ridgeline/calibration/1");
    const auto read_all = [&document](const char* key, auto& rows, auto read) {
        for (Reader& row : document.objects(key)) {
            rows.push_back(read(row));
        }
    };
    read_all("kernels", calibration.kernels, read_kernel);
    read_all("collectives", calibration.collectives, read_collective);
    read_all("contexts", calibration.contexts, read_context);
    read_all("sustained", calibration.sustained, read_sustained);
    read_all("attention", calibration.attention, read_attention);
    read_all("runs", calibration.runs, read_run);
    read_all("residuals", calibration.residuals, read_residual);
    read_all("relatives", calibration.relatives, read_relative);
    document.ignore("note");
    document.reject_unknown();
}

Result<CalibrationFile> load_calibration_file(const TreePath& file) {
    CalibrationFile found;
    found.path = file.string();
    const Result<void> checked = read_document(file, [&found](Reader& root) {
        found.measurement = read_measurement(root);
        read_calibration(root, found.rows);
    });
    return checked.map([&found] { return std::move(found); });
}

void append(Calibration& calibration, const Calibration& rows) {
    const auto add = [](auto& into, const auto& from) {
        into.insert(into.end(), from.begin(), from.end());
    };
    add(calibration.kernels, rows.kernels);
    add(calibration.collectives, rows.collectives);
    add(calibration.contexts, rows.contexts);
    add(calibration.sustained, rows.sustained);
    add(calibration.attention, rows.attention);
    add(calibration.runs, rows.runs);
    add(calibration.residuals, rows.residuals);
    add(calibration.relatives, rows.relatives);
}

Result<void> load_calibration(const TreePath& file, Calibration& calibration) {
    const Result<CalibrationFile> read = load_calibration_file(file);
    if (!read) {
        return tl::unexpected(read.error());
    }
    append(calibration, read->rows);
    return {};
}

}  // namespace ridgeline
