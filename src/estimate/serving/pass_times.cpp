#include "estimate/serving/pass_times.h"

#include "estimate/serving/pass_fold.h"
#include "estimate/time/collective.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// A cost below which nothing is told apart; keeps logarithms finite.
constexpr double least_cost = 1e-12;
constexpr double least_x = 1e-9;

/// Powers of `factor` from `first` on below `last`, then `last`.
std::vector<double> ladder(double first, double last, double factor) {
    std::vector<double> steps;
    for (double x = first; x < last * 0.999; x *= factor) {
        steps.push_back(x);
    }
    steps.push_back(std::max(first, last));
    return steps;
}

/// Query-key pairs of new tokens behind others, under a causal mask.
double pairs(double added, double before) { return added * (before + added / 2); }

}  // namespace

void CostCurve::add(double x, double y) {
    Point point{std::log(x), std::log(std::max(least_cost, y))};
    if (points_.empty() || point.x > points_.back().x + 1e-9) {
        point.slope =
            points_.empty() ? 0 : (point.y - points_.back().y) / (point.x - points_.back().x);
        points_.push_back(point);
    }
}

double CostCurve::log_at(double log_x) const {
    if (points_.size() == 1) {
        return points_.front().y;
    }
    auto above = points_.begin() + 1;
    while (above + 1 != points_.end() && above->x < log_x) {
        ++above;
    }
    // Beyond the last point a cost grows with the size at most: what begins anew just before it (a
    // further tile of rows) does not begin again and again.
    const bool beyond = log_x > above->x;
    const auto from = beyond ? above : above - 1;
    const double slope = beyond ? std::min(1.0, above->slope) : above->slope;
    return from->y + slope * (log_x - from->x);
}

double CostCurve::at(double x) const {
    return points_.empty() ? 0 : std::exp(log_at(std::log(std::max(x, least_x))));
}

void CostCurves::add(double size, CostCurve curve) {
    const double step = list_.empty() ? 0 : std::log(size / list_.back().size);
    list_.push_back({size, step, std::move(curve)});
}

CostCurves::OfSize CostCurves::of(double size) const {
    if (list_.empty()) {
        return {};
    }
    const auto above =
        std::ranges::find_if(list_, [&](const Sized& entry) { return entry.size >= size; });
    if (above == list_.begin() || above == list_.end()) {
        return {.below = above == list_.end() ? &list_.back().curve : &above->curve};
    }
    const auto below = above - 1;
    return {&below->curve, &above->curve, std::log(size / below->size) / above->step};
}

double CostCurves::OfSize::at(double x) const {
    if (below == nullptr || above == nullptr) {
        return below == nullptr ? 0 : below->at(x);
    }
    const double log_x = std::log(std::max(x, least_x));
    return std::exp((1 - part) * below->log_at(log_x) + part * above->log_at(log_x));
}

namespace {

/// Passes of one server, each folded once.
class FoldedPasses {
public:
    FoldedPasses(const EstimateInput& input, const LinkModel& links)
        : input_(input), links_(links) {}

    /// Seconds of all but attention.
    double rest(double samples, double tokens, double context) {
        const Pass pass = pass_of(samples, tokens, context);
        const ServedPass* known = find(pass);
        const ServedPass& folded =
            known != nullptr ? *known
                             : folded_.emplace_back(pass, serve_pass(input_, links_, pass)).second;
        return folded.total() - folded.attention;
    }
    [[nodiscard]] double attention(double samples, double tokens, double context) const {
        const Pass pass = pass_of(samples, tokens, context);
        const ServedPass* known = find(pass);
        return known != nullptr ? known->attention : pass_attention(input_, links_, pass);
    }

private:
    static Pass pass_of(double samples, double tokens, double context) {
        return Pass{.samples = samples, .tokens = tokens, .context = context, .training = false};
    }
    [[nodiscard]] const ServedPass* find(const Pass& pass) const {
        const auto known = std::ranges::find(folded_, pass, &std::pair<Pass, ServedPass>::first);
        return known != folded_.end() ? &known->second : nullptr;
    }

    const EstimateInput& input_;
    const LinkModel& links_;
    std::vector<std::pair<Pass, ServedPass>> folded_;
};

}  // namespace

PassTimes::PassTimes(const EstimateInput& input, const LinkModel& links, const PassReach& reach) {
    FoldedPasses passes(input, links);
    const Serving serving = input.workload.serving.value_or(Serving{});
    draft_ = 1 + serving.draft_tokens;
    const double middle = std::max(2.0, reach.longest / 2);
    if (reach.decodes) {
        for (const double n : ladder(1, draft_ * std::max(1.0, reach.sequences), 2)) {
            step_.add(n, passes.rest(n, 1, middle));
        }
        for (const double n : ladder(1, std::max(1.0, reach.sequences), 8)) {
            CostCurve each;
            for (const double context : ladder(std::min(64.0, middle), reach.longest, 8)) {
                each.add(context, passes.attention(n, 1, context) / (n * context));
            }
            decode_attention_.add(n, std::move(each));
        }
    }
    if (reach.prompt > 0) {
        const double chunk = std::max(2.0, std::min(reach.prompt, reach.budget));
        std::vector<double> sizes = ladder(16, std::max(16.0, reach.budget + reach.sequences), 2);
        sizes.push_back(chunk);
        std::ranges::sort(sizes);
        for (const double tokens : sizes) {
            pass_.add(tokens, passes.rest(1, tokens, tokens));
        }
        for (const double tokens : ladder(std::min(64.0, chunk), chunk, 4)) {
            CostCurve each;
            for (const double context : ladder(tokens, std::max(tokens, reach.longest), 8)) {
                each.add(context,
                         passes.attention(1, tokens, context) / pairs(tokens, context - tokens));
            }
            prompt_attention_.add(tokens, std::move(each));
        }
    }
}

DecodeStep PassTimes::decode(double sequences) const {
    if (sequences <= 0) {
        return {};
    }
    return {sequences, step_.at(sequences * draft_), decode_attention_.of(sequences)};
}

double PassTimes::prompt_attention(double added, double before) const {
    return pairs(added, before) * prompt_attention_.of(added).at(before + added);
}

double PassTimes::prompts(double added, const DecodeStep& beside, double tokens) const {
    const double products = pass_.at(added + beside.sequences * draft_);
    // A pass reads all weights, however few its tokens are.
    return std::max(products, beside.rest) + beside.attention_over(tokens);
}

}  // namespace ridgeline
