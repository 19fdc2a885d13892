#include "base/text.h"
#include "report/calibration_report.h"
#include "report/hostlist.h"
#include "report/table.h"
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ridgeline::report {
namespace {

std::string with_interval(double value, const FitInterval& interval, int decimals) {
    return fmt::format("{:.{}f} ({:.{}f}-{:.{}f})", value, decimals, interval.low, decimals,
                       interval.high, decimals);
}

std::string head_text(const MeasuredRun& measurement, const Style& style) {
    std::string text = strong(measurement.device.name.empty() ? measurement.reference.accelerator
                                                              : measurement.device.name,
                              style);
    if (!measurement.reference.accelerator.empty() && !measurement.device.name.empty()) {
        text += "  " + measurement.reference.accelerator;
    }
    text += "\n";
    std::string how = fmt::format("{} points", measurement.points.size());
    if (!measurement.created.empty()) {
        how = fmt::format("{} {}, {}", measurement.backend == "published" ? "fitted" : "measured",
                          measurement.created.substr(0, 10), how);
    }
    if (measurement.duration_s > 0) {
        how += " in " + format_duration(measurement.duration_s);
    }
    const auto add = [&](const char* what, const std::string& value) {
        how += value.empty() ? "" : fmt::format("; {}{}", what, value);
    };
    add("matched by ", measurement.matched_by);
    add("", measurement.software.blas);
    add("", measurement.software.collectives);
    add("driver ", measurement.software.driver);
    add("data ", measurement.conditions.data);
    return text + "  " + wrap(how, style.width - 2, 2) + "\n";
}

std::string products_text(const std::vector<FittedProducts>& fits, const Style& style) {
    if (fits.empty()) {
        return "";
    }
    Table table(
        {"products", ">a of peak (95 %)", ">b of bandwidth", ">t0, us", ">unseen", ">points"});
    for (const FittedProducts& fit : fits) {
        table.add({std::string(name_of(fit.compute)),
                   with_interval(fit.compute_fraction, fit.compute_interval, 2),
                   with_interval(fit.bandwidth_fraction, fit.bandwidth_interval, 2),
                   with_interval(fit.overhead / microsecond, fit.overhead_interval_us, 1),
                   percent(fit.errors.holdout_median), fmt::format("{}", fit.errors.points)});
    }
    std::string text = "\n" + table.text(style);
    for (const FittedProducts& fit : fits) {
        if (fit.quality != "good" || style.explain) {
            text += "  " +
                    wrap(fmt::format("{}: {} fit, {:.0f} % of idle tiles show, errors {} "
                                     "(median), {} (9 in 10); unseen {}, {}",
                                     name_of(fit.compute), fit.quality, 100 * fit.wave_share,
                                     percent(fit.errors.median), percent(fit.errors.p90),
                                     percent(fit.errors.holdout_median),
                                     percent(fit.errors.holdout_p90)),
                         style.width - 2, 4) +
                    "\n";
        }
    }
    return text;
}

std::string collectives_text(const std::vector<FittedCollective>& fits, const Style& style) {
    if (fits.empty()) {
        return "";
    }
    Table table({"collective", ">ranks", ">alpha, us", ">bus GB/s", ">us/sqrt(MiB)", ">unseen"});
    for (const FittedCollective& fit : fits) {
        table.add({std::string(name_of(fit.operation)),
                   fit.nodes > 1 ? fmt::format("{} on {}", fit.ranks, fit.nodes)
                                 : fmt::format("{}", fit.ranks),
                   fmt::format("{:.1f}", fit.alpha / microsecond),
                   fmt::format("{:.1f}", fit.bandwidth / gigabyte_per_second),
                   fmt::format("{:.1f}", fit.gamma_us_per_sqrt_mib),
                   percent(fit.errors.holdout_median)});
    }
    return "\n" + table.text(style);
}

/// The rate of a point in the unit that fits it.
std::string rate_of(const MeasuredPoint& point) {
    const double seconds = counted_time(point).base();
    if (const double work = work_of(point).base(); work > 0) {
        const double rate = work / seconds;
        return rate >= 1e12 ? fmt::format("{:.1f} TFLOP/s", rate / 1e12)
                            : fmt::format("{:.1f} GFLOP/s", rate / 1e9);
    }
    if (point.bytes > 0) {
        return fmt::format("{:.1f} GB/s", point.bytes / seconds / 1e9);
    }
    return format_duration(seconds);
}

/// One line for each kind and name: its fastest point, the figure people look for first.
std::string rates_text(const MeasuredRun& measurement, const Style& style) {
    std::vector<std::string> order;
    std::map<std::string, const MeasuredPoint*> best;
    const auto rate = [](const MeasuredPoint& point) {
        const double work = work_of(point).base();
        return (work > 0 ? work : point.bytes > 0 ? point.bytes : 1) / counted_time(point).base();
    };
    for (const MeasuredPoint& point : measurement.points) {
        if (point.kind == PointKind::collective || point.kind == PointKind::overlap) {
            continue;
        }
        std::string key = fmt::format("{} {}", name_of(point.kind), point.name);
        key += point.flagged("own kernel") ? ", own kernel" : "";
        key += point.threads > 0 ? ", " + counted_noun(point.threads, "thread") : "";
        auto& kept = best[key];
        if (kept == nullptr) {
            order.push_back(key);
        }
        if (kept == nullptr || rate(point) > rate(*kept)) {
            kept = &point;
        }
    }
    Table table({"best of each kind", ">rate", ">p10 to p90", "at"});
    for (const std::string& key : order) {
        const MeasuredPoint& point = *best.at(key);
        const double median = point.time.median.base();
        std::string at = point.m > 0
                             ? fmt::format("{:.0f}x{:.0f}x{:.0f}", point.m, point.n, point.k)
                         : point.bytes > 0 ? format_gib(point.bytes / gibibyte.base())
                                           : std::string();
        for (const std::string& flag : point.flags) {
            at += flag == "own kernel" ? "" : " " + flag;
        }
        const double low = point.time.p10.base() / median - 1;
        const double high = point.time.p90.base() / median - 1;
        table.add(
            {key, rate_of(point), fmt::format("{:+.0f} to {:+.0f} %", 100 * low, 100 * high), at});
    }
    return order.empty() ? "" : "\n" + table.text(style);
}

/// What a product loses beside a collective, from the three times.
std::string overlap_text(const MeasuredRun& measurement, const Style& style) {
    const bool measured =
        std::any_of(measurement.points.begin(), measurement.points.end(),
                    [](const MeasuredPoint& point) { return point.kind == PointKind::overlap; });
    if (!measured) {
        return "";
    }
    const auto rate = rate_beside_collectives(measurement.points);
    const std::string found =
        rate ? fmt::format("a matrix product keeps {:.0f} % of its rate beside an all-reduce",
                           100 * *rate)
             : "unknown: the all-reduce took longer than the product beside it";
    return wrap("overlap: " + found, style.width, 2) + "\n";
}

/// Products of a CPU beside the peak of its multiply-adds, the best of each.
std::string peak_text(const MeasuredRun& measurement, const Style& style) {
    std::string text;
    for (const ComputeType type : {ComputeType::fp32, ComputeType::fp64}) {
        const auto peak = measurement.reference.peak[static_cast<std::size_t>(type)];
        FlopsPerSecond library;
        FlopsPerSecond own;
        for (const MeasuredPoint& point : measurement.points) {
            if (point.kind == PointKind::gemm && point.name == name_of(type)) {
                FlopsPerSecond& best = point.flagged("own kernel") ? own : library;
                best = std::max(best, work_of(point) / counted_time(point));
            }
        }
        if (measurement.backend == "cpu" && peak && library.base() > 0) {
            std::string line = fmt::format("{}: products reach {} of the peak of multiply-adds",
                                           name_of(type), percent(library / *peak));
            if (own.base() > 0) {
                line += fmt::format(", the probe's own kernel {}", percent(own / *peak));
            }
            text += wrap(line, style.width, 2) + "\n";
        }
    }
    return text;
}

std::string against_text(const std::vector<ProductTime>& lines, const Style& style) {
    if (lines.empty()) {
        return "";
    }
    Table table({"one 4096 x 4096 matrix product", "type", ">time", ">rate", ">times as fast", ""});
    for (const ProductTime& line : lines) {
        table.add({line.device, line.compute, format_duration(line.time / second),
                   fmt::format("{:.1f} TFLOP/s", line.rate / teraflop_per_second),
                   fmt::format("{:.0f}", lines.front().time / line.time), line.tier});
    }
    return "\n" + table.text(style);
}

std::string known_text(const std::vector<KnownFigure>& known, const Style& style) {
    if (known.empty()) {
        return "";
    }
    Table table({"beside what was known", ">measured", ">known", "by"});
    for (const KnownFigure& line : known) {
        table.add({line.what, fmt::format("{:.3g} {}", line.measured, line.unit),
                   fmt::format("{:.3g} {}", line.known, line.unit), line.tier});
    }
    return "\n" + table.text(style);
}

std::string notes_text(const char* mark, const std::vector<std::string>& notes, int width) {
    std::string text;
    for (const std::string& note : notes) {
        text += wrap(fmt::format("{}{}", mark, note), width, 2) + "\n";
    }
    return text;
}

}  // namespace

std::string calibration_text(const CalibrationAnswer& answer, const Style& style) {
    std::string text;
    if (answer.file.measurement) {
        const MeasuredRun& measurement = *answer.file.measurement;
        text += head_text(measurement, style);
        text += products_text(measurement.products, style);
        text += collectives_text(measurement.collectives, style);
        if (measurement.backend != "published" || style.explain) {
            text += rates_text(measurement, style);
        }
        text += peak_text(measurement, style);
        text += overlap_text(measurement, style);
        text += known_text(answer.known, style);
        text += against_text(answer.against, style);
        text += notes_text("warning: ", measurement.warnings, style.width);
    } else {
        text += fmt::format("{}: {} rows of kernels, {} of collectives, written by hand\n",
                            answer.file.path, answer.file.rows.kernels.size(),
                            answer.file.rows.collectives.size());
    }
    for (const RefusedFit& refused : answer.refused) {
        text +=
            wrap(fmt::format("not fitted: {}: {}", refused.what, refused.reason), style.width, 2) +
            "\n";
    }
    text += notes_text("note: ", answer.notes, style.width);
    if (!answer.written.empty()) {
        text += "written to " + answer.written + "\n";
    }
    return text;
}

std::string calibration_comparison_text(const MeasurementComparison& comparison,
                                        const Style& style) {
    Table table({"figure", ">speed", ">95 %", ">points", "verdict"});
    std::map<Verdict, int> counts;
    for (const ComparedFigure& figure : comparison.figures) {
        ++counts[figure.verdict];
        table.add({figure.what, fmt::format("x{:.3f}", figure.speed),
                   fmt::format("{:.3f} to {:.3f}", figure.interval.low, figure.interval.high),
                   figure.points > 0 ? fmt::format("{}", figure.points) : "fit",
                   std::string(name_of(figure.verdict))});
    }
    return fmt::format("{}\n{} same, {} faster, {} slower, {} ambiguous\n{}", table.text(style),
                       counts[Verdict::same], counts[Verdict::faster], counts[Verdict::slower],
                       counts[Verdict::ambiguous],
                       notes_text("note: ", comparison.notes, style.width));
}

std::string slow_nodes(const std::vector<NodeStanding>& nodes) {
    std::vector<std::string> names;
    for (const NodeStanding& node : nodes) {
        if (node.outlier) {
            for (const std::string& host : split(node.node, ',')) {
                names.push_back(host);
            }
        }
    }
    return hostlist(std::move(names));
}

std::string merge_text(const std::vector<NodeStanding>& nodes, const Style& style) {
    Table table({"node", ">time", ">worst", "in", ">points"});
    for (const NodeStanding& node : nodes) {
        table.add({node.node + (node.outlier ? " *" : ""),
                   fmt::format("{:+.1f} %", 100 * node.slowdown),
                   fmt::format("{:+.1f} %", 100 * node.worst_slowdown), node.worst,
                   fmt::format("{}", node.points)});
    }
    const std::string slow = slow_nodes(nodes);
    return table.text(style) + (slow.empty() ? "" : "\ndrain  " + slow + "\n");
}

}  // namespace ridgeline::report
