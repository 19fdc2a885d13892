#include "calibrate/compare.h"

#include "base/text.h"
#include "calibrate/statistics.h"

#include <fmt/core.h>

#include <array>
#include <map>

namespace ridgeline {
namespace {

constexpr int comparison_samples = 400;  // of the bootstrap

/// What two runs on a quiet machine differ by.
constexpr double run_to_run = 0.02;

Verdict verdict_of(const FitInterval& interval) {
    const double low = 1 / (1 + run_to_run);
    const double high = 1 + run_to_run;
    if (interval.low >= low && interval.high <= high) {
        return Verdict::same;
    }
    if (interval.low > high) {
        return Verdict::faster;
    }
    return interval.high < low ? Verdict::slower : Verdict::ambiguous;
}

std::string group_of(const MeasuredPoint& point) {
    std::string group = fmt::format("{} {}", name_of(point.kind), point.name);
    if (point.threads > 0) {
        group += ", " + counted_noun(point.threads, "thread");
    }
    if (point.ranks > 1) {
        group += fmt::format(", {} ranks", point.ranks);
    }
    return group;
}

/// FitInterval of a ratio of two single figures from the spread of each.
FitInterval spread_of(const Spread& before, const Spread& after) {
    const auto or_median = [](Seconds quantile, Seconds median) {
        return quantile.base() > 0 ? quantile : median;
    };
    return {or_median(before.p10, before.median) / or_median(after.p90, after.median),
            or_median(before.p90, before.median) / or_median(after.p10, after.median)};
}

/// 95 % interval of the median of the ratios.
FitInterval median_interval(const std::vector<double>& ratios) {
    Random random(bootstrap_seed);
    std::vector<double> medians;
    for (int b = 0; b < comparison_samples; ++b) {
        std::vector<double> drawn;
        for (const std::size_t index : resample(random, ratios.size())) {
            drawn.push_back(ratios[index]);
        }
        medians.push_back(median(drawn));
    }
    return {quantile(medians, 0.025), quantile(medians, 0.975)};
}

struct PointPair {
    const MeasuredPoint* before;
    const MeasuredPoint* after;
};

std::map<std::string, std::vector<PointPair>> common_points(const MeasuredRun& before,
                                                            const MeasuredRun& after) {
    std::map<std::string, const MeasuredPoint*> known;
    for (const MeasuredPoint& point : before.points) {
        known[label_of(point)] = &point;
    }
    std::map<std::string, std::vector<PointPair>> groups;
    for (const MeasuredPoint& point : after.points) {
        const auto found = known.find(label_of(point));
        if (found != known.end() && point.time.median.base() > 0 &&
            found->second->time.median.base() > 0) {
            groups[group_of(point)].push_back({found->second, &point});
        }
    }
    return groups;
}

ComparedFigure compared(const std::string& what, const std::vector<PointPair>& pairs) {
    std::vector<double> ratios;
    for (const PointPair& pair : pairs) {
        ratios.push_back(pair.before->time.median / pair.after->time.median);
    }
    ComparedFigure figure;
    figure.what = what;
    figure.speed = median(ratios);
    figure.points = static_cast<int>(pairs.size());
    // Below three points the median has no spread of its own: the repetitions give it.
    figure.interval = pairs.size() < 3
                          ? spread_of(pairs.front().before->time, pairs.front().after->time)
                          : median_interval(ratios);
    figure.verdict = verdict_of(figure.interval);
    return figure;
}

/// A fraction of two fits: larger is faster.
ComparedFigure compared_fraction(const std::string& what, double before,
                                 const FitInterval& before_interval, double after,
                                 const FitInterval& after_interval) {
    ComparedFigure figure;
    figure.what = what;
    figure.speed = after / before;
    figure.interval = {after_interval.low / before_interval.high,
                       after_interval.high / before_interval.low};
    figure.verdict = verdict_of(figure.interval);
    return figure;
}

void compare_fits(const MeasuredRun& before, const MeasuredRun& after,
                  std::vector<ComparedFigure>& figures) {
    for (const FittedProducts& old_fit : before.products) {
        for (const FittedProducts& new_fit : after.products) {
            if (old_fit.compute != new_fit.compute) {
                continue;
            }
            const std::string type(name_of(old_fit.compute));
            figures.push_back(compared_fraction(
                "compute fraction of " + type, old_fit.compute_fraction, old_fit.compute_interval,
                new_fit.compute_fraction, new_fit.compute_interval));
            figures.push_back(
                compared_fraction("bandwidth fraction of " + type, old_fit.bandwidth_fraction,
                                  old_fit.bandwidth_interval, new_fit.bandwidth_fraction,
                                  new_fit.bandwidth_interval));
        }
    }
}

void note_differences(const MeasuredRun& before, const MeasuredRun& after,
                      std::vector<std::string>& notes) {
    const auto note = [&](const char* what, const std::string& then, const std::string& now) {
        if (then != now && !then.empty() && !now.empty()) {
            notes.push_back(fmt::format("{}: {} then, {} now", what, then, now));
        }
    };
    note("device", before.device.name, after.device.name);
    note("driver", before.software.driver, after.software.driver);
    note("matrix library", before.software.blas, after.software.blas);
    note("collectives", before.software.collectives, after.software.collectives);
    const auto watts = [](const DeviceRecord& device) {
        return device.power_limit_w ? fmt::format("{:.0f} W", *device.power_limit_w)
                                    : std::string();
    };
    note("power limit", watts(before.device), watts(after.device));
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    constexpr std::array<std::string_view, 4> names = {"same", "faster", "slower", "ambiguous"};
    return names[static_cast<std::size_t>(verdict)];
}

Result<MeasurementComparison> compare_measurements(const MeasuredRun& before,
                                                   const MeasuredRun& after) {
    if (before.method != after.method) {
        return input_error("calibrate compare",
                           fmt::format("the first was measured by method {}, the second by {}",
                                       before.method, after.method),
                           "Figures of different methods do not compare.");
    }
    MeasurementComparison comparison;
    for (const auto& [what, pairs] : common_points(before, after)) {
        comparison.figures.push_back(compared(what, pairs));
    }
    compare_fits(before, after, comparison.figures);
    if (comparison.figures.empty()) {
        return input_error("calibrate compare", "the two files have no point in common",
                           "Probe both with the same --backend and --kinds.");
    }
    note_differences(before, after, comparison.notes);
    return comparison;
}

}  // namespace ridgeline
