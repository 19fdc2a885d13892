#include "advise/figure_words.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace ridgeline {

std::string figure_words(double value) {
    if (!std::isfinite(value)) {
        return "unknown";
    }
    if (value < 999.5) {  // what rounds to a thousand is one
        return fmt::format("{:.3g}", value);
    }
    const double scale = std::pow(10, std::floor(std::log10(value)) - 2);
    std::string digits = fmt::format("{:.0f}", std::round(value / scale) * scale);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string times_words(double ratio) {
    return ratio < 99.5 ? fmt::format("{:.2g}", ratio) : figure_words(ratio);
}

std::string faster_words(const std::string& better, const std::string& other, double ratio) {
    return ratio < same_rate_within
               ? fmt::format("{} and {} are about as fast", better, other)
               : fmt::format("{} is {} times as fast as {}", better, times_words(ratio), other);
}

}  // namespace ridgeline
