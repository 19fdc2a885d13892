#include "ask/measured_rows.h"

#include "ask/request.h"
#include "base/text.h"
#include "calibrate/statistics.h"
#include "data/load.h"
#include "data/reader.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "estimate/time/roofline.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <cmath>

namespace ridgeline::ask {
namespace {

constexpr double product_edge = 4096;

std::optional<MeasuredPoint> point_of(const EvidenceRow& row) {
    if (!row.workload.kernel || !row.measured.time_us) {
        return std::nullopt;
    }
    const Kernel& kernel = *row.workload.kernel;
    MeasuredPoint point;
    if (row.quantity == "gemm") {
        point.name = name_of(row.workload.compute.value_or(ComputeType::bf16));
        point.m = kernel.m;
        point.n = kernel.n;
        point.k = kernel.k;
    } else if (row.quantity == "collective" && collective_named(kernel.operation)) {
        point.kind = PointKind::collective;
        point.name = kernel.operation;
        point.bytes = kernel.bytes;
        point.ranks = kernel.ranks;
        point.nodes = std::max(1, kernel.ranks / std::max(1, row.per_node));
    } else {
        return std::nullopt;
    }
    const Seconds time = *row.measured.time_us * microsecond;
    point.time = {time, time, time, time, 1};
    return point;
}

Result<void> add_evidence(const TreePath& path, const std::string& only, const Profiles& profiles,
                          MeasuredRows& rows) {
    const auto evidence = load_evidence(path);
    if (!evidence) {
        return tl::unexpected(evidence.error());
    }
    rows.run.backend = "published";
    rows.tier = Tier::published;
    for (const EvidenceRow& row : *evidence) {
        const auto point = point_of(row);
        if (!point || !contains(row.id, only)) {
            continue;
        }
        const auto& framework = row.workload.framework;
        const SoftwareProfile* stack =
            framework ? profiles.software_profile(*framework) : profiles.unnamed_software();
        rows.quantizes = rows.quantizes || (stack != nullptr && stack->engine.fuses_products);
        rows.accelerators.insert(row.accelerator);
        rows.points[row.accelerator].push_back(*point);
    }
    return {};
}

Result<void> add_run(const TreePath& path, MeasuredRows& rows) {
    auto file = load_calibration_file(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    if (!file->measurement) {
        return input_error(path.string(), "holds no measured points",
                           "`ridgeline probe` writes such files.");
    }
    std::vector<MeasuredPoint> points = std::move(rows.run.points);
    points.insert(points.end(), file->measurement->points.begin(), file->measurement->points.end());
    rows.run = std::move(*file->measurement);
    rows.run.points = std::move(points);
    if (!rows.run.reference.accelerator.empty()) {
        rows.accelerators.insert(rows.run.reference.accelerator);
    }
    return {};
}

/// The points of another tool beside those already there.
Result<void> add_results(BenchmarkResults& results, const TreePath& path, MeasuredRows& rows) {
    if (results.runs.size() > 1) {
        return input_error(path.string(),
                           fmt::format("holds {} nodes, expected one run", results.runs.size()),
                           "`ridgeline calibrate merge` makes one of them.");
    }
    MeasuredRun& run = results.runs.front();
    MeasuredRun& whole = rows.run;
    whole.points.insert(whole.points.end(), run.points.begin(), run.points.end());
    if (whole.backend.empty()) {
        run.points = std::move(whole.points);
        whole = std::move(run);
    }
    for (const std::string& note : results.notes) {
        rows.notes.push_back(fmt::format("{}, {}: {}", path.filename(), results.tool, note));
    }
    return {};
}

}  // namespace

Result<RunLayout> layout_of(const Request& request) {
    RunLayout layout;
    for (const auto& [name, field] :
         {std::pair("ranks", &RunLayout::ranks), std::pair("nodes", &RunLayout::nodes)}) {
        if (request.given(name)) {
            const auto count = number_of(fmt::format("--{}", name), request.text(name), 1, 1e6);
            if (!count) {
                return tl::unexpected(count.error());
            }
            layout.*field = static_cast<int>(*count);
        }
    }
    return layout;
}

Result<MeasuredRows> measured_rows(const std::vector<TreePath>& files, const std::string& only,
                                   const RunLayout& layout, const Profiles& profiles) {
    MeasuredRows rows;
    for (const TreePath& path : files) {
        auto results = benchmark_results(path, layout);
        if (!results) {
            return tl::unexpected(results.error());
        }
        if (*results) {
            if (const auto added = add_results(**results, path, rows); !added) {
                return tl::unexpected(added.error());
            }
            continue;
        }
        auto document = Document::read(path);
        if (!document) {
            return tl::unexpected(document.error());
        }
        const std::string schema = document->root().text_or("schema", "");
        const bool evidence = schema == "ridgeline/evidence/1";
        if (const auto added =
                evidence ? add_evidence(path, only, profiles, rows) : add_run(path, rows);
            !added) {
            return tl::unexpected(added.error());
        }
    }
    return rows;
}

OperatorCounts operator_counts() {
    return {.product_traffic =
                [](ComputeType type, double m, double n, double k) {
                    return gemm_traffic(type, GemmShape{.m = m, .n = n, .k = k});
                },
            .full_wave_work =
                [](double m, double n, double k, int units) {
                    return full_wave_work(GemmShape{.m = m, .n = n, .k = k}, units);
                },
            .quantize_traffic =
                [](ComputeType type, double m, double k) {
                    const RooflineTerms one_byte_a_second{.quantize_seconds_per_byte = 1};
                    return quantise_pass(one_byte_a_second, type, GemmShape{.m = m, .k = k}) * byte;
                },
            .bus_factor = &bus_factor};
}

std::vector<RefusedFit> fit_run(MeasuredRun& run, bool quantizes) {
    FitResult fits = fit_points(run.points, run.reference, operator_counts(), quantizes);
    run.products = std::move(fits.products);
    run.collectives = std::move(fits.collectives);
    return std::move(fits.refused);
}

std::string source_of(const MeasuredRun& run) {
    if (run.backend == "published") {
        return fmt::format("fit of {} published points", run.points.size());
    }
    const std::string how =
        run.created.empty() ? run.tool : "measured " + run.created.substr(0, 10);
    std::string source = fmt::format("{} on {}", how, run.device.name);
    return run.node.empty() ? source : source + fmt::format(" (node {})", run.node);
}

std::vector<OutputFile> stored(report::CalibrationAnswer& answer, const std::string& path) {
    if (path.empty()) {
        return {};
    }
    answer.written = path;
    return {{"--out", path, report::calibration_file_json(answer.file), true}};
}

double known_fraction(const World& world, const Accelerator& part, ComputeType type) {
    return device_model(part, world.profiles.calibration)
        .of(type, OperatorClass::gemm)
        .compute_fraction;
}

namespace {

/// Of products of one type: what a fit has beside what was known, and how far each misses the
/// times.
void add_fit(const DeviceModel& device, const MeasuredRun& run, const FittedProducts& fit,
             std::vector<report::KnownFigure>& figures, std::vector<std::string>& notes) {
    const Efficiency known = device.of(fit.compute, OperatorClass::gemm);
    const std::string type(name_of(fit.compute));
    const std::string tier(name_of(known.tier));
    figures.push_back({"a of " + type, fit.compute_fraction, known.compute_fraction, "", tier});
    figures.push_back({"b of " + type, fit.bandwidth_fraction, known.bandwidth_fraction, "", tier});
    figures.push_back(
        {"t0 of " + type, fit.overhead / microsecond, known.overhead / microsecond, "us", tier});
    std::vector<double> errors;
    for (const MeasuredPoint& point : run.points) {
        if (point.kind == PointKind::gemm && point.name == type) {
            const GemmShape shape{.m = point.m, .n = point.n, .k = point.k};
            const Seconds predicted = gemm_time(device, fit.compute, shape).time;
            errors.push_back(std::abs(predicted / counted_time(point) - 1));
        }
    }
    notes.push_back(fmt::format(
        "products in {}: what was known misses their times by {:.1f} % (median), this fit by "
        "{:.1f} % (shapes it never saw)",
        type, 100 * median(errors), 100 * fit.errors.holdout_median));
}

/// Rates of products that were measured without their time at each size.
void add_bare_rates(const DeviceModel& device, const MeasuredRun& run, const Accelerator& part,
                    std::vector<report::KnownFigure>& figures) {
    for (const MeasuredPoint& point : run.points) {
        const auto compute = compute_type_named(point.name);
        if (point.flagged("rate alone") && compute && part.peak(*compute)) {
            const double peak = *part.peak(*compute) / teraflop_per_second;
            const Efficiency known = device.of(*compute, OperatorClass::gemm);
            figures.push_back({"products in " + point.name,
                               work_of(point) / point.time.median / teraflop_per_second,
                               known.compute_fraction * peak, "TFLOP/s",
                               std::string(name_of(known.tier))});
        }
    }
}

void add_copy_bandwidth(const DeviceModel& device, const MeasuredRun& run, const Accelerator& part,
                        std::vector<report::KnownFigure>& figures) {
    const Efficiency streaming = device.of(ComputeType::fp32, OperatorClass::streaming);
    double best = 0;
    for (const MeasuredPoint& point : run.points) {
        if (point.kind == PointKind::stream && point.name == "copy" && !point.flagged("resident")) {
            best = std::max(best, point.bytes / counted_time(point).base());
        }
    }
    if (best > 0) {
        figures.push_back(
            {"copy bandwidth", best / 1e9,
             streaming.bandwidth_fraction * (part.memory_bandwidth / gigabyte_per_second), "GB/s",
             std::string(name_of(streaming.tier))});
    }
}

}  // namespace

std::vector<report::KnownFigure> known_figures(const World& world, const MeasuredRun& run,
                                               std::vector<std::string>& notes) {
    std::vector<report::KnownFigure> figures;
    const Accelerator* part = world.catalog.accelerator(run.reference.accelerator);
    if (part == nullptr || part->kind == "cpu") {
        return figures;
    }
    const DeviceModel device = device_model(*part, world.profiles.calibration);
    for (const FittedProducts& fit : run.products) {
        add_fit(device, run, fit, figures, notes);
    }
    add_bare_rates(device, run, *part, figures);
    add_copy_bandwidth(device, run, *part, figures);
    return figures;
}

Result<std::vector<report::ProductTime>> product_times(const World& world,
                                                       const CalibrationFile& file,
                                                       const std::vector<std::string>& against) {
    std::vector<report::ProductTime> lines;
    if (against.empty() || !file.measurement) {
        return lines;
    }
    const double edge = product_edge;
    const Flops work = 2 * edge * edge * edge * flop;
    for (const MeasuredPoint& point : file.measurement->points) {
        if (point.kind == PointKind::gemm && point.m == edge && point.n == edge &&
            point.k == edge && !point.flagged("own kernel")) {
            lines.push_back({file.measurement->device.name, point.name, counted_time(point),
                             work / counted_time(point), "measured"});
        }
    }
    for (const std::string& word : against) {
        const auto part = accelerator_named(world.catalog, word, "--against");
        if (!part) {
            return tl::unexpected(part.error());
        }
        const DeviceModel device = device_model(**part, world.profiles.calibration);
        for (const ComputeType type :
             {ComputeType::fp64, ComputeType::fp32, ComputeType::tf32, ComputeType::bf16}) {
            if ((*part)->peak(type)) {
                const OperatorTime time =
                    gemm_time(device, type, GemmShape{.m = edge, .n = edge, .k = edge});
                lines.push_back({(*part)->name, std::string(name_of(type)), time.time,
                                 work / time.time, std::string(name_of(time.tier))});
            }
        }
    }
    return lines;
}

}  // namespace ridgeline::ask
