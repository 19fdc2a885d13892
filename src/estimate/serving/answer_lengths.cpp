#include "estimate/serving/answer_lengths.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

double falling_scale(double mean, double longest) {
    double low = mean;
    double high = 1000 * longest;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        const double reached = middle * (1 - std::exp(-longest / middle));
        (reached < mean ? low : high) = middle;
    }
    return low;
}

double answer_length(double mean, double longest, double shorter) {
    if (2 * mean >= longest) {
        return longest - 2 * (longest - mean) * (1 - shorter);
    }
    return std::min(longest, -falling_scale(mean, longest) * std::log1p(-shorter));
}

}  // namespace ridgeline
