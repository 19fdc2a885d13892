#include "estimate/time/slow_kernels.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

PassCost host_rows_cost(const DeviceModel& device, const Operator& op) {
    PassCost out;
    const auto rate = device.accelerator->pcie_rate;
    out.device = rate && rate->base() > 0 ? 2 * op.forward_traffic.base() / rate->base() : 0;
    out.worst = Tier::transferred;
    return out;
}

PassCost filtering_cost(const DeviceModel& device, const RooflineTerms& moved, const Operator& op,
                        bool back) {
    constexpr double reached = 0.21;  // of 64 lanes (fitted_on in tests/evidence: GV100, GA100)
    const Accelerator& part = *device.accelerator;
    double peak = part.peak_vector_fp32.value_or(FlopsPerSecond{}).base();
    // Shared memory gives 128 bytes a multiprocessor and clock, whether it feeds 64 lanes or 128
    // (CUDA C++ programming guide, shared memory: 32 banks of 32 bits from capability 5.0 on).
    if (part.vendor == "NVIDIA" && part.units && part.boost_clock_mhz) {
        constexpr double fed = 2.0 * 64;  // operations a clock
        peak = std::min(peak, fed * *part.units * *part.boost_clock_mhz * 1e6);
    }
    const double bytes = (back ? op.backward_traffic : op.forward_traffic).base();
    const double flops = (back ? op.backward : op.forward).base();
    PassCost out;
    out.device = std::max(peak > 0 ? flops / (reached * peak) : 0, bytes * moved.seconds_per_byte);
    out.kernels = back ? op.backward_kernels : op.forward_kernels;
    out.worst = Tier::transferred;
    return out;
}

bool uneven_groups(const Operator& op, ComputeType type) {
    const double width = op.gemm.n;  // groups are not padded
    return type != ComputeType::fp32 && op.operator_class == OperatorClass::convolution &&
           op.gemm.count > 1 && width > 1 && std::exp2(std::round(std::log2(width))) != width;
}

double narrow_groups(const Operator& op, ComputeType type) {
    constexpr double tile = 32;
    const bool groups = type == ComputeType::fp32 && op.gemm.count > 1 && op.gemm.n >= 1 &&
                        op.operator_class == OperatorClass::convolution;
    return groups ? std::ceil(op.gemm.n / tile) * tile / op.gemm.n : 1;
}

double norm_gradient_time(const DeviceModel& device, double rows, double columns) {
    constexpr double tile = 32;
    constexpr double wait = 450e-9;  // for main memory and the sum (fitted_on in tests/evidence)
    const double units = std::max(1, device.accelerator->units.value_or(1));
    return rows / tile * wait * std::ceil(std::ceil(columns / tile) / units);
}

double direct_groups_time(const DeviceModel& device, double flops) {
    constexpr double reached = 0.06;  // of the vector units
    const double peak = device.accelerator->peak_vector_fp32.value_or(FlopsPerSecond{}).base();
    return peak > 0 ? flops / (reached * peak) : 0;
}

}  // namespace ridgeline
