#include "calibrate/collective_fit.h"

#include "calibrate/minimise.h"
#include "calibrate/statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ridgeline {
namespace {

/// As the search moves them: ln(alpha / us), ln(beta / GB/s), sqrt(gamma / (us / sqrt(MiB))).
using Point = std::vector<double>;

double predicted(const Point& at, const CollectiveSample& sample) {
    const double mebibytes = sample.buffer / mebibyte.base();
    return 1e-6 * std::exp(at[0]) + sample.bus_bytes / (1e9 * std::exp(at[1])) +
           1e-6 * at[2] * at[2] * std::sqrt(mebibytes);
}

Point search(const std::vector<CollectiveSample>& samples, const Point& start, double step) {
    const auto loss = [&](const Point& at) {
        double sum = 0;
        for (const CollectiveSample& sample : samples) {
            sum += std::abs(std::log(predicted(at, sample) / sample.time.base()));
        }
        return sum / static_cast<double>(samples.size());
    };
    return minimise(loss, start, step).at;
}

double error_of(const Point& at, const CollectiveSample& sample) {
    return std::abs(predicted(at, sample) / sample.time.base() - 1);
}

/// The smallest message shows the latency, the largest the bandwidth.
Point start_of(const std::vector<CollectiveSample>& samples) {
    const auto by_size = [](const CollectiveSample& a, const CollectiveSample& b) {
        return a.buffer < b.buffer;
    };
    const auto [small, large] = std::minmax_element(samples.begin(), samples.end(), by_size);
    return {std::log(small->time / microsecond),
            std::log(std::max(1e-6, large->bus_bytes / large->time.base() / 1e9)), 1.0};
}

std::vector<double> holdout_errors(const std::vector<CollectiveSample>& samples,
                                   const Point& start) {
    std::vector<double> errors;
    for (std::size_t left = 0; left < samples.size(); ++left) {
        std::vector<CollectiveSample> seen = samples;
        seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(left));
        errors.push_back(error_of(search(seen, start, 0.3), samples[left]));
    }
    return errors;
}

/// Beyond the largest message nothing is known: an asymptote far above it is no rate that anybody
/// saw.
double most_bandwidth(const FittedCollective& fit) {
    return 1.25 * fit.largest_measured / gigabyte_per_second;
}

void set_intervals(FittedCollective& fit, const std::vector<CollectiveSample>& samples,
                   const Point& best) {
    Random random(bootstrap_seed);
    std::vector<double> alphas;
    std::vector<double> betas;
    for (int b = 0; b < bootstrap_samples; ++b) {
        std::vector<CollectiveSample> drawn;
        for (const std::size_t index : resample(random, samples.size())) {
            drawn.push_back(samples[index]);
        }
        const Point at = search(drawn, best, 0.2);
        alphas.push_back(std::exp(at[0]));
        betas.push_back(std::min(std::exp(at[1]), most_bandwidth(fit)));
    }
    fit.alpha_interval_us = {quantile(alphas, 0.025), quantile(alphas, 0.975)};
    fit.bandwidth_interval_gb_per_s = {quantile(betas, 0.025), quantile(betas, 0.975)};
}

}  // namespace

Result<FittedCollective> fit_collective(std::span<const CollectiveSample> given,
                                        Collective operation, int ranks, int nodes) {
    if (given.size() < fewest_collectives) {
        return input_error(fmt::format("fit of a collective over {} ranks", ranks),
                           fmt::format("found {} usable sizes, expected at least {}", given.size(),
                                       fewest_collectives));
    }
    const std::vector<CollectiveSample> samples(given.begin(), given.end());
    const Point start = start_of(samples);
    const Point best = search(samples, start, 0.5);
    FittedCollective fit;
    fit.operation = operation;
    fit.ranks = ranks;
    fit.nodes = nodes;
    fit.alpha = std::exp(best[0]) * microsecond;
    fit.bandwidth = std::exp(best[1]) * gigabyte_per_second;
    fit.gamma_us_per_sqrt_mib = best[2] * best[2];
    std::vector<double> errors;
    for (const CollectiveSample& sample : samples) {
        errors.push_back(error_of(best, sample));
        fit.largest_measured =
            std::max(fit.largest_measured, sample.bus_bytes * byte / sample.time);
    }
    fit.bandwidth = std::min(fit.bandwidth, most_bandwidth(fit) * gigabyte_per_second);
    set_intervals(fit, samples, best);
    const std::vector<double> unseen = holdout_errors(samples, start);
    fit.errors = {.median = median(errors),
                  .p90 = quantile(errors, 0.9),
                  .holdout_median = median(unseen),
                  .holdout_p90 = quantile(unseen, 0.9),
                  .points = static_cast<int>(samples.size())};
    return fit;
}

}  // namespace ridgeline
