#include "estimate/time/trace_time.h"

#include "estimate/time/collective.h"
#include "estimate/time/roofline.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

/// Kernels of few bytes take what a launch on the device takes, whatever they compute.
double seconds_of(const TracedOperator& op, const DeviceModel& device, Bound& bound, Tier& tier) {
    const auto type = static_cast<std::size_t>(op.type);
    const auto at = static_cast<std::size_t>(op.operator_class);
    const RooflineTerms& rates = device.training_terms[type][at];
    double flops = op.flops.base();
    if (op.k > 0 && rates.wave_share > 0 && rates.units > 0 && flops > 0) {
        const GemmShape shape{.m = op.m, .n = op.n, .k = op.k, .count = op.products};
        const double padded = full_wave_work(shape, rates.units).base() / shape.flops().base();
        flops *= 1 + rates.wave_share * std::max(0.0, padded - 1);
    }
    if (flops > 0) {
        flops /= device.sustained_rate;  // products of long runs see the sustained clock
    }
    const OperatorTime time = roofline_time(rates, Flops::of_base(flops), op.traffic);
    bound = time.bound;
    tier = std::max(tier, time.tier);
    return time.time.base() + rates.overhead * std::max(0.0, op.kernels - 1);
}

double ratio_of(const TraceRatios& ratios, const TracedOperator& op) {
    const double own = ratios.of[static_cast<std::size_t>(op.operator_class)];
    return own > 0 ? own : ratios.all;
}

struct TraceSums {
    double forward = 0, backward = 0, optimizer = 0;
    double convolutions = 0, attention = 0;
    double compute_bound = 0, flops = 0;
    std::array<double, 3> bound{};  ///< compute-bound seconds of each phase

    [[nodiscard]] double device() const { return forward + backward + optimizer; }
};

/// Whose measured errors the range is: networks that convolve, transformers, or networks of any
/// kind.
PredictionKind kind_of(const TraceSums& sums, const Accelerator& part) {
    constexpr double share = 0.2;  // of the device's time
    if (sums.convolutions > share * sums.device()) {
        return {"networks", {"train", "vision", "pytorch", "*", part.architecture, part.id}};
    }
    if (sums.attention > 0) {
        return {"train_time", {"full", "pytorch", "dense", part.architecture, part.id}};
    }
    return {"networks", {"train", "*", "pytorch", "*", part.architecture, part.id}};
}

}  // namespace

TraceRatios trace_ratios(const OperatorTrace& trace, const DeviceModel& measured_on) {
    TraceRatios out;
    std::array<double, operator_classes> measured{}, predicted{};
    for (const TracedOperator& op : trace.operators) {
        if (!(op.measured.base() > 0)) {
            continue;
        }
        Bound bound{};
        Tier tier = Tier::measured;
        const auto at = static_cast<std::size_t>(op.operator_class);
        measured[at] += op.count * op.measured.base();
        predicted[at] += op.count * seconds_of(op, measured_on, bound, tier);
    }
    double all_measured = 0, all_predicted = 0;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        out.of[i] = predicted[i] > 0 ? measured[i] / predicted[i] : 0;
        all_measured += measured[i];
        all_predicted += predicted[i];
    }
    out.all = all_predicted > 0 ? all_measured / all_predicted : 1;
    return out;
}

TimeEstimate trace_time(const OperatorTrace& trace, const Cluster& cluster,
                        const DeviceModel& device, const Calibration& calibration,
                        const TraceRatios& ratios, Seconds launch) {
    TimeEstimate result;
    TraceSums sums;
    for (const TracedOperator& op : trace.operators) {
        Bound bound{};
        const double seconds =
            op.count * seconds_of(op, device, bound, result.worst_tier) * ratio_of(ratios, op);
        double& phase = op.phase == TracedPhase::forward    ? sums.forward
                        : op.phase == TracedPhase::backward ? sums.backward
                                                            : sums.optimizer;
        phase += seconds;
        const OperatorClass kind = op.operator_class;
        if (kind == OperatorClass::convolution || kind == OperatorClass::depthwise_convolution) {
            sums.convolutions += seconds;
        } else if (kind == OperatorClass::attention_forward) {
            sums.attention += seconds;
        }
        sums.flops += op.count * op.flops.base();
        if (bound == Bound::compute) {
            sums.compute_bound += seconds;
            sums.bound[static_cast<std::size_t>(op.phase)] += seconds;
        }
    }
    double exchanged = 0;
    const LinkModel links = link_model(cluster, calibration);
    for (const TracedCollective& collective : trace.collectives) {
        const int ranks = collective.ranks > 0 ? collective.ranks : cluster.count;
        const CollectiveTime time =
            collective_time(links, collective.operation, collective.size, ranks,
                            std::min(ranks, std::max(1, cluster.per_node)));
        exchanged += collective.count * time.time.base();
        if (time.time.base() > 0) {
            result.worst_tier = std::max(result.worst_tier, time.tier);
        }
    }
    const auto add = [&result](std::string_view name, double seconds, Bound bound) {
        if (seconds > 0) {
            result.components.push_back({name, Seconds::of_base(seconds), bound});
        }
    };
    const auto side = [&sums](std::size_t at, double seconds) {
        return sums.bound[at] > 0.5 * seconds ? Bound::compute : Bound::memory;
    };
    add("forward", sums.forward, side(0, sums.forward));
    add("backward", sums.backward, side(1, sums.backward));
    add("optimizer", sums.optimizer, side(2, sums.optimizer));
    add("collectives", std::max(0.0, exchanged - sums.backward), Bound::communication);
    add("host launches", trace.launches() * launch.base() - sums.device(), Bound::overhead);
    double seconds = 0;
    std::array<double, 5> by_bound{};
    for (const TimeComponent& component : result.components) {
        seconds += component.time.base();
        by_bound[static_cast<std::size_t>(component.bound)] += component.time.base();
    }
    result.step = Seconds::of_base(seconds);
    result.bound = static_cast<Bound>(std::ranges::max_element(by_bound) - by_bound.begin());
    const Accelerator& part = *cluster.accelerator;
    result.band = band_for(calibration, kind_of(sums, part));
    result.compute_bound_share = seconds > 0 ? std::min(1.0, sums.compute_bound / seconds) : 0;
    const double peak = device.peak_of(ComputeType::bf16).base();
    result.mfu = peak > 0 && seconds > 0 ? sums.flops / (peak * seconds) : 0;
    return result;
}

}  // namespace ridgeline
