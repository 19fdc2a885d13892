#include "estimate/time/recurrent_time.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

double step_waves(const Operator& op, double units) {
    const double one = 2 * op.rows * op.columns * std::max(1.0, op.forward_kernels);
    return one > 0 ? block_waves(op.rows, std::max(1.0, op.forward.base() / one), units) : 1;
}

}  // namespace

double block_waves(double rows, double columns, double units) {
    if (!(units > 0) || !(rows * columns > 0)) {
        return 1;
    }
    double best = 0;
    for (const double tall : {64.0, 128.0}) {
        for (const double wide : {32.0, 64.0, 128.0}) {
            const double blocks = std::ceil(rows / tall) * std::ceil(columns / wide);
            const double filled = std::ceil(blocks / units) * units * tall * wide;
            const double busy = filled / std::sqrt(tall * wide / (tall + wide) / 64);
            best = best > 0 ? std::min(best, busy) : busy;
        }
    }
    return std::max(1.0, best / (rows * columns));
}

PassCost recurrent_cost(const DeviceModel& device, ComputeType type, const RooflineTerms& products,
                        const Operator& op, bool back, double share) {
    // Of DeepBench's V100 (the header): a step, of the bandwidth, of the matrix units; of vector
    // units of its P100.
    constexpr double meeting = 35e-6;
    constexpr double bandwidth = 0.75;
    constexpr double of_matrix_units = 0.6, of_vector_units = 0.8;
    const bool matrix_units = type != ComputeType::fp32;
    const double peak =
        device.peak_of(type).base() * (matrix_units ? of_matrix_units : of_vector_units);
    const double rate = device.accelerator->memory_bandwidth.base() * bandwidth;
    const double flops = op.forward.base();
    // Parts before Volta have no kernels that keep the weights for the gradient of the inputs.
    // Their products are whole blocks; later vector kernels split long sums over idle units.
    const bool early = device.accelerator->architecture == "Pascal";
    const double traffic = op.forward_traffic.base() * (back && early ? 3 : 1);
    const double busy = early || matrix_units ? step_waves(op, products.units) : 1;
    const double computes = peak > 0 ? flops * busy / peak : 0;
    const double reads = rate > 0 ? traffic / rate : 0;
    PassCost out;
    const double dense = device.peak_of(type).base();
    out.at_peak = dense > 0 ? flops * (back ? 2 * share : 1) / dense : 0;
    out.device = recurrent_call + op.forward_kernels * meeting + std::hypot(computes, reads);
    if (back && share == 1) {
        const double once = traffic / std::max(1.0, op.forward_kernels);
        out.device += roofline_time(products, op.forward, Bytes::of_base(once)).time.base();
    }
    out.kernels = 1;  // the steps of a layer are one call
    out.worst = Tier::transferred;
    return out;
}

}  // namespace ridgeline
