#include "calibrate/product_fit.h"

#include "calibrate/minimise.h"
#include "calibrate/statistics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace ridgeline {
namespace {

constexpr double least_fraction = 0.001;           // a CPU or a small chip on small products
constexpr double most_fraction = 1.2;              // of the search; above `plausible` it is refused
constexpr double plausible = 1.05;                 // clocks above the rated one
constexpr double half_angle = 0.7853981633974483;  // w = 0.5

/// A product with the divisions done: seconds at full rate of each side.
struct Term {
    double compute = 0;
    double memory = 0;
    double quantize = 0;
    double idle = 0;  ///< compute of the tiles and waves that are not full
    double measured = 0;
};

/// Parameters as the search moves them: ln a, ln b, sqrt(t0 / us), the angle of w, ln q. The root
/// keeps t0 positive and lets it reach zero, the angle keeps w between 0 and 1 and lets it reach
/// both.
using Point = std::vector<double>;
constexpr std::size_t wave_at = 3;
constexpr std::size_t quantize_at = 4;

double wave_share(const Point& at) { return std::pow(std::sin(at[wave_at]), 2); }

double predicted(const Point& at, const Term& term) {
    const double compute = (term.compute + wave_share(at) * term.idle) / std::exp(at[0]);
    const double memory = term.memory / std::exp(at[1]);
    const double quantize = at.size() > quantize_at ? term.quantize / std::exp(at[quantize_at]) : 0;
    return at[2] * at[2] * 1e-6 + std::hypot(compute, memory) + quantize;
}

/// A parameter of the search as the figure that is reported.
double figure_of(const Point& at, std::size_t parameter) {
    if (parameter == wave_at) {
        return wave_share(at);
    }
    return parameter == 2 ? at[2] * at[2] : std::exp(at[parameter]);
}

double outside(double log_fraction) {
    return std::max(0.0, log_fraction - std::log(most_fraction)) +
           std::max(0.0, std::log(least_fraction) - log_fraction);
}

Point search(const std::vector<Term>& terms, const Point& start, double step) {
    const auto loss = [&](const Point& at) {
        double sum = 0;
        for (const Term& term : terms) {
            sum += std::abs(std::log(predicted(at, term) / term.measured));
        }
        const double penalty = outside(at[0]) + outside(at[1]) +
                               (at.size() > quantize_at ? outside(at[quantize_at]) : 0);
        return sum / static_cast<double>(terms.size()) + 10 * penalty;
    };
    return minimise(loss, start, step).at;
}

std::vector<Term> terms_of(std::span<const ProductSample> samples, FlopsPerSecond peak,
                           BytesPerSecond bandwidth) {
    std::vector<Term> terms;
    for (const ProductSample& sample : samples) {
        terms.push_back({(sample.work / peak).base(), (sample.traffic / bandwidth).base(),
                         (sample.quantized / bandwidth).base(),
                         std::max(0.0, ((sample.full_waves - sample.work) / peak).base()),
                         sample.time.base()});
    }
    return terms;
}

std::vector<double> errors_of(const Point& at, const std::vector<Term>& terms) {
    std::vector<double> errors;
    for (const Term& term : terms) {
        errors.push_back(std::abs(predicted(at, term) / term.measured - 1));
    }
    return errors;
}

/// Errors at each site of a fit to all the others.
std::vector<double> holdout_errors(std::span<const ProductSample> samples,
                                   const std::vector<Term>& terms, const Point& start) {
    std::set<std::string> sites;
    for (const ProductSample& sample : samples) {
        sites.insert(sample.site);
    }
    std::vector<double> errors;
    for (const std::string& site : sites) {
        std::vector<Term> seen;
        std::vector<Term> unseen;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            (samples[i].site == site ? unseen : seen).push_back(terms[i]);
        }
        if (seen.size() >= fewest_products / 2) {
            const auto found = errors_of(search(seen, start, 0.3), unseen);
            errors.insert(errors.end(), found.begin(), found.end());
        }
    }
    return errors;
}

