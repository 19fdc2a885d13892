#pragma once

#include <cstdint>
#include <vector>

namespace ridgeline {

/// The q-quantile (0 to 1) with linear interpolation between order statistics; 0 for no values.
double quantile(std::vector<double> values, double q);
inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

/// A small generator with a stated seed, so that the same points give the same intervals.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    /// Uniform in [0, count).
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

private:
    std::uint64_t state_;
};

/// Draws of the interval of a fitted figure.
inline constexpr int bootstrap_samples = 200;
inline constexpr std::uint64_t bootstrap_seed = 20261121;

/// Indices of one bootstrap sample: `count` draws with replacement.
std::vector<std::size_t> resample(Random& random, std::size_t count);

}  // namespace ridgeline
