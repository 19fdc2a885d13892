#include "estimate/time/single_convolution.h"

#include "estimate/families/network_builder.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace ridgeline {
namespace {

/// What a kernel reaches of the peak of its units and of the bandwidth. The sum over positions that
/// makes the gradient of a weight reads both maps with a stride and writes little.
struct Reach {
    double compute;
    double bandwidth;
};
// Fitted, as all shares here: DeepBench on P100, V100 and T4 (the header).
constexpr Reach matrix_forward{0.55, 0.65};
constexpr Reach matrix_input{0.48, 0.57};  // windows that step leave gaps, which are filled first
constexpr Reach matrix_weight{0.55, 0.3};
constexpr Reach vector_forward{0.75, 0.75};
constexpr Reach vector_weight{0.5, 0.25};

/// Seconds of a call that has next to nothing to do.
constexpr double call = 8e-6;

struct Tile {
    double rows, columns;
};

/// Work with every tile full, over the work asked for; a half of the last wave is made use of by
/// smaller tiles.
double fill(const GemmShape& gemm, double units, std::initializer_list<Tile> tiles) {
    double least = 0;
    for (const Tile& tile : tiles) {
        const double count =
            std::ceil(gemm.m / tile.rows) * std::ceil(gemm.n / tile.columns) * gemm.count;
        const double waves = units > 0 ? std::ceil(count / units) * units : count;
        const double work = waves * tile.rows * tile.columns * 2 * gemm.k;
        least = least > 0 ? std::min(least, work) : work;
    }
    const double asked = gemm.flops().base();
    return asked > 0 ? 1 + 0.5 * std::max(0.0, least / asked - 1) : 1;
}

bool of_weight(const Operator& op) {
    return op.name == convolution_gradient || op.name == winograd_gradient ||
           op.name == wide_gradient;
}

/// Windows of 5x5 on vector units, by a Fourier transform of maps and weights: over the whole map
/// where its sides, filled up to a power of two, are at most 32, else over tiles of 32 x 32, which
/// overlap (cuDNN's FFT and FFT_TILING). What is transformed is written and read once more; of a
/// row of real values half of the frequencies and one are kept, and a complex product is four real
/// ones.
double fourier_time(double traffic, const Operator& op, double samples, double peak, double reads) {
    constexpr double taps = 25;    // of a window
    constexpr double border = 4;   // of a window of five
    constexpr double most = 32;    // of a side
    constexpr double element = 8;  // bytes of a complex value
    const bool weight = of_weight(op);
    const double channels = weight ? op.gemm.m : op.gemm.n;
    const double others = (weight ? op.gemm.n : op.gemm.k) / taps;
    const double positions = (weight ? op.gemm.k * op.gemm.count : op.gemm.m) / samples;
    const double map = std::sqrt(positions) + border;
    const double side = std::min(most, std::exp2(std::ceil(std::log2(map))));
    const double along = map > most ? std::ceil(std::sqrt(positions) / (most - border)) : 1;
    const double frequencies = side * (side / 2 + 1);
    const double tiles = samples * along * along;
    const double values = frequencies * (tiles * (channels + others) + channels * others);
    const double flops = 8 * frequencies * tiles * channels * others;
    return 3 * call + flops / (vector_forward.compute * peak) +
           (traffic + 2 * element * values) / reads;
}

/// The clock that the power limit leaves vector units in calls that follow one another for seconds:
/// they draw less than matrix units do.
double vector_clock(const DeviceModel& device) {
    constexpr double share = 0.8;  // of the clock of matrix units over theirs (fitted)
    return std::min(1.0, device.sustained_rate / share);
}

/// Windows of 3x3 on vector units. Fused, tiles of 2x2 outputs need 16 products for 36, in kernels
/// that reach half of the peak. With transforms of their own, tiles of 4x4 need 36 for 144, and
/// every map is written and read once more, 36 values for 16. cuDNN takes these for many channels
/// from 16 images on, and for gradients of weights.
double winograd_time(double flops, double traffic, double filled, const Operator& op,
                     double samples, double peak, double bandwidth) {
    constexpr double fused_saves = 36.0 / 16;
    constexpr double fused_reach = 0.5;
    constexpr double apart_saves = 144.0 / 36;
    constexpr double grown = 36.0 / 16;
    constexpr double element = 4;  // bytes
    const bool weight = of_weight(op);
    const double reads = bandwidth * vector_forward.bandwidth;
    // The sum over positions needs the transforms of both maps in the order of the sum.
    constexpr double turned = 1.4;  // fitted
    const double fused_flops = flops * (weight ? turned : 1) * filled / fused_saves;
    const double fused = call + std::hypot(fused_flops / (fused_reach * peak), traffic / reads);
    constexpr double taps = 9;  // of a window
    const double channels = weight ? op.gemm.m : op.gemm.n;
    const double others = (weight ? op.gemm.n : op.gemm.k) / taps;
    constexpr double many = 128.0 * 128;  // channels of both maps (fitted)
    if (channels * others < many || (samples < 16 && !weight)) {
        return fused;
    }
    const double positions = weight ? op.gemm.k * op.gemm.count : op.gemm.m;
    const double transformed = 2 * grown * positions * (channels + others) * element;
    const double apart = 3 * call + flops / apart_saves / peak + (traffic + transformed) / reads;
    return std::min(fused, apart);
}

}  // namespace

double single_convolution_time(const DeviceModel& device, ComputeType type, const Operator& op,
                               double samples) {
    const bool matrix = type != ComputeType::fp32;
    const bool weight = of_weight(op);
    const bool input = op.name == convolution_input_gradient;
    const Reach reach = matrix ? (weight  ? matrix_weight
                                  : input ? matrix_input
                                          : matrix_forward)
                               : (weight ? vector_weight : vector_forward);
    const double peak = device.peak_of(type).base() * (matrix ? 1 : vector_clock(device));
    const double bandwidth = device.accelerator->memory_bandwidth.base();
    if (peak <= 0 || bandwidth <= 0) {
        return 0;
    }
    const double units = device.accelerator->units.value_or(0);
    const double filled = weight
                              ? fill(op.gemm, units, {{128, 64}})
                              : fill(op.gemm, units, {{256, 32}, {256, 64}, {128, 128}, {128, 64}});
    double flops = op.gemm.flops().base();  // padded channels among them
    const double traffic = op.forward_traffic.base();
    const bool tiles = op.name == winograd_convolution || op.name == winograd_gradient;
    if (tiles && !matrix) {
        return winograd_time(flops, traffic, filled, op, samples, peak, bandwidth);
    }
    // Images of one to three channels, which fill less than half of a vector, are gathered pixel by
    // pixel for the matrix units.
    if (matrix && flops > 2 * op.forward.base()) {
        constexpr double gathered = 3;  // times the work (fitted)
        flops *= gathered;
    }
    const double direct = call + std::hypot(flops * filled / (reach.compute * peak),
                                            traffic / (reach.bandwidth * bandwidth));
    const bool wide = op.name == wide_convolution || op.name == wide_gradient;
    const double reads = vector_forward.bandwidth * bandwidth;
    return wide && !matrix ? std::min(direct, fourier_time(traffic, op, samples, peak, reads))
                           : direct;
}

}  // namespace ridgeline
