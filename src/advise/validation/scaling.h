#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// One size of a sweep: what it takes and what it yields.
struct ScalePoint {
    double size = 0;    ///< accelerators, tokens of a sequence, samples of a batch, ...
    double rate = 0;    ///< work a second of the whole job
    bool runs = false;  ///< legal and fits in memory
};

/// How much of the first running size's yield per unit is kept.
struct ScaleGain {
    /// Rate per accelerator over that of the first running size.
    double efficiency = 0;
    /// The same for the accelerators added since the size before; nothing for the first.
    std::optional<double> marginal;
};

/// Gains of each point of a sweep over accelerators; nothing where the point does not run. Points
/// ascend in size.
std::vector<std::optional<ScaleGain>> gains_of(const std::vector<ScalePoint>& points);

/// Below this, added accelerators give less than half of what the first ones give. A convention,
/// not a measurement: half the money is lost.
inline constexpr double paying_efficiency = 0.5;
/// Of the best rate, which a larger sequence or batch need not exceed.
inline constexpr double enough_of_the_best = 0.95;

/// Where growing further stops paying.
struct ScaleLimit {
    double last_paying = 0;      ///< size up to which it pays
    std::optional<double> next;  ///< first size that does not; nothing: it pays to the end
    double marginal = 0;         ///< marginal efficiency (accelerators) or share of best rate
};

/// Over accelerators: the first step whose marginal efficiency is below `paying_efficiency`.
std::optional<ScaleLimit> accelerator_limit(const std::vector<ScalePoint>& points);
/// Over another field, on the same accelerators: the first size that reaches `enough_of_the_best`
/// of the best rate of the sweep.
std::optional<ScaleLimit> rate_limit(const std::vector<ScalePoint>& points);

/// Sizes of "8..16384" (doubling, both ends included), "8,16,24" or "64"; nothing when the text is
/// not that, descends or has more than `most` values.
std::optional<std::vector<double>> sizes_named(const std::string& text);

}  // namespace ridgeline