/// 95 % interval of each parameter over bootstrap samples of the shapes.
std::vector<FitInterval> intervals_of(const std::vector<Term>& terms, const Point& best) {
    Random random(bootstrap_seed);
    std::vector<std::vector<double>> found(best.size());
    for (int b = 0; b < bootstrap_samples; ++b) {
        std::vector<Term> drawn;
        for (const std::size_t index : resample(random, terms.size())) {
            drawn.push_back(terms[index]);
        }
        const Point at = search(drawn, best, 0.15);
        for (std::size_t i = 0; i < at.size(); ++i) {
            found[i].push_back(figure_of(at, i));
        }
    }
    std::vector<FitInterval> intervals;
    for (const auto& values : found) {
        intervals.push_back({quantile(values, 0.025), quantile(values, 0.975)});
    }
    return intervals;
}

std::string quality_of(const FitErrors& errors) {
    if (errors.holdout_median > 0.15 || errors.holdout_p90 > 0.60) {
        return "poor";
    }
    return errors.holdout_median > 0.07 ? "fair" : "good";
}

std::optional<double> large_fraction(std::span<const ProductSample> samples, FlopsPerSecond peak) {
    std::vector<double> fractions;
    for (const ProductSample& sample : samples) {
        if (sample.large) {
            fractions.push_back(sample.work / sample.time / peak);
        }
    }
    return fractions.empty() ? std::nullopt : std::optional(median(fractions));
}

Point best_of_starts(const std::vector<Term>& terms, bool waves, bool quantizes) {
    Point best;
    double least = INFINITY;
    for (const double overhead_root : {0.5, 2.0, 4.0}) {
        Point start{std::log(0.75), std::log(0.8), overhead_root, waves ? half_angle : 0};
        if (quantizes) {
            start.push_back(std::log(0.7));
        }
        const Point at = search(terms, start, 0.5);
        double sum = 0;
        for (const Term& term : terms) {
            sum += std::abs(std::log(predicted(at, term) / term.measured));
        }
        if (sum < least) {
            least = sum;
            best = at;
        }
    }
    return best;
}

FitErrors fit_errors(std::span<const ProductSample> samples, const std::vector<Term>& terms,
                     const Point& best) {
    const std::vector<double> errors = errors_of(best, terms);
    const std::vector<double> unseen = holdout_errors(samples, terms, best);
    return {.median = median(errors),
            .p90 = quantile(errors, 0.9),
            .holdout_median = median(unseen.empty() ? errors : unseen),
            .holdout_p90 = quantile(unseen.empty() ? errors : unseen, 0.9),
            .points = static_cast<int>(samples.size())};
}

}  // namespace

Result<FittedProducts> fit_products(std::span<const ProductSample> samples, ComputeType compute,
                                    FlopsPerSecond peak, BytesPerSecond bandwidth) {
    const std::string where = fmt::format("fit of {} products", name_of(compute));
    if (samples.size() < fewest_products) {
        return input_error(where, fmt::format("found {} usable points, expected at least {}",
                                              samples.size(), fewest_products));
    }
    const std::vector<Term> terms = terms_of(samples, peak, bandwidth);
    const bool quantizes = std::ranges::any_of(terms, [](const Term& t) { return t.quantize > 0; });
    const bool waves = std::ranges::any_of(terms, [](const Term& t) { return t.idle > 0; });
    const Point best = best_of_starts(terms, waves, quantizes);
    const std::vector<FitInterval> intervals = intervals_of(terms, best);
    FittedProducts fit;
    fit.compute = compute;
    fit.compute_fraction = std::exp(best[0]);
    fit.bandwidth_fraction = std::exp(best[1]);
    fit.overhead = best[2] * best[2] * microsecond;
    fit.wave_share = waves ? wave_share(best) : 0;
    fit.quantize_fraction = quantizes ? std::exp(best[quantize_at]) : 0;
    fit.compute_interval = intervals[0];
    fit.bandwidth_interval = intervals[1];
    fit.overhead_interval_us = intervals[2];
    fit.wave_interval = waves ? intervals[wave_at] : FitInterval{};
    fit.large_shape_fraction = large_fraction(samples, peak);
    fit.errors = fit_errors(samples, terms, best);
    fit.quality = quality_of(fit.errors);
    for (const auto& [name, value] : {std::pair{"compute", fit.compute_fraction},
                                      std::pair{"bandwidth", fit.bandwidth_fraction}}) {
        if (value > plausible) {
            return input_error(
                where,
                fmt::format("the {} fraction comes out at {:.2f}, expected at most {}", name, value,
                            plausible),
                "The datasheet figure is wrong, counts sparsity, or the buffers stayed in a "
                "cache.");
        }
    }
    return fit;
}

}  // namespace ridgeline
