#include "estimate/stacks/winograd_tiles.h"

#include "estimate/families/network_builder.h"

namespace ridgeline {

double transformed_part(const Operator& op, bool back, double samples) {
    constexpr double many = 128.0 * 128;  // channels read times channels made
    constexpr double batch = 16;
    const double channels = op.gemm.n * op.gemm.k / winograd_taps;
    return channels < many ? 0 : samples >= batch ? 1 : back ? 0.5 : 0;
}

bool convolves_on_vector_units(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const bool rounds = input.software.runtime.options.tf32 != Tf32Use::never &&
                        input.cluster.accelerator->peak(ComputeType::tf32).has_value();
    return workload.compute == ComputeType::fp32 && workload.weights == DType::fp32 && !rounds;
}

Bytes winograd_workspace(const Operator& op, bool back, double samples) {
    if (op.name != winograd_convolution || transformed_part(op, back, samples) <= 0) {
        return {};
    }
    constexpr double element = 4;
    const double read = op.gemm.k / winograd_taps;
    const double tiles = op.gemm.m / winograd_outputs;
    return Bytes::of_base(winograd_values * element * op.gemm.count *
                          (tiles * (op.gemm.n + read) + op.gemm.n * read));
}

}  // namespace ridgeline
