#include "advise/validation/validate.h"

#include <algorithm>
#include <cmath>
#include <map>

// Rows that are near-duplicates of each other share a group; each group weighs as much as any
// other, so that a source with a hundred variants of one run does not decide the figure.

namespace ridgeline {
namespace {

struct Weighted {
    double value = 0;
    double weight = 0;
};

// The smallest value below which at least `share` of the weight lies.
double quantile(std::vector<Weighted> values, double share) {
    std::sort(values.begin(), values.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double total = 0;
    for (const Weighted& each : values) {
        total += each.weight;
    }
    double below = 0;
    for (const Weighted& each : values) {
        below += each.weight;
        if (below >= share * total * (1 - 1e-12)) {
            return each.value;
        }
    }
    return values.empty() ? 0 : values.back().value;
}

template <typename Key>
void add_by(std::vector<ErrorSummary>& summaries, const std::vector<RelativeError>& errors,
            Key key) {
    std::map<std::string, std::vector<RelativeError>> parts;
    for (const RelativeError& error : errors) {
        parts[key(error)].push_back(error);
    }
    for (const auto& [name, part] : parts) {
        summaries.push_back(summarize(name, part));
    }
}

}  // namespace

ErrorSummary summarize(const std::string& quantity, const std::vector<RelativeError>& errors) {
    std::map<std::string, int> rows_of;
    for (const RelativeError& error : errors) {
        ++rows_of[error.group];
    }
    ErrorSummary summary{.quantity = quantity, .rows = static_cast<int>(errors.size())};
    std::vector<Weighted> absolute;
    std::vector<Weighted> signed_errors;
    double inside = 0;
    for (const RelativeError& error : errors) {
        // A row without a group stands for itself.
        const double weight = error.group.empty() ? 1 : 1.0 / rows_of[error.group];
        absolute.push_back({std::abs(error.error), weight});
        signed_errors.push_back({error.error, weight});
        summary.max_abs_error = std::max(summary.max_abs_error, std::abs(error.error));
        inside += error.inside ? 1 : 0;
    }
    summary.median_abs_error = quantile(absolute, 0.5);
    summary.p90_abs_error = quantile(absolute, 0.9);
    summary.bias = quantile(signed_errors, 0.5);
    summary.coverage = errors.empty() ? 0 : inside / static_cast<double>(errors.size());
    return summary;
}

std::vector<ErrorSummary> breakdown(const std::vector<RelativeError>& errors) {
    std::vector<ErrorSummary> summaries;
    add_by(summaries, errors, [](const RelativeError& e) { return e.quantity; });
    add_by(summaries, errors, [](const RelativeError& e) { return e.quantity + " " + e.metric; });
    add_by(summaries, errors, [](const RelativeError& e) { return e.quantity + " " + e.quality; });
    add_by(summaries, errors,
           [](const RelativeError& e) { return e.quantity + " " + e.framework; });
    return summaries;
}

}  // namespace ridgeline
