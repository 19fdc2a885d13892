#include "estimate/estimate.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Maximum power of a server over the sum of its accelerators' limits, where the machine's own
/// figure is unknown: DGX H100 10.2 kW / (8 x 700 W) = 1.82, DGX B200 14.3 kW / (8 x 1000 W)
/// = 1.79, DGX A100 6.5 kW / (8 x 400 W) = 2.03 (vendor data sheets).
constexpr double server_watts_per_accelerator_watt = 1.8;

/// Part of its maximum power that a machine draws while its accelerators wait. Assumed.
constexpr double idle_share = 0.35;

/// Power of the whole rented machinery: nodes at their maximum while the accelerators compute,
/// `idle_share` of it while they wait.
Watts power_of(const EstimateInput& input, const TimeEstimate& time, int paid) {
    const Accelerator& part = *input.device.accelerator;
    const int per_node = std::max(1, input.cluster.per_node);
    const Watts full = input.cluster.node_power && per_node > 1
                           ? *input.cluster.node_power / per_node
                           : part.tdp * server_watts_per_accelerator_watt;
    // Streaming work keeps the memory busy and draws nearly as much as matrix work; waiting for
    // links, hosts and empty pipeline slots does not.
    double waiting = 0;
    for (const TimeComponent& component : time.components) {
        if (component.bound != Bound::compute && component.bound != Bound::memory) {
            waiting += component.time.base();
        }
    }
    const double busy = time.step.base() > 0 ? 1 - std::min(1.0, waiting / time.step.base()) : 1;
    const double used = input.cluster.count * (idle_share + (1 - idle_share) * busy);
    const double unused = std::max(0, paid - input.cluster.count) * idle_share;
    return full * (used + unused);
}

}  // namespace

CostEstimate estimate_cost(const EstimateInput& input,
                           const TimeEstimate& time,
                           const Offer* offer) {
    CostEstimate cost;
    const int count = input.cluster.count;
    int paid = count;
    if (offer != nullptr && offer->count > 0) {
        cost.offer = *offer;
        cost.instances = (count + offer->count - 1) / offer->count;
        paid = cost.instances * offer->count;
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
        if (time.tokens_per_second > 0) {
            cost.usd_per_million_tokens = cost.usd_per_hour / 3600 / time.tokens_per_second * 1e6;
        }
    }
    return cost;
}

}  // namespace ridgeline
