#include "estimate/time/winograd.h"

#include "estimate/families/network_builder.h"

namespace ridgeline {
namespace {

constexpr double tile_values = 36, tile_outputs = 16, taps = 9, element = 4;

/// Share of the pass whose transforms are kernels of their own.
double transformed_part(const Operator& op, bool back, double samples) {
    constexpr double many = 128.0 * 128;  // channels read times channels made
    constexpr double batch = 16;
    // The gradient of the weight is half of the backward pass.
    return op.gemm.n * op.gemm.k / taps < many ? 0 : samples >= batch ? 1 : back ? 0.5 : 0;
}

}  // namespace

bool convolves_on_vector_units(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const bool rounds = input.software.runtime.options.tf32 != Tf32Use::never &&
                        input.device.supported[std::size_t(ComputeType::tf32)];
    return workload.compute == ComputeType::fp32 && workload.weights == DType::fp32 && !rounds;
}

Bytes winograd_workspace(const Operator& op, bool back, double samples) {
    if (op.name != winograd_convolution || transformed_part(op, back, samples) <= 0) {
        return {};
    }
    const double read = op.gemm.k / taps;
    const double tiles = op.gemm.m / tile_outputs;
    return Bytes::of_base(tile_values * element * op.gemm.count *
                          (tiles * (op.gemm.n + read) + op.gemm.n * read));
}

TiledWork winograd_work(const RooflineTerms& rates, const Operator& op, bool back, double samples,
                        double share) {
    // Of 2.25 and 4 products saved; other instructions of the fused kernel cost a part.
    constexpr double fused = 2, apart = 4;
    constexpr double grown = tile_values / tile_outputs;
    const TiledWork inside{.products = 1 / fused};
    const double read = op.gemm.k / taps;
    const double part = transformed_part(op, back, samples);
    if (part <= 0) {
        return inside;
    }
    const double values = op.gemm.m * op.gemm.count * (op.gemm.n + read);
    const TiledWork outside{
        .products = part / apart + (1 - part) / fused,
        .transformed = part * (back ? 2 : 1) * 2 * grown * element * share * values};
    const auto seconds = [&](const TiledWork& work) {
        const Flops flops = (back ? op.backward : op.forward) * share * work.products;
        const Bytes traffic = (back ? op.backward_traffic : op.forward_traffic) * share;
        return roofline_time(rates, flops, traffic + Bytes::of_base(work.transformed)).time;
    };
    return seconds(outside) < seconds(inside) ? outside : inside;
}

}  // namespace ridgeline
