#include "advise/ranking/rank.h"

#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/compare.h"
#include "advise/ranking/option_reasons.h"
#include "advise/ranking/standing.h"
#include "advise/search/option_values.h"
#include "advise/search/search.h"
#include "advise/search/spending.h"
#include "advise/search/time_limits.h"
#include "base/lists.h"
#include "base/order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ridgeline {
namespace {

// By the memory that is sold, then by the price: 79.2 and 79.6 GiB are both 80 GB.
bool smaller(const Query& query, const Option& a, const Option& b) {
    const auto key = [&](const Option& option) {
        return std::tuple(!option.unobtainable.empty(), lacks_room(option.estimate.memory),
                          option.cluster.count, option.cluster.accelerator->marketed_gb,
                          or_last(query.buy ? option.purchase_usd : rent_value(option)),
                          or_last(cost_value(option)), option.cluster.accelerator->id);
    };
    return key(a) < key(b);
}

// Is `a` at least as good as `b` in everything and better in something? Unknown counts as worst.
bool dominates(const Option& a, const Option& b) {
    const auto figures = [](const Option& option) {
        return std::array{or_last(time_value(option)), or_last(cost_value(option)),
                          -(option.estimate.memory.headroom() / option.estimate.memory.capacity),
                          or_last(energy_value(option))};
    };
    const auto left = figures(a);
    const auto right = figures(b);
    bool better = false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] > right[i]) {
            return false;
        }
        better = better || left[i] < right[i];
    }
    return better;
}

// What is bought for a desk is as few cards as do it: twice as many have to be twice as fast, or to
// cost half. Elsewhere nothing.
double at_a_desk(const Query& query, const Option& option) {
    if (!buys_for_a_desk(query)) {
        return 0;
    }
    const bool judged = query.objective == Objective::time || query.objective == Objective::price;
    return option.cluster.count * (judged ? or_last(option.value) : 1);
}

// Who buys for a desk by price has no use for fewer cards, or for more memory, that cost clearly
// more and are no faster; who spends a sum on speed, be it the rent of a job, for what no estimate
// tells to be faster.
void clearly_better_first(const Query& query, std::vector<Option>& options) {
    constexpr double clearly_cheaper = 0.75;
    const bool by_time = query.objective == Objective::time && query.budget_usd.has_value();
    const bool job = by_time && query.requests_of_job > 0 && !query.buy;
    if (!(job || (buys_for_a_desk(query) && (by_time || query.objective == Objective::price)))) {
        return;
    }
    const auto usd = [&query, by_time, job](const Option& option) {
        const bool let = option.estimate.cost.offer.has_value();
        return job       ? (let ? std::optional(usd_of_job(query, option)) : std::nullopt)
               : by_time ? option.purchase_usd
                         : option.value;
    };
    for (auto place = options.begin(); place != options.end(); ++place) {
        const double slowest = (by_time ? same_rate_within : 1) * or_last(time_value(*place));
        for (;;) {
            const auto better = std::find_if(place + 1, options.end(), [&](const Option& other) {
                // Two of no known price are no better than each other.
                return usd(other) && standing(query, other) == standing(query, *place) &&
                       or_last(usd(other)) <= clearly_cheaper * or_last(usd(*place)) &&
                       (!by_time || job || other.cluster.count <= place->cluster.count) &&
                       or_last(time_value(other)) <=
                           (by_time ? slowest : or_last(time_value(*place)));
            });
            if (better == options.end()) {
                break;
            }
            std::rotate(place, better, better + 1);
        }
    }
}

// Ways of spreading that a plan uses at once: fewer are simpler to set up.
int intricacy(const Option& option) {
    const Plan& plan = option.workload.plan;
    int ways = option.cluster.nodes() > 1 ? 1 : 0;
    for (const int size : {plan.tensor, plan.pipeline, plan.context, plan.data}) {
        ways += size > 1 ? 1 : 0;
    }
    const bool offloads = plan.offload_optimizer != OffloadTarget::none ||
                          plan.offload_parameters != OffloadTarget::none ||
                          plan.offload_activations != OffloadTarget::none;
    return ways + (offloads ? 1 : 0);
}

/// Two figures of which one is so many times the other differ, whatever the range of each.
constexpr double surely_apart = 1.3;

