#include "advise/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::rule {
namespace {

constexpr double usual_rack_kw = 10;  // what most rooms cool per rack; above 30 kW is rare
constexpr double btu_per_hour_per_watt = 3.41214;
constexpr double liquid_from_watts = 1100;

double node_watts(const RuleContext& c) {
    if (c.cluster.node_power) {
        return *c.cluster.node_power / watt;
    }
    // The estimate's power is that of whole machines.
    const int nodes = std::max(1, c.cluster.nodes());
    return c.estimate.cost.watts / nodes;
}

}  // namespace

Found node_power(const RuleContext& c) {
    const double watts = node_watts(c);
    const bool owned = c.query != nullptr && (c.query->owned || c.query->buy);
    if (watts < usual_rack_kw * 1000 && !(owned && watts > 1500)) {
        return {};
    }
    const char* limit = watts >= usual_rack_kw * 1000 ? "more than a usual rack's 10 kW"
                                                      : "more than one 1.5 kW household circuit";
    return finding("node_power", owned ? Severity::warning : Severity::info,
                   fmt::format("a node draws up to {:.1f} kW, {}, and gives off {:.0f} BTU/h",
                               watts / 1000, limit, watts * btu_per_hour_per_watt),
                   {{"node_kw", watts / 1000}, {"btu_per_hour", watts * btu_per_hour_per_watt}},
                   "catalog: power; rack densities after Uptime Institute 2025");
}

Found liquid_cooling(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const double watts = part.tdp / watt;
    if (watts < liquid_from_watts) {
        return {};
    }
    return finding("liquid_cooling", Severity::info,
                   fmt::format("{:.0f} W an accelerator: sold in liquid-cooled systems", watts),
                   {{"tdp_w", watts}}, "catalog: tdp");
}

}  // namespace ridgeline::rule
