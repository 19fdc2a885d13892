#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

// Parts that every probe shares: statistics of repetitions, the shapes, the plan of time, random
// data. C++17, nothing of src/.

namespace probes {

/// Seconds of repetitions to what a point records.
struct Summary {
    double median = 0;
    double p10 = 0;
    double p90 = 0;
    double least = 0;
    int samples = 0;
    /// (p90 - p10) / median above 5 %: not to be fitted.
    bool noisy() const { return median > 0 && (p90 - p10) / median > 0.05; }
};

inline double quantile(const std::vector<double>& sorted, double q) {
    if (sorted.empty()) {
        return 0;
    }
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

inline Summary summary_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    if (seconds.empty()) {
        return {};
    }
    return {quantile(seconds, 0.5),
            quantile(seconds, 0.1),
            quantile(seconds, 0.9),
            seconds.front(),
            static_cast<int>(seconds.size())};
}

/// One repetition; `disturbed`: another process or the hypervisor took a core from it.
struct Repetition {
    double seconds = 0;
    bool disturbed = false;
};

/// What a point is made of: the undisturbed repetitions where there are enough of them, else all.
struct Kept {
    std::vector<double> seconds;
    bool disturbed = false;  ///< too few were undisturbed
};

inline Kept kept_of(const std::vector<Repetition>& all, std::size_t enough) {
    Kept kept;
    for (const Repetition& each : all) {
        if (!each.disturbed) {
            kept.seconds.push_back(each.seconds);
        }
    }
    if (kept.seconds.size() < std::min(enough, all.size())) {
        kept = {{}, true};
        for (const Repetition& each : all) {
            kept.seconds.push_back(each.seconds);
        }
    }
    return kept;
}

/// Interquartile range below 1 % of the median: more repetitions would say nothing new.
inline bool settled(std::vector<double> seconds, std::size_t least_samples) {
    if (seconds.size() < least_samples) {
        return false;
    }
    std::sort(seconds.begin(), seconds.end());
    return quantile(seconds, 0.75) - quantile(seconds, 0.25) < 0.01 * quantile(seconds, 0.5);
}

struct Shape {
    double m, n, k;
    double flop() const { return 2 * m * n * k; }
};

/// 8 token counts by 6 weights: decode, small and large batches; at least three weights exceed any
/// second-level cache, so that they show the memory side.
inline std::vector<Shape> grid_shapes() {
    std::vector<Shape> shapes;
    const std::array<std::pair<double, double>, 6> weights{
        {{4096, 4096}, {8192, 8192}, {12288, 4096}, {4096, 14336}, {28672, 8192}, {1024, 8192}}};
    for (const double m : {1.0, 8.0, 32.0, 64.0, 128.0, 512.0, 2048.0, 8192.0}) {
        for (const auto& [n, k] : weights) {
            shapes.push_back({m, n, k});
        }
    }
    return shapes;
}

/// Every second token count of the grid, three weights: for `--quick`.
inline std::vector<Shape> quick_shapes() {
    std::vector<Shape> shapes;
    for (const Shape& shape : grid_shapes()) {
        const bool rows = shape.m == 1 || shape.m == 64 || shape.m == 512 || shape.m == 8192;
        const bool weight = shape.n == 4096 || shape.n == 28672 || shape.n == 12288;
        if (rows && weight) {
            shapes.push_back(shape);
        }
    }
    return shapes;
}

/// splitmix64; counter-based, so that any element can be made alone.
inline std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// Shuffled order of `count` things, so that drift of the clock does not fall on one kind.
inline std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(mixed(seed, i) % i)]);
    }
    return order;
}

/// Copies of a buffer so that together they are four times the cache (STREAM's rule), within what
/// memory allows; at least one.
inline std::size_t rotating_copies(double bytes, double cache_bytes, double memory_bytes) {
    const double wanted = bytes > 0 ? 4 * cache_bytes / bytes : 1;
    const double possible = bytes > 0 ? memory_bytes / bytes : 1;
    return static_cast<std::size_t>(std::max(1.0, std::min(wanted + 1, possible)));
}

/// Launches between two events so that they span at least `span_s`, from the time of one.
inline int launches_for(double one_s, double span_s, int most) {
    const double wanted = one_s > 0 ? span_s / one_s : most;
    return static_cast<int>(std::max(1.0, std::min(static_cast<double>(most), wanted + 1)));
}

/// Tolerated difference of one element of a product: rounding of the result and of a sum over k
/// products (Higham, Accuracy and Stability of Numerical Algorithms, 3.1; errors add as a walk).
inline double tolerance(
    double reference, double k, double operand_max, double eps_out, double eps_sum) {
    constexpr double safety = 8;
    const double magnitude = reference < 0 ? -reference : reference;
    double root = 1;
    for (int i = 0; i < 40; ++i) {
        root = 0.5 * (root + k / root);  // square root by Newton; no <cmath> in device code
    }
    return safety * (eps_out * magnitude + eps_sum * root * operand_max * operand_max);
}

}  // namespace probes
