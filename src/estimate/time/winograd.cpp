#include "estimate/time/winograd.h"

namespace ridgeline {

TiledWork winograd_work(const RooflineTerms& rates, const Operator& op, bool back, double samples,
                        double share) {
    // Of 2.25 and 4 products saved; other instructions of the fused kernel cost a part.
    constexpr double fused = 2, apart = 4;
    constexpr double grown = 36.0 / 16, taps = 9, element = 4;
    constexpr double many = 128.0 * 128;  // channels read times channels made
    constexpr double batch = 16;
    const TiledWork inside{.products = 1 / fused};
    const double read = op.gemm.k / taps;
    // The gradient of the weight is half of the backward pass.
    const double part = samples >= batch ? 1 : back ? 0.5 : 0;
    if (part <= 0 || op.gemm.n * read < many) {
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
