#include "advise/rules/rule.h"
#include "estimate/time/device.h"

#include <fmt/format.h>

// What bounds the work, and what that means for the choice of hardware.

namespace ridgeline::rule {
namespace {

/// What its units take the products in.
ComputeType products(const RuleContext& c) {
    return nearest_supported(*c.cluster.accelerator, c.workload.compute);
}

// FLOP per byte at which matrix rate and bandwidth are balanced.
double ridge(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const auto peak = part.peak(products(c));
    return peak && part.memory_bandwidth.base() > 0 ? peak->base() / part.memory_bandwidth.base()
                                                    : 0;
}

bool timed(const RuleContext& c) {
    return c.estimate.time.step > Seconds{} || c.estimate.time.tpot > Seconds{};
}

}  // namespace

Found compute_bound(const RuleContext& c) {
    if (!timed(c) || c.estimate.time.bound != Bound::compute) {
        return {};
    }
    return finding(
        "compute_bound", Severity::info,
        fmt::format("bound by compute ({:.0f} % of device time, MFU {:.0f} %): choose by "
                    "dense {} rate; above {:.0f} FLOP/byte bandwidth adds nothing",
                    100 * c.estimate.time.compute_bound_share, 100 * c.estimate.time.mfu,
                    name_of(products(c)), ridge(c)),
        {{"compute_bound_percent", 100 * c.estimate.time.compute_bound_share},
         {"mfu_percent", 100 * c.estimate.time.mfu},
         {"ridge_flop_per_byte", ridge(c)}},
        "roofline");
}

Found memory_bound(const RuleContext& c) {
    if (!timed(c) || c.estimate.time.bound != Bound::memory) {
        return {};
    }
    const double bandwidth = c.cluster.accelerator->memory_bandwidth / gigabyte_per_second;
    return finding(
        "memory_bound", Severity::info,
        fmt::format("bound by memory bandwidth ({:.0f} GB/s): choose by bandwidth, or batch "
                    "more work per pass up to {:.0f} FLOP/byte",
                    bandwidth, ridge(c)),
        {{"bandwidth_gb_per_s", bandwidth}, {"ridge_flop_per_byte", ridge(c)}}, "roofline");
}

Found launch_bound(const RuleContext& c) {
    if (!timed(c) || c.estimate.time.bound != Bound::overhead) {
        return {};
    }
    return finding("launch_bound", Severity::warning,
                   "bound by the host that launches kernels: a larger batch, compilation or CUDA "
                   "graphs help, a faster accelerator does not",
                   {{"step_s", c.estimate.time.step / second}}, "time model");
}

}  // namespace ridgeline::rule
