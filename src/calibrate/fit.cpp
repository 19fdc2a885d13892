#include "calibrate/fit.h"

#include "base/lists.h"
#include "calibrate/collective_fit.h"
#include "calibrate/product_fit.h"
#include "calibrate/statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ridgeline {
namespace {

constexpr double large_edge = 4096;         // from here on a product fills any card
constexpr double least_rate_beside = 0.05;  // one that stands still would never end

bool usable(const MeasuredPoint& point) {
    return point.time.median.base() > 0 && point.correct.value_or(true) &&
           !point.flagged("noisy") && !point.flagged("throttled") && !point.flagged("resident") &&
           !point.flagged("fewer threads") && !point.flagged("own kernel") &&
           !point.flagged("rate alone");
}

ProductSample sample_of(const MeasuredPoint& point, ComputeType compute,
                        const RateReference& reference, const OperatorCounts& counts,
                        bool quantizes) {
    ProductSample sample;
    sample.work = work_of(point);
    if (reference.units > 0 && counts.full_wave_work) {
        sample.full_waves = counts.full_wave_work(point.m, point.n, point.k, reference.units);
    }
    sample.traffic = counts.product_traffic(compute, point.m, point.n, point.k);
    if (quantizes && bytes_per_element(storage_of(compute)) < 2) {
        sample.quantized = counts.quantize_traffic(compute, point.m, point.k);
    }
    sample.time = counted_time(point);
    sample.site = fmt::format("{:.0f}x{:.0f}", point.n, point.k);
    sample.large = std::min({point.m, point.n, point.k}) >= large_edge;
    return sample;
}

void fit_product_groups(const std::vector<MeasuredPoint>& points, const RateReference& reference,
                        const OperatorCounts& counts, bool quantizes, FitResult& result) {
    std::map<ComputeType, std::vector<ProductSample>> groups;
    std::map<ComputeType, int> dropped;
    for (const MeasuredPoint& point : points) {
        const auto compute = compute_type_named(point.name);
        if (point.kind != PointKind::gemm || !compute) {
            continue;
        }
        if (usable(point)) {
            groups[*compute].push_back(sample_of(point, *compute, reference, counts, quantizes));
        } else {
            ++dropped[*compute];
        }
    }
    for (const auto& [compute, samples] : groups) {
        const auto peak = reference.peak[static_cast<std::size_t>(compute)];
        const std::string what = fmt::format("products in {}", name_of(compute));
        if (!peak || reference.memory_bandwidth.base() <= 0) {
            result.refused.push_back(
                {what, fmt::format("no dense {} peak or no bandwidth of {} is known",
                                   name_of(compute), reference.accelerator)});
            continue;
        }
        auto fit = fit_products(samples, compute, *peak, reference.memory_bandwidth);
        if (!fit) {
            result.refused.push_back({what, fit.error().message});
            continue;
        }
        fit->errors.dropped = dropped[compute];
        result.products.push_back(*fit);
    }
}

void fit_collective_groups(const std::vector<MeasuredPoint>& points, const OperatorCounts& counts,
                           FitResult& result) {
    std::map<std::tuple<Collective, int, int>, std::vector<CollectiveSample>> groups;
    for (const MeasuredPoint& point : points) {
        const auto operation = collective_named(point.name);
        if (point.kind != PointKind::collective || !operation || !usable(point) ||
            point.bytes <= 0) {
            continue;
        }
        // Synchronous work waits for the slowest rank.
        groups[{*operation, point.ranks, point.nodes}].push_back(
            {counts.bus_factor(*operation, point.ranks) * point.bytes, point.bytes,
             point.slowest_rank.value_or(point.time.median)});
    }
    for (const auto& [key, samples] : groups) {
        const auto& [operation, ranks, nodes] = key;
        auto fit = fit_collective(samples, operation, ranks, nodes);
        if (fit) {
            result.collectives.push_back(*fit);
        } else {
            result.refused.push_back(
                {fmt::format("{} over {} ranks", name_of(operation), ranks), fit.error().message});
        }
    }
}

/// Median rate of the named streams, of their largest buffers alone; 0 when there is none.
double stream_rate(const std::vector<MeasuredPoint>& points,
                   std::initializer_list<std::string_view> names) {
    double largest = 0;
    const auto counts = [&](const MeasuredPoint& point) {
        return point.kind == PointKind::stream && usable(point) && is_among(point.name, names);
    };
    for (const MeasuredPoint& point : points) {
        largest = std::max(largest, counts(point) ? point.bytes : 0.0);
    }
    std::vector<double> rates;
    for (const MeasuredPoint& point : points) {
        if (counts(point) && point.bytes >= largest / 2) {
            rates.push_back(point.bytes / counted_time(point).base());
        }
    }
    return median(rates);
}

void add_products(const MeasuredRun& measurement, const Efficiency& origin, Calibration& rows) {
    for (const FittedProducts& fit : measurement.products) {
        KernelCalibration row;
        row.accelerator = measurement.reference.accelerator;
        row.compute = fit.compute;
        row.operator_class = OperatorClass::gemm;
        row.efficiency = origin;
        if (fit.quality == "poor") {
            // What the shapes do not determine is left to the large ones, or not said at all.
            if (!fit.large_shape_fraction) {
                continue;
            }
            row.efficiency.compute_fraction = *fit.large_shape_fraction;
        } else {
            row.efficiency.compute_fraction = fit.compute_fraction;
        }
        row.efficiency.bandwidth_fraction = fit.bandwidth_fraction;
        row.efficiency.overhead = fit.overhead;
        row.efficiency.wave_share = fit.wave_share;
        row.efficiency.quantize_fraction = fit.quantize_fraction;
        rows.kernels.push_back(row);
    }
}

void add_streams(const MeasuredRun& measurement, const Efficiency& origin, Calibration& rows) {
    const double bandwidth = measurement.reference.memory_bandwidth.base();
    if (bandwidth <= 0) {
        return;
    }
    double launch = 0;
    for (const MeasuredPoint& point : measurement.points) {
        if (point.kind == PointKind::launch && point.name == "graph gap") {
            launch = point.time.median.base();
        }
    }
    const double mixed = stream_rate(measurement.points, {"copy", "triad"});
    const double one_way = stream_rate(measurement.points, {"read"});
    const auto add = [&](OperatorClass operator_class, double rate) {
        if (rate > 0) {
            KernelCalibration row;
            row.accelerator = measurement.reference.accelerator;
            row.operator_class = operator_class;
            row.efficiency = origin;
            row.efficiency.compute_fraction = 1;
            row.efficiency.bandwidth_fraction = rate / bandwidth;
            row.efficiency.overhead = launch * second;
            rows.kernels.push_back(row);
        }
    };
    add(OperatorClass::streaming, mixed);
    add(OperatorClass::optimizer, mixed);
    add(OperatorClass::one_way_stream, one_way);
}

/// Rate of the last seconds of a long run over the rate of the same product in the short one.
void add_sustained(const MeasuredRun& measurement, const Efficiency& origin, Calibration& rows) {
    for (const MeasuredPoint& sustained : measurement.points) {
        if (sustained.kind != PointKind::sustained) {
            continue;
        }
        for (const MeasuredPoint& brief : measurement.points) {
            if (brief.kind == PointKind::gemm && brief.name == sustained.name &&
                brief.m == sustained.m && brief.n == sustained.n && brief.k == sustained.k &&
                sustained.time.median.base() > 0) {
                SustainedCalibration row;
                row.accelerator = measurement.reference.accelerator;
                row.matrix_rate = std::min(1.0, brief.time.median / sustained.time.median);
                row.tier = origin.tier;
                row.source = origin.source;
                row.date = origin.date;
                rows.sustained.push_back(row);
                return;
            }
        }
    }
}

/// Of the rates of a product, what is left while a collective runs beside it. The product is the
/// longer of the two, so that what both take beyond it is what it lost: in t_c it did r t_c of its
/// work, t_both = t_c + t_p - r t_c.
void add_overlap(const MeasuredRun& measurement, const Efficiency& origin, Calibration& rows) {
    const auto rate = rate_beside_collectives(measurement.points);
    if (!rate || measurement.backend == "mpi") {  // host buffers say nothing of an accelerator
        return;
    }
    if (rows.sustained.empty()) {
        SustainedCalibration row;
        row.accelerator = measurement.reference.accelerator;
        row.tier = origin.tier;
        row.source = origin.source;
        row.date = origin.date;
        rows.sustained.push_back(row);
    }
    rows.sustained.front().beside_collectives = std::max(least_rate_beside, *rate);
}

void add_collectives(const MeasuredRun& measurement, const Efficiency& origin, Calibration& rows) {
    for (const FittedCollective& fit : measurement.collectives) {
        CollectiveCalibration row;
        row.accelerator = measurement.reference.accelerator;
        row.operation = fit.operation;
        row.ranks = fit.ranks;
        row.nodes = fit.nodes;
        row.alpha = fit.alpha;
        row.bus_bandwidth = fit.bandwidth;
        row.gamma_us_per_sqrt_mib = fit.gamma_us_per_sqrt_mib;
        row.tier = origin.tier;
        row.source = origin.source;
        row.date = origin.date;
        rows.collectives.push_back(row);
    }
}

}  // namespace

