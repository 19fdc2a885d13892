#include "estimate/time/slow_kernels.h"

#include <algorithm>

namespace ridgeline {

PassCost host_rows_cost(const DeviceModel& device, const Operator& op) {
    PassCost out;
    const auto rate = device.accelerator->pcie_rate;
    out.device = rate && rate->base() > 0 ? 2 * op.forward_traffic.base() / rate->base() : 0;
    out.worst = Tier::transferred;
    return out;
}

PassCost filtering_cost(const DeviceModel& device,
                        const RooflineTerms& moved,
                        const Operator& op,
                        bool back) {
    constexpr double reached = 0.21;  // of the fp32 rate (fitted_on in tests/evidence)
    const double peak = device.accelerator->peak_vector_fp32.value_or(FlopsPerSecond{}).base();
    const double bytes = (back ? op.backward_traffic : op.forward_traffic).base();
    const double flops = (back ? op.backward : op.forward).base();
    PassCost out;
    out.device = std::max(peak > 0 ? flops / (reached * peak) : 0, bytes * moved.seconds_per_byte);
    out.kernels = back ? op.backward_kernels : op.forward_kernels;
    out.worst = Tier::transferred;
    return out;
}

}  // namespace ridgeline
