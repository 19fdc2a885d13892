#include "estimate/money/cost.h"

#include "estimate/money/energy.h"
#include "estimate/money/power.h"
#include "estimate/time/training.h"
#include "spec/mig.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Power of the whole rented machinery: nodes at their maximum while the accelerators compute,
/// `idle_share` of it while they wait.
Watts power_of(const EstimateInput& input, const TimeEstimate& time, int paid) {
    const Watts full =
        node_power_of(input.cluster) / static_cast<double>(std::max(1, input.cluster.per_node));
    double waiting = 0;
    for (const TimeComponent& component : time.components) {
        waiting += waits(component.bound) ? component.time.base() : 0;
    }
    const double used = input.cluster.count * power_share(time.step.base(), waiting);
    const double unused = std::max(0, paid - input.cluster.count) * idle_share;
    return full * (used + unused);
}

}  // namespace

CostEstimate estimate_cost(const EstimateInput& input, const TimeEstimate& time,
                           const Offer* offer) {
    CostEstimate cost;
    const int count = input.cluster.count;
    int paid = count;
    if (offer != nullptr && offer->count > 0) {
        cost.offer = *offer;
        cost.offer->count *= slices_of_card(*input.cluster.accelerator);
        cost.instances = (count + cost.offer->count - 1) / cost.offer->count;
        paid = cost.instances * cost.offer->count;
        cost.idle_accelerators = paid - count;
        cost.usd_per_hour = cost.instances * offer->usd_per_hour;
    }
    const Watts power = power_of(input, time, paid);
    cost.watts = power / watt;
    const bool has_length = time.total > Seconds{};
    const Seconds length = has_length ? time.total : hour;
    cost.kwh = power * length / kilowatt_hour;
    if (cost.offer) {
        cost.usd_total = has_length ? cost.usd_per_hour * (time.total / hour) : 0;
        // A run with faults and checkpoints is wider than the range of its steps.
        const Seconds low = time.run ? time.run->low : time.total * time.band.low;
        const Seconds high = time.run ? time.run->high : time.total * time.band.high;
        cost.usd_total_low = cost.usd_per_hour * (low / hour);
        cost.usd_total_high = cost.usd_per_hour * (high / hour);
        if (time.samples_per_second > 0) {
            cost.usd_per_sample = cost.usd_per_hour / 3600 / time.samples_per_second;
        }
        if (time.tokens_per_second > 0) {
            cost.usd_per_million_tokens = cost.usd_per_hour / 3600 / time.tokens_per_second * 1e6;
        }
    }
    return cost;
}

}  // namespace ridgeline
