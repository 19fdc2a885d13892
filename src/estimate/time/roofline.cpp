#include "estimate/time/roofline.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// (x^p + y^p)^(1/p) for x, y >= 0, without overflow.
double power_norm(double x, double y, double exponent) {
    if (exponent == 2) {
        return std::sqrt(x * x + y * y);
    }
    const double longer = std::max(x, y);
    if (longer <= 0) {
        return 0;
    }
    const double ratio = std::min(x, y) / longer;
    return longer * std::pow(1 + std::pow(ratio, exponent), 1 / exponent);
}

constexpr double sixteen_bits = 2;  // bytes

double operand_bytes(ComputeType type) {
    // fp4 operands carry one scale byte a block of 16.
    return bytes_per_element(storage_of(type)) + (type == ComputeType::fp4 ? 1.0 / 16 : 0);
}

/// FLOPs when every tile and every wave of tiles over the units is full: the least over the tiles
/// that a library chooses from (or of the kernel's only tile).
double padded_flops(const GemmShape& shape, double units, double tile_m, double tile_n) {
    struct Tile {
        double m, n;
    };
    static constexpr Tile library_tiles[] = {{256, 128}, {128, 256}, {128, 128},
                                             {64, 128},  {128, 64},  {64, 64}};
    const auto padded = [&](Tile tile) {
        const double tiles =
            std::ceil(shape.m / tile.m) * std::ceil(shape.n / tile.n) * shape.count;
        const double waves = std::ceil(tiles / units);
        return waves * units * tile.m * tile.n * 2 * shape.k;
    };
    if (tile_m > 0 && tile_n > 0) {
        return padded({tile_m, tile_n});
    }
    double least = padded(library_tiles[0]);
    for (const Tile& tile : library_tiles) {
        least = std::min(least, padded(tile));
    }
    return least;
}

}  // namespace

double least_rows(const DeviceModel& device, ComputeType type) {
    const bool matrix = bytes_per_element(storage_of(type)) <= sixteen_bits;
    return matrix && device.accelerator->architecture == "Hopper" ? 64 : 1;
}

double filled_rows(const DeviceModel& device, ComputeType type, OperatorClass operator_class,
                   double rows) {
    const double least = least_rows(device, type);
    const bool grouped = operator_class == OperatorClass::grouped_gemm ||
                         operator_class == OperatorClass::fused_experts;
    if (!grouped || rows >= least) {
        return std::max(rows, least);
    }
    return std::min(least, std::max(rows, synchronous_rows) / synchronous_share);
}

OperatorTime roofline_time(const DeviceModel& device, ComputeType type,
                           OperatorClass operator_class, Flops flops, Bytes traffic) {
    return roofline_time(device.terms_of(type, operator_class), flops, traffic);
}

OperatorTime roofline_time(const RooflineTerms& terms, Flops flops, Bytes traffic) {
    const double compute = flops.base() * terms.seconds_per_flop;
    const double memory = traffic.base() * terms.seconds_per_byte;
    const double work = power_norm(compute, memory, terms.exponent);
    if (work <= 0) {
        return {Seconds{}, Bound::memory, terms.tier};
    }
    Bound bound = compute > memory ? Bound::compute : Bound::memory;
    if (terms.overhead > work) {
        bound = Bound::overhead;
    }
    return {Seconds::of_base(terms.overhead + work), bound, terms.tier};
}

Bytes gemm_traffic(ComputeType type, const GemmShape& shape) {
    const double operand = operand_bytes(type);
    const double result = std::clamp(operand, 2.0, 8.0);
    return shape.count *
           (operand * (shape.m * shape.k + shape.k * shape.n) + result * shape.m * shape.n) * byte;
}

Flops full_wave_work(const GemmShape& shape, double units) {
    return padded_flops(shape, units, 0, 0) * flop;
}

double quantise_pass(const RooflineTerms& terms, ComputeType type, const GemmShape& shape) {
    const double passes = 2 * sixteen_bits + bytes_per_element(storage_of(type));
    return shape.m * shape.k * shape.count * passes * terms.quantize_seconds_per_byte;
}

double wave_factor(const RooflineTerms& terms, const GemmShape& shape) {
    const double flops = shape.flops().base();
    if (terms.wave_share <= 0 || terms.units <= 0 || flops <= 0) {
        return 1;
    }
    const double padded = padded_flops(shape, terms.units, terms.tile_m, terms.tile_n);
    return 1 + terms.wave_share * std::max(0.0, padded / flops - 1);
}

OperatorTime gemm_time(const DeviceModel& device, ComputeType type, const GemmShape& shape,
                       OperatorClass operator_class, double weight_bytes) {
    const RooflineTerms& terms = device.terms_of(type, operator_class);
    const bool padded = terms.wave_share > 0 || shape.m <= 0;  // in the factor of waves
    const double padding =
        padded ? 1 : filled_rows(device, type, operator_class, shape.m) / shape.m;
    const Flops flops = shape.flops() * wave_factor(terms, shape) * padding;
    Bytes traffic = gemm_traffic(type, shape);
    if (weight_bytes >= 0) {
        traffic += (weight_bytes - operand_bytes(type) * shape.n * shape.k * shape.count) * byte;
    }
    OperatorTime time = roofline_time(device, type, operator_class, flops, traffic);
    time.time += quantise_pass(terms, type, shape) * second;
    return time;
}

}  // namespace ridgeline
