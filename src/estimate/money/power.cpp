#include "estimate/money/power.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

constexpr double server_watts_per_accelerator_watt = 1.8;  // data sheets of DGX, power.h
constexpr double continuous_load = 0.8;  // of a circuit: NEC 210.19

/// Leakage, memory and regulators: what does not follow the clock, of the default limit. Assumed.
constexpr double static_share = 0.2;

}  // namespace

Watts node_power_of(const Cluster& cluster) {
    // One accelerator of a larger machine does not answer for all of it.
    if (cluster.node_power && cluster.per_node > 1) {
        return *cluster.node_power;
    }
    return cluster.accelerator->tdp * server_watts_per_accelerator_watt *
           static_cast<double>(std::max(1, cluster.per_node));
}

PowerPlan power_plan(const Cluster& cluster, const Site& site) {
    PowerPlan plan;
    plan.nodes = cluster.nodes();
    plan.node_kw = node_power_of(cluster) / (1000.0 * watt);
    plan.it_kw = plan.node_kw * plan.nodes;
    plan.average_kw = plan.it_kw * site.load_factor;
    plan.facility_kw = plan.average_kw * site.pue;
    plan.btu_per_hour = plan.it_kw * btu_per_hour_per_kw;
    if (plan.node_kw > 0) {
        plan.nodes_per_rack = static_cast<int>(std::floor(site.rack_kw / plan.node_kw + 1e-9));
        const double feed_kw = site.circuit_volts * site.circuit_amperes * continuous_load / 1000;
        plan.circuits_per_node = static_cast<int>(std::ceil(plan.node_kw / feed_kw - 1e-9));
    }
    if (plan.nodes_per_rack > 0) {
        plan.racks = (plan.nodes + plan.nodes_per_rack - 1) / plan.nodes_per_rack;
    }
    plan.kwh_per_year = plan.facility_kw * hours_per_year;
    if (site.grid_gco2_per_kwh) {
        plan.tonnes_co2_per_year = plan.kwh_per_year * *site.grid_gco2_per_kwh / 1e6;
    }
    const Accelerator& part = *cluster.accelerator;
    const auto bf16 = part.peak(ComputeType::bf16);
    const auto rate = bf16 ? bf16 : part.peak(ComputeType::fp16);
    if (rate && plan.node_kw > 0) {
        plan.peak_tflops_per_watt =
            *rate / teraflop_per_second * std::max(1, cluster.per_node) / (plan.node_kw * 1000);
    }
    return plan;
}

PowerCap power_cap(const Accelerator& accelerator, double watts,
                   std::span<const PowerCapPoint> measured) {
    PowerCap cap;
    cap.watts = watts;
    const double limit = accelerator.tdp / watt;
    const double share = limit > 0 ? std::clamp(watts / limit, static_share + 0.05, 1.0) : 1;
    const double clock = std::cbrt((share - static_share) / (1 - static_share));
    cap.time_factor = 1 / clock;
    cap.energy_factor = cap.time_factor * share;
    double nearest = 0.1;  // a point further off says nothing of this limit
    for (const PowerCapPoint& point : measured) {
        const double distance = std::abs(point.cap_watts / point.default_watts - share);
        if (point.accelerator == accelerator.id && distance < nearest) {
            nearest = distance;
            cap.measured = &point;
            cap.time_factor_measured = 1 / point.speed;
        }
    }
    return cap;
}

}  // namespace ridgeline
