#include "estimate/time/line_transform.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

TiledWork line_work(const RooflineTerms& rates, const Operator& op, double samples, double share) {
    const TiledWork inside{.products = 1 / windowed_line};
    constexpr double element = 4;  // bytes of fp32
    const double positions = op.gemm.m / std::max(1.0, samples);
    // Of a map that keeps its length: what is read and written tells how many channels enter.
    const double channels = op.forward_traffic.base() / (op.gemm.m * element) - op.rows;
    if (positions <= 0 || channels < 1 || op.forward.base() <= 0) {
        return inside;
    }
    constexpr double tile = 256;
    constexpr double frequencies = tile / 2 + 1;
    const double taps = std::round(op.columns / channels);
    const double fresh = tile - taps + 1;  // positions of a tile that are no other's
    if (fresh <= 0) {
        return inside;
    }
    const double tiles = samples * std::ceil(positions / fresh);
    constexpr double complex_product = 8;  // operations: four products and as many sums
    constexpr double passes = 4;           // written, read and written in order, read
    const double values = tiles * (channels + op.rows) + channels * op.rows;
    const TiledWork outside{
        .products = complex_product * frequencies * tiles * channels * op.rows / op.forward.base(),
        .transformed = passes * 2 * element * frequencies * values * share};
    const auto seconds = [&](const TiledWork& work) {
        // Transforms and products are kernels of their own, which follow one another.
        const Bytes moved = op.forward_traffic * share + Bytes::of_base(work.transformed);
        return roofline_time(rates, op.forward * share * work.products, Bytes{}).time +
               roofline_time(rates, Flops{}, moved).time;
    };
    return seconds(outside) < seconds(inside) ? outside : inside;
}

}  // namespace ridgeline