// Each estimate lies in the range of the other, and they differ by so little that the parts may
// change places: most of an error is of the work and the stack, which both share. Of 2,071 pairs of
// parts that ran the same work (tests/evidence) those told to differ by more than 1.3 came in that
// order in 98 of 100, those by 1.15 to 1.3 in 90. What keeps a rate that was asked differs in its
// rent, which is known.
bool tied(const Query& query, const Option& first, const Option& second) {
    const bool by_rent =
        query.objective == Objective::rent ||
        ((query.requests_per_s || query.by_hour) && query.objective == Objective::cost);
    if (!first.value || !second.value || standing(query, first) != standing(query, second) ||
        at_a_desk(query, first) != at_a_desk(query, second)) {
        return false;
    }
    // Who asks for the lowest rent is told the lowest.
    const double same_rent = query.objective == Objective::rent ? 1 : 1.05;
    if (query.objective == Objective::memory) {
        return *second.value == *first.value;
    }
    if (by_rent) {
        return *second.value <= same_rent * *first.value;
    }
    const double above = std::clamp(first.estimate.time.band.high, 1.0, surely_apart);
    const double below = std::clamp(second.estimate.time.band.low, 1 / surely_apart, 1.0);
    return *second.value <= *first.value * above && *first.value >= *second.value * below;
}

using Options = std::vector<Option>::iterator;

// Worse by the objective and slower than another that takes no more accelerators, or of which more
// cost less to buy by as much as the wider board takes: no plan is simple enough to make up for
// that. Nor where a server for as many users as were told, or one, costs that much less an hour:
// rents are known, and what it could make for more users is not asked.
bool beaten(const Query& query, const Option& option, Options first, Options end) {
    constexpr double clearly_cheaper = 0.9;
    return std::any_of(first, end, [&](const Option& other) {
        const bool cheaper = query.buy && or_last(other.purchase_usd) <
                                              clearly_cheaper * or_last(option.purchase_usd);
        const bool rented_for_less =
            option.workload.task == Task::inference && !query.buy && !query.owned &&
            or_last(rent_value(other)) * surely_apart < or_last(rent_value(option));
        return or_last(other.value) < or_last(option.value) &&
               (rented_for_less || (or_last(time_value(other)) < or_last(time_value(option)) &&
                                    (other.cluster.count <= option.cluster.count || cheaper)));
    });
}

// Rents differ by more between two days: who is so little dearer goes first where it is faster.
constexpr double hardly_dearer = 1.05;

// Of options with plans as simple and counts as small as each other, cheapest first.
void faster_first(Options first, Options end) {
    while (first != end) {
        const double most = or_last(first->value) * hardly_dearer;
        const auto dearer = std::find_if(
            first, end, [most](const Option& option) { return !(or_last(option.value) <= most); });
        stable_order(first, dearer, [](const Option& a, const Option& b) {
            return or_last(time_value(a)) < or_last(time_value(b));
        });
        first = dearer == first ? end : dearer;
    }
}

// Options that the error of an estimate cannot tell apart, one of each part.
void settle_group(const Query& query, Options first, Options end) {
    std::map<const Option*, bool> is_beaten;
    std::vector<Option> group(std::make_move_iterator(first), std::make_move_iterator(end));
    for (const Option& option : group) {
        is_beaten[&option] = beaten(query, option, group.begin(), group.end());
    }
    const auto key = [&](const Option* option) {
        return std::tuple(is_beaten[option], intricacy(*option), option->cluster.count,
                          option->scarce);
    };
    std::vector<Option*> order;
    for (Option& option : group) {
        order.push_back(&option);
    }
    stable_order(order.begin(), order.end(),
                 [&](const Option* a, const Option* b) { return key(a) < key(b); });
    Options run = first;
    Options to = first;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && key(order[i - 1]) != key(order[i])) {
            faster_first(run, to);
            run = to;
        }
        *to++ = std::move(*order[i]);
    }
    faster_first(run, to);
}

// Further counts of a part share its error: what they gain by less than two rates differ at all is
// no reason to take more of it. Of the options of each part the fewest that do as well go first.
void fewest_of_each_part_first(Options first, Options end) {
    std::set<std::string_view> settled;
    for (auto option = first; option != end; ++option) {
        if (!settled.insert(option->cluster.accelerator->id).second) {
            continue;
        }
        auto fewest = option;
        for (auto other = option + 1; other != end; ++other) {
            const bool as_well = other->cluster.accelerator == option->cluster.accelerator &&
                                 or_last(other->value) <= same_rate_within * or_last(option->value);
            fewest = as_well && other->cluster.count < fewest->cluster.count ? other : fewest;
        }
        std::rotate(option, fewest, std::next(fewest, fewest == option ? 0 : 1));
    }
}

// The first option of each part to the front, the others behind, both in their order; where these
// begin.
Options first_of_each_part(Options first, Options end) {
    std::set<std::string_view> parts;
    std::vector<Option> front;
    std::vector<Option> behind;
    for (auto option = first; option != end; ++option) {
        const bool leads = parts.insert(option->cluster.accelerator->id).second;
        (leads ? front : behind).push_back(std::move(*option));
    }
    const auto others = std::move(front.begin(), front.end(), first);
    std::move(behind.begin(), behind.end(), others);
    return others;
}

