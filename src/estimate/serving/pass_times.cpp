#include "estimate/serving/pass_times.h"

#include "estimate/time/collective.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// A cost below which nothing is told apart; keeps logarithms finite.
constexpr double least_cost = 1e-12;

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
double pairs(double added, double before) {
    return added * (before + added / 2);
}

/// Between the curves of the two nearest sizes, by the logarithm of the size.
template <typename List>
double between(const List& list, double size, double context) {
    if (list.empty()) {
        return 0;
    }
    auto above = std::ranges::find_if(list, [&](const auto& entry) { return entry.at >= size; });
    if (above == list.begin()) {
        return above->each.at(context);
    }
    if (above == list.end()) {
        return list.back().each.at(context);
    }
    const auto below = above - 1;
    const double part = std::log(size / below->at) / std::log(above->at / below->at);
    return std::exp((1 - part) * std::log(std::max(least_cost, below->each.at(context))) +
                    part * std::log(std::max(least_cost, above->each.at(context))));
}

}  // namespace

void CostCurve::add(double x, double y) {
    const Point point{std::log(x), std::log(std::max(least_cost, y))};
    if (points_.empty() || point.x > points_.back().x + 1e-9) {
        points_.push_back(point);
    }
}

double CostCurve::at(double x) const {
    if (points_.empty()) {
        return 0;
    }
    const double wanted = std::log(std::max(x, 1e-9));
    if (points_.size() == 1) {
        return std::exp(points_.front().y);
    }
    auto above = std::ranges::find_if(points_, [&](const Point& p) { return p.x >= wanted; });
    above = std::clamp(above, points_.begin() + 1, points_.end() - 1);
    const auto below = above - 1;
    const double slope = (above->y - below->y) / (above->x - below->x);
    return std::exp(below->y + slope * (wanted - below->x));
}

PassTimes::PassTimes(const EstimateInput& input, const LinkModel& links, const PassReach& reach) {
    std::vector<std::pair<Pass, ServedPass>> folded;
    const auto fold = [&](double samples, double tokens, double context) {
        const Pass pass{
            .samples = samples, .tokens = tokens, .context = context, .training = false};
        const auto known = std::ranges::find(folded, pass, &std::pair<Pass, ServedPass>::first);
        return known != folded.end()
                   ? known->second
                   : folded.emplace_back(pass, serve_pass(input, links, pass)).second;
    };
    const Serving serving = input.workload.serving.value_or(Serving{});
    draft_ = 1 + serving.draft_tokens;
    const double middle = std::max(2.0, reach.longest / 2);
    if (reach.decodes) {
        for (const double n : ladder(1, draft_ * std::max(1.0, reach.sequences), 2)) {
            const ServedPass pass = fold(n, 1, middle);
            step_.add(n, pass.total() - pass.attention);
        }
        for (const double n : ladder(1, std::max(1.0, reach.sequences), 8)) {
            Attention entry{.at = n, .each = {}};
            for (const double context : ladder(std::min(64.0, middle), reach.longest, 8)) {
                entry.each.add(context, fold(n, 1, context).attention / (n * context));
            }
            decode_attention_.push_back(entry);
        }
    }
    if (reach.prompt > 0) {
        const double chunk = std::max(2.0, std::min(reach.prompt, reach.budget));
        std::vector<double> sizes = ladder(16, std::max(16.0, reach.budget + reach.sequences), 2);
        sizes.push_back(chunk);
        std::ranges::sort(sizes);
        for (const double tokens : sizes) {
            const ServedPass pass = fold(1, tokens, tokens);
            pass_.add(tokens, pass.total() - pass.attention);
        }
        for (const double tokens : ladder(std::min(64.0, chunk), chunk, 4)) {
            Attention entry{.at = tokens, .each = {}};
            for (const double context : ladder(tokens, std::max(tokens, reach.longest), 8)) {
                entry.each.add(
                    context, fold(1, tokens, context).attention / pairs(tokens, context - tokens));
            }
            prompt_attention_.push_back(entry);
        }
    }
}

double PassTimes::decode_attention(double sequences, double tokens) const {
    return sequences > 0 && tokens > 0
               ? tokens * between(decode_attention_, sequences, tokens / sequences)
               : 0;
}

double PassTimes::decode(double sequences, double tokens) const {
    return sequences > 0 ? step_.at(sequences * draft_) + decode_attention(sequences, tokens) : 0;
}

double PassTimes::prompt_attention(double added, double before) const {
    return pairs(added, before) * between(prompt_attention_, added, before + added);
}

double PassTimes::prompts(double added, double sequences, double tokens) const {
    if (added <= 0) {
        return decode(sequences, tokens);
    }
    const double products = pass_.at(added + sequences * draft_);
    // A pass reads all weights, however few its tokens are.
    const double alone = sequences > 0 && !step_.empty() ? step_.at(sequences * draft_) : 0;
    return std::max(products, alone) + decode_attention(sequences, tokens);
}

}  // namespace ridgeline
