#include "estimate/time/winograd.h"

#include "estimate/stacks/winograd_tiles.h"

namespace ridgeline {

TiledWork winograd_work(const RooflineTerms& rates, const Operator& op, bool back, double samples,
                        double share) {
    // Of 2.25 and 4 products saved; other instructions of the fused kernel cost a part.
    constexpr double fused = 2, apart = 4, element = 4;
    constexpr double grown = winograd_values / winograd_outputs;
    const TiledWork inside{.products = 1 / fused};
    const double read = op.gemm.k / winograd_taps;
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
