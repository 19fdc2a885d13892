#pragma once

#include "spec/measurement.h"

#include <cmath>
#include <string>
#include <vector>

namespace ridgeline::test {

/// A point of a product whose repetitions spread by 1 % around `us`.
inline MeasuredPoint product(double m, double n, double k, double us) {
    MeasuredPoint point;
    point.name = "bf16";
    point.m = m;
    point.n = n;
    point.k = k;
    point.time = {us * microsecond, 0.99 * us * microsecond, 1.01 * us * microsecond,
                  0.98 * us * microsecond, 20};
    return point;
}

/// A part with round figures: 1000 TFLOP/s in bf16, 1000 GB/s.
inline RateReference round_reference() {
    RateReference reference;
    reference.accelerator = "part";
    reference.peak[static_cast<std::size_t>(ComputeType::bf16)] = 1000 * teraflop_per_second;
    reference.memory_bandwidth = 1000 * gigabyte_per_second;
    return reference;
}

/// Microseconds of a product on that part by the formula, 2-byte operands and result.
inline double formula_us(double m, double n, double k, double a, double b, double t0_us) {
    const double compute = 2 * m * n * k / (a * 1e15);
    const double memory = 2 * (m * k + k * n + m * n) / (b * 1e12);
    return t0_us + 1e6 * std::sqrt(compute * compute + memory * memory);
}

/// The grid of the probe: 8 token counts and 6 weights.
inline std::vector<MeasuredPoint> grid(double a, double b, double t0_us) {
    std::vector<MeasuredPoint> points;
    for (const double m : {1, 8, 32, 64, 128, 512, 2048, 8192}) {
        for (const auto& [n, k] : {std::pair{4096, 4096},
                                   {8192, 8192},
                                   {12288, 4096},
                                   {4096, 14336},
                                   {28672, 8192},
                                   {1024, 8192}}) {
            points.push_back(product(m, n, k, formula_us(m, n, k, a, b, t0_us)));
        }
    }
    return points;
}

inline MeasuredRun run_of(std::vector<MeasuredPoint> points, std::string node = "n1") {
    MeasuredRun run;
    run.backend = "cuda";
    run.node = std::move(node);
    run.created = "2026-11-21T07:00:00Z";
    run.reference = round_reference();
    run.points = std::move(points);
    return run;
}

}  // namespace ridgeline::test
