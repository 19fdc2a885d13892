#include "base/order.h"
#include "report/roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

constexpr double tera = 1e12;

bool has_place(const TimedOperator& op) { return op.intensity() > 0 && op.seconds > 0; }

/// Intensities that the chart must show: operators and ridge points.
struct Reach {
    double low = 0;
    double high = 0;
    void take(double x) {
        low = low > 0 ? std::min(low, x) : x;
        high = std::max(high, x);
    }
};

Reach reach_of(const RooflineAnswer& answer) {
    Reach reach;
    for (const RooflineMachine& machine : answer.machines) {
        for (const TimedOperator& op : machine.profile.operators) {
            if (has_place(op)) {
                reach.take(op.intensity());
            }
        }
        for (const Roof& roof : machine.profile.roofs) {
            reach.take(roof.ridge_point());
        }
    }
    if (reach.high <= 0) {
        return {1, 1000};
    }
    // Some of the slope and of the flat part always show.
    return {reach.low / 3, reach.high * 3};
}

Series roof_series(const Roof& roof, const std::string& name, const Reach& reach, int color) {
    Series series{.name = fmt::format("{} {} roof", name, name_of(roof.type)),
                  .marks = false,
                  .color = color};
    const auto attainable = [&](double x) {
        return std::min(roof.peak.base(), x * roof.bandwidth.base()) / tera;
    };
    for (const double x : {reach.low, roof.ridge_point(), reach.high}) {
        series.points.push_back({.x = x, .y = attainable(x)});
    }
    return series;
}

Series operator_series(const RooflineMachine& machine, const std::string& name, int color) {
    Series series{.name = name + " operators", .line = false, .color = color};
    for (const TimedOperator& op : merged_operators(machine.profile)) {
        if (has_place(op)) {
            const double rate = op.flops / op.seconds / tera;
            series.points.push_back(
                {.x = op.intensity(),
                 .y = rate,
                 .label = fmt::format("{} {}: {:.4g} FLOP/byte, {:.4g} TFLOP/s, {}-bound", op.name,
                                      op.phase, op.intensity(), rate, name_of(op.bound))});
        }
    }
    return series;
}

}  // namespace

OperatorLog merged_operators(const OperatorProfile& profile) {
    OperatorLog merged;
    std::vector<double> longest;  // of the parts: the bound of the longest stands for all
    for (const TimedOperator& op : profile.operators) {
        const auto same = std::ranges::find_if(merged, [&](const TimedOperator& other) {
            return other.name == op.name && other.phase == op.phase && other.type == op.type;
        });
        const double seconds = op.seconds * op.repeat;
        if (same == merged.end()) {
            merged.push_back(op);
            merged.back().flops *= op.repeat;
            merged.back().bytes *= op.repeat;
            merged.back().seconds = seconds;
            merged.back().repeat = 1;
            longest.push_back(seconds);
            continue;
        }
        same->flops += op.flops * op.repeat;
        same->bytes += op.bytes * op.repeat;
        same->seconds += seconds;
        double& most = longest[static_cast<std::size_t>(same - merged.begin())];
        if (seconds > most) {
            most = seconds;
            same->bound = op.bound;
        }
    }
    stable_order(merged.begin(), merged.end(),
                 [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return merged;
}

double kernel_seconds(const OperatorProfile& profile) {
    double seconds = 0;
    for (const TimedOperator& op : profile.operators) {
        seconds += op.seconds * op.repeat;
    }
    return seconds;
}

Plot roofline_plot(const RooflineAnswer& answer) {
    Plot plot{.title = "Roofline of " +
                       (answer.machines.empty()
                            ? answer.architecture.name
                            : workload_line(answer.architecture, answer.machines.front().workload)),
              .description =
                  "Attained rate of each operator against its FLOPs per byte, below "
                  "the roof of dense peak and memory bandwidth.",
              .x = {.label = "FLOP per byte", .scale = Scale::logarithmic},
              .y = {.label = "TFLOP/s of one accelerator", .scale = Scale::logarithmic}};
    const Reach reach = reach_of(answer);
    plot.x.low = reach.low;
    plot.x.high = reach.high;
    int color = 0;
    for (const RooflineMachine& machine : answer.machines) {
        const std::string name = machine.cluster.accelerator->name;
        bool first = true;
        for (const Roof& roof : machine.profile.roofs) {
            plot.series.push_back(roof_series(roof, first ? name : "", reach, color));
            first = false;
        }
        if (machine.problem.empty()) {
            plot.series.push_back(operator_series(machine, name, color));
        }
        ++color;
    }
    return plot;
}

}  // namespace ridgeline::report
