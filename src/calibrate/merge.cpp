#include "calibrate/merge.h"

#include "calibrate/statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ridgeline {
namespace {

using Medians = std::map<std::string, Seconds>;  // by label of the point

/// Points by label, in the order of their first appearance.
struct Gathered {
    std::vector<std::string> order;
    std::map<std::string, std::vector<const MeasuredPoint*>> points;
};

Gathered gather(const std::vector<MeasuredRun>& parts) {
    Gathered gathered;
    for (const MeasuredRun& part : parts) {
        for (const MeasuredPoint& point : part.points) {
            const std::string label = label_of(point);
            auto& list = gathered.points[label];
            if (list.empty()) {
                gathered.order.push_back(label);
            }
            list.push_back(&point);
        }
    }
    return gathered;
}

Seconds median_time(const std::vector<const MeasuredPoint*>& points, Seconds Spread::*figure) {
    std::vector<double> times;
    for (const MeasuredPoint* point : points) {
        times.push_back((point->time.*figure).base());
    }
    return median(times) * second;
}

MeasuredPoint merged_point(const std::vector<const MeasuredPoint*>& points, Pace pace) {
    const auto slower = [](const MeasuredPoint* a, const MeasuredPoint* b) {
        return a->time.median < b->time.median;
    };
    MeasuredPoint merged = **std::max_element(points.begin(), points.end(), slower);
    std::set<std::string> flags;
    for (const MeasuredPoint* point : points) {
        flags.insert(point->flags.begin(), point->flags.end());
        if (point->correct) {
            merged.correct = merged.correct.value_or(true) && *point->correct;
        }
    }
    if (pace == Pace::median) {
        merged.time.median = median_time(points, &Spread::median);
        merged.time.p10 = median_time(points, &Spread::p10);
        merged.time.p90 = median_time(points, &Spread::p90);
        merged.time.least = median_time(points, &Spread::least);
        // A flag of one node does not spoil what the median of all of them says.
        std::erase_if(flags, [&](const std::string& flag) {
            const auto has = [&](const MeasuredPoint* point) { return point->flagged(flag); };
            return 2 * std::count_if(points.begin(), points.end(), has) <=
                   static_cast<std::ptrdiff_t>(points.size());
        });
    }
    merged.flags.assign(flags.begin(), flags.end());
    return merged;
}

constexpr const char* all_kinds = "";
constexpr double deviation_of_mad = 1.4826;  // of a normal distribution

/// Of one node: the median ratio of its times to those of all nodes, by kind of point and in all.
using Ratios = std::map<std::string, double>;

Ratios ratios_of(const MeasuredRun& part, const Medians& medians, int& points) {
    std::map<std::string, std::vector<double>> by_kind;
    for (const MeasuredPoint& point : part.points) {
        const auto found = medians.find(label_of(point));
        if (found != medians.end() && found->second.base() > 0) {
            const double ratio = point.time.median / found->second;
            by_kind[all_kinds].push_back(ratio);
            by_kind[fmt::format("{} {}", name_of(point.kind), point.name)].push_back(ratio);
        }
    }
    points = static_cast<int>(by_kind[all_kinds].size());
    Ratios ratios;
    for (const auto& [kind, values] : by_kind) {
        ratios[kind] = values.empty() ? 1 : median(values);
    }
    return ratios;
}

/// How far a kind's ratio must be above 1 to be no scatter.
double threshold_of(const std::string& kind, const std::vector<Ratios>& nodes) {
    std::vector<double> deviations;
    for (const Ratios& ratios : nodes) {
        if (const auto found = ratios.find(kind); found != ratios.end()) {
            deviations.push_back(std::abs(found->second - 1));
        }
    }
    return std::max(outlier_above, outlier_deviations * deviation_of_mad * median(deviations));
}

NodeStanding standing_of(const std::string& node, int points, const Ratios& ratios,
                         const std::vector<Ratios>& nodes) {
    NodeStanding standing;
    standing.node = node;
    standing.points = points;
    for (const auto& [kind, ratio] : ratios) {
        const double slowdown = ratio - 1;
        const bool outlier = slowdown > threshold_of(kind, nodes);
        standing.outlier = standing.outlier || outlier;
        if (kind == all_kinds) {
            standing.slowdown = slowdown;
            standing.everywhere = outlier;
        } else if (standing.worst.empty() || slowdown > standing.worst_slowdown) {
            standing.worst = kind;
            standing.worst_slowdown = slowdown;
        }
    }
    return standing;
}

std::optional<Error> mismatch(const MeasuredRun& first, const MeasuredRun& other) {
    const auto differs = [&](const char* what, const std::string& a, const std::string& b) {
        return Error{
            ErrorKind::input, "calibrate merge",
            fmt::format("{} is of {} \"{}\", {} of \"{}\"", first.node, what, a, other.node, b),
            "Merge files of equal nodes, measured alike."};
    };
    if (first.reference.accelerator != other.reference.accelerator) {
        return differs("accelerator", first.reference.accelerator, other.reference.accelerator);
    }
    if (first.backend != other.backend) {
        return differs("backend", first.backend, other.backend);
    }
    if (first.method != other.method) {
        return differs("method", std::to_string(first.method), std::to_string(other.method));
    }
    return std::nullopt;
}

}  // namespace

Result<MergedMeasurement> merge_measurements(const std::vector<MeasuredRun>& parts, Pace pace) {
    if (parts.size() < 2) {
        return input_error("calibrate merge", "found one file, expected at least two");
    }
    for (const MeasuredRun& part : parts) {
        if (auto problem = mismatch(parts.front(), part)) {
            return tl::unexpected(std::move(*problem));
        }
    }
    MergedMeasurement merged;
    merged.measurement = parts.front();
    MeasuredRun& whole = merged.measurement;
    whole.points.clear();
    whole.products.clear();
    whole.collectives.clear();
    whole.warnings.clear();
    whole.node = fmt::format("{} nodes", parts.size());
    whole.device.hash.clear();
    const Gathered gathered = gather(parts);
    Medians medians;
    for (const std::string& label : gathered.order) {
        const auto& points = gathered.points.at(label);
        if (2 * points.size() >= parts.size()) {
            medians[label] = median_time(points, &Spread::median);
            whole.points.push_back(merged_point(points, pace));
        }
    }
    std::vector<Ratios> nodes;
    std::vector<int> counts;
    for (const MeasuredRun& part : parts) {
        nodes.push_back(ratios_of(part, medians, counts.emplace_back()));
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const MeasuredRun& part = parts[i];
        merged.nodes.push_back(standing_of(part.node, counts[i], nodes[i], nodes));
        whole.merged_from.push_back(part.node);
        whole.created = std::max(whole.created, part.created);
        whole.duration_s = std::max(whole.duration_s, part.duration_s);
        const NodeStanding& standing = merged.nodes.back();
        if (standing.outlier) {
            whole.warnings.push_back(fmt::format(
                "node {} is {:.0f} % slow{}", part.node,
                100 * (standing.everywhere ? standing.slowdown : standing.worst_slowdown),
                standing.everywhere ? std::string() : " in " + standing.worst));
        }
    }
    return merged;
}

}  // namespace ridgeline
