#include "estimate/time/slowest_part.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// How far the slowest of so many parts is expected to lie behind their mean, in standard
/// deviations: the quantile of Blom 1958, by the approximation of Abramowitz and Stegun, 26.2.23.
double deviations_of_slowest(int parts) {
    const double beyond = 0.625 / (parts + 0.25);
    const double t = std::sqrt(-2 * std::log(beyond));
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

}  // namespace

double time_of_slowest(int parts) {
    // A program takes 8 % longer or shorter on parts of one kind, from whisker to whisker of a box
    // plot, which are 5.4 standard deviations apart (Sinha et al. 2022, arXiv 2208.11035: five
    // clusters).
    constexpr double deviation = 0.08 / 5.4;
    constexpr int node = 8;
    return (1 + deviation * deviations_of_slowest(parts)) /
           (1 + deviation * deviations_of_slowest(node));
}

double sustained_rate_of(const DeviceModel& device, int parts) {
    const bool processor = device.accelerator != nullptr && device.accelerator->kind == "cpu";
    return processor ? device.sustained_rate
                     : std::min(1.0, device.sustained_rate / time_of_slowest(parts));
}

}  // namespace ridgeline
