#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/ranking/rank.h"
#include "advise/ranking/standing.h"
#include "advise/search/option_values.h"
#include "advise/search/spending.h"
#include "base/lists.h"

#include <algorithm>
#include <cmath>
#include <utility>

// What is told beside the first choice.

namespace ridgeline {

namespace {

/// What an option costs where options are weighed: to buy, for the work, or an hour.
double weighed_price(const Query& query, const Option& option) {
    return or_last(query.buy            ? option.purchase_usd
                   : has_length(option) ? cost_value(option)
                                        : rent_value(option));
}

}  // namespace

const Option* barely_enough_of(const Advice& advice) {
    constexpr double clearly_cheaper = 0.8;
    const Query& query = advice.query;
    if (query.owned || advice.options.empty()) {
        return nullptr;
    }
    const Option& best = advice.options.front();
    const double most = clearly_cheaper * weighed_price(query, best);
    const auto barely = std::ranges::find_if(advice.options, [&](const Option& option) {
        return std::isfinite(most) && barely_behind(query, option, best) &&
               option.scarce <= best.scarce && weighed_price(query, option) <= most;
    });
    return barely == advice.options.end() ? nullptr : &*barely;
}

RunnerUp runner_up_of(const Advice& advice) {
    constexpr double dearest =
        5;  // times the first: who pays that has no use for one of a hundred times
    constexpr double faster = 1.25;
    constexpr double hardly = 1.1;  // what is faster by less is a tie
    const Query& query = advice.query;
    const Option& best = advice.options.front();
    const auto price = [&](const Option& option) { return weighed_price(query, option); };
    const bool known = !query.owned && std::isfinite(price(best));
    // Where one card does it at a desk, or one module where it is built in, more are another thing.
    const bool one = best.cluster.count == 1 &&
                     (buys_for_a_desk(query) || is_embedded(*best.cluster.accelerator));
    RunnerUp found;
    auto common =
        std::ranges::find_if(advice.options, [](const Option& option) { return !option.scarce; });
    // Where the first choice is a tie with what is cheaper, that goes before what ranks next.
    const auto cheapest = std::ranges::find_if(advice.options, [&](const Option& option) {
        return query.objective == Objective::cost && !option.scarce &&
               is_among("cheapest", option.labels);
    });
    common = cheapest != advice.options.end() ? cheapest : common;
    if (best.scarce && common != advice.options.end() && price(*common) <= dearest * price(best) &&
        standing(query, *common) <= standing(query, best)) {
        return {best.renters == 1 ? "one provider rents it out; rented by more is"
                                  : "two providers rent it out; rented by more is",
                &*common};
    }
    if (const Option* barely = barely_enough_of(advice)) {
        return {"barely enough, for less, is", barely};
    }
    for (const Option& option : advice.options) {
        if (&option == &best || query.owned || option.scarce > best.scarce ||
            (one && option.cluster.count > 1) || (known && price(option) > dearest * price(best))) {
            continue;
        }
        // Who asks for speed has no use for what is so much slower, however little it costs.
        constexpr double slowest = 20;
        if (query.objective == Objective::time &&
            or_last(time_value(option)) > slowest * or_last(time_value(best))) {
            continue;
        }
        static constexpr std::pair<std::string_view, std::string_view> labels[] = {
            {"smallest", "the smallest is"},
            {"cheapest", "the cheapest is"},
            {"fastest", "the fastest is"}};
        const bool smaller_than_best =
            option.cluster.count < best.cluster.count ||
            (option.cluster.accelerator->marketed_gb < best.cluster.accelerator->marketed_gb &&
             !(known && price(option) > price(best)));  // dearer as well: nothing is gained
        for (const auto& [label, words] : labels) {
            const bool told = label == "smallest" ? smaller_than_best
                              : label == "fastest"
                                  ? or_last(time_value(option)) * hardly < or_last(time_value(best))
                                  : true;
            if (told && !option.labels.empty() && option.labels.front() == label) {
                return {words, &option};
            }
        }
        const double least = found.option == nullptr ? or_last(time_value(best)) / faster
                                                     : or_last(time_value(*found.option));
        if (known && standing(query, option) <= standing(query, best) &&
            or_last(time_value(option)) < least) {
            found = {"faster is", &option};
        }
    }
    return found;
}

}  // namespace ridgeline