// Of options in order, those that the error of the estimate cannot tell from the first of their
// group change places: what several providers rent out first, then the simpler plan, then the
// smaller count, then the faster. Further counts of a part stay behind: an error that they share
// tells nothing of which is better.
void settle_ties(const Query& query, std::vector<Option>& options) {
    for (auto first = options.begin(); first != options.end();) {
        auto end = first + 1;
        while (end != options.end() && tied(query, *first, *end)) {
            ++end;
        }
        fewest_of_each_part_first(first, end);
        settle_group(query, first, first_of_each_part(first, end));
        first = end;
    }
}

void label(const Query& query, std::vector<Option>& options) {
    // What nobody sells, or what only barely fits, is no recommendation while there is another.
    const auto mark = [&](const char* name, auto less) {
        const auto best = std::ranges::min_element(options, [&](const Option& a, const Option& b) {
            const auto a_last = standing(query, a);
            const auto b_last = standing(query, b);
            return a_last != b_last ? a_last < b_last : less(a, b);
        });
        if (best != options.end()) {
            best->labels.emplace_back(name);
        }
    };
    mark("smallest", [&](const Option& a, const Option& b) { return smaller(query, a, b); });
    const bool priced = std::ranges::any_of(
        options, [](const Option& option) { return cost_value(option).has_value(); });
    if (priced) {
        mark("cheapest", [&](const Option& a, const Option& b) {
            return query.buy ? or_last(a.purchase_usd) < or_last(b.purchase_usd)
                   : query.by_hour || query.objective == Objective::rent
                       ? or_last(rent_value(a)) < or_last(rent_value(b))
                       : or_last(cost_value(a)) < or_last(cost_value(b));
        });
    }
    mark("fastest", [](const Option& a, const Option& b) {
        return or_last(time_value(a)) < or_last(time_value(b));
    });
}

/// Of what is to be rented from whom one likes, what so few rent out that none may be left.
void count_renters(const Search& search, std::vector<Option>& options) {
    const Query& query = search.query;
    const bool open =
        !query.owned && !query.buy && query.accelerators.empty() && query.provider.empty();
    std::map<std::string_view, int> renters;
    for (Option& option : options) {
        const Accelerator& part = *option.cluster.accelerator;
        if (!renters.contains(part.id)) {
            renters[part.id] = renters_of(search.knowledge.catalog, part);
        }
        option.renters = renters[part.id];
        option.scarce = open && option.estimate.cost.offer && option.renters < least_renters;
    }
}

/// Leaves out what a budget of rent would occupy for longer than anyone waits, while there is
/// something larger.
void spend_in_time(const Query& query, std::vector<Option>& options) {
    const auto lasts = [&](const Option& option) {
        const auto spending = spending_of(query, option);
        return spending && spending->seconds > longest_wait_s;
    };
    if (!query.exact_accelerators && !std::ranges::all_of(options, lasts)) {
        std::erase_if(options, lasts);
    }
}

}  // namespace

void rank(const Search& search, std::vector<Option>& options) {
    spend_in_time(search.query, options);
    for (Option& option : options) {  // that were ranked before others fell out
        option.labels.clear();
        option.why.clear();
    }
    count_renters(search, options);
    const WorkloadProfile* profile =
        search.query.profile.empty()
            ? nullptr
            : search.knowledge.profiles.workload_profile(search.query.profile);
    std::map<std::string, double> scores;  // of the profile; by accelerator
    for (const Option& option : options) {
        const Accelerator& part = *option.cluster.accelerator;
        if (profile != nullptr && !scores.contains(part.id)) {
            scores[part.id] = -profile_score(*profile, part, search.knowledge.catalog);
        }
    }
    const auto key = [&](const Option& option) {
        const std::string& id = option.cluster.accelerator->id;
        return std::tuple(standing(search.query, option), at_a_desk(search.query, option),
                          profile == nullptr ? 0.0 : scores[id], or_last(option.value),
                          or_last(option.purchase_usd),  // what nobody rents out
                          option.cluster.count, id);
    };
    stable_order(options.begin(), options.end(),
                 [&](const Option& a, const Option& b) { return key(a) < key(b); });
    if (profile == nullptr) {
        settle_ties(search.query, options);
    }
    clearly_better_first(search.query, options);
    label(search.query, options);
    const bool one_count = std::ranges::all_of(options, [&](const Option& option) {
        return option.cluster.count == options.front().cluster.count;
    });
    for (std::size_t i = 0; i < options.size(); ++i) {
        options[i].rank = static_cast<int>(i) + 1;
        options[i].pareto = std::ranges::none_of(
            options, [&](const Option& other) { return dominates(other, options[i]); });
        explain(search, options[i], options.size(), one_count);
    }
}

}  // namespace ridgeline
