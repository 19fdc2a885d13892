#include "calibrate/statistics.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

double quantile(std::vector<double> values, double q) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double share = place - std::floor(place);
    return values[below] + share * (values[above] - values[below]);
}

std::uint64_t Random::next() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
    return mixed ^ (mixed >> 31);
}

std::vector<std::size_t> resample(Random& random, std::size_t count) {
    std::vector<std::size_t> drawn(count);
    for (std::size_t& index : drawn) {
        index = random.below(count);
    }
    return drawn;
}

}  // namespace ridgeline