RateReference reference_of(const Accelerator& accelerator, const std::string& catalog_version) {
    return {.accelerator = accelerator.id,
            .source = "catalog " + catalog_version,
            .peak = accelerator.peak_dense,
            .memory_bandwidth = accelerator.memory_bandwidth,
            .units = accelerator.units.value_or(0)};
}

FitResult fit_points(const std::vector<MeasuredPoint>& points, const RateReference& reference,
                     const OperatorCounts& counts, bool quantizes) {
    FitResult result;
    fit_product_groups(points, reference, counts, quantizes, result);
    fit_collective_groups(points, counts, result);
    return result;
}

std::optional<double> rate_beside_collectives(const std::vector<MeasuredPoint>& points) {
    const auto seconds = [&](std::string_view name) {
        for (const MeasuredPoint& point : points) {
            if (point.kind == PointKind::overlap && point.name == name) {
                return point.slowest_rank.value_or(point.time.median).base();
            }
        }
        return 0.0;
    };
    const double product = seconds("product");
    const double collective = seconds("collective");
    const double both = seconds("both");
    if (product <= 0 || collective <= 0 || both <= 0 || collective > product) {
        return std::nullopt;
    }
    return std::clamp((product + collective - both) / collective, 0.0, 1.0);
}

Calibration rows_of(const MeasuredRun& measurement, Tier tier, const std::string& source) {
    Calibration rows;
    if (measurement.reference.accelerator.empty()) {
        return rows;
    }
    Efficiency origin;
    origin.tier = tier;
    origin.source = source;
    origin.date = measurement.created.substr(0, 10);
    add_products(measurement, origin, rows);
    add_streams(measurement, origin, rows);
    add_sustained(measurement, origin, rows);
    add_overlap(measurement, origin, rows);
    add_collectives(measurement, origin, rows);
    return rows;
}

}  // namespace ridgeline
