#include "advise/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::rule {
namespace {

// MIG slices: sevenths of the compute with eighths of the memory on parts with 7 instances,
// quarters of both on parts with 4.
double slice_share(int instances) {
    return instances >= 7 ? 1.0 / 8 : 1.0 / instances;
}

bool wants_mig(const RuleContext& c) {
    return c.query != nullptr &&
           std::find(c.query->require.begin(), c.query->require.end(), "mig") !=
               c.query->require.end();
}

}  // namespace

Found mig_would_serve(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const int instances = part.mig_instances.value_or(0);
    const MemoryEstimate& memory = c.estimate.memory;
    // A server that claims a fixed share of the card says nothing about its need.
    const bool claims = c.software != nullptr && c.software->memory_fraction.has_value();
    const double need = (claims ? memory.allocated : memory.process) / memory.capacity;
    if (instances < 2 || c.cluster.count != 1 || !memory.fits || need > slice_share(instances)) {
        return {};
    }
    return finding(
        "mig_would_serve",
        Severity::info,
        fmt::format("it uses {:.0f} % of the memory: one of {} MIG instances would hold it",
                    100 * need,
                    instances),
        {{"used_percent", 100 * need}, {"instances", static_cast<double>(instances)}},
        "catalog: mig");
}

Found mig_impossible(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    if (!wants_mig(c) || part.mig_instances.value_or(0) >= 2) {
        return {};
    }
    return finding("mig_impossible",
                   Severity::error,
                   part.name + " cannot be divided into MIG instances",
                   {{"instances", 0}},
                   "catalog: mig");
}

}  // namespace ridgeline::rule
