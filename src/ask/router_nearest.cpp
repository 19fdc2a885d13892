#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/search/time_limits.h"
#include "ask/router.h"
#include "base/order.h"
#include "base/text.h"
#include "report/option_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

// Where nothing keeps all limits of a question: which of them stands in the way, and the nearest
// that would do.

namespace ridgeline::ask {
namespace {

/// A limit that an option exceeds.
struct Miss {
    std::string_view limit;  ///< "sum", "power", ...
    double excess = 0;       ///< needed / allowed - 1
    std::string words;       ///< "$5,299 to buy, $1,868 more than allowed"
};

void add_miss(std::vector<Miss>& misses, std::string_view limit, double needed, double allowed,
              std::string words) {
    if (needed > allowed && allowed > 0) {
        misses.push_back({limit, needed / allowed - 1, std::move(words)});
    }
}

void add_money_misses(const Query& query, const Option& option, std::vector<Miss>& misses) {
    const CostEstimate& cost = option.estimate.cost;
    const bool run = cost.usd_total > 0;
    if (query.budget_usd && query.buy && option.purchase_usd) {
        // The sum of the question pays for the computer around cards, or for a whole one.
        const bool whole = is_one_computer(*option.cluster.accelerator);
        const double needed = *option.purchase_usd + (whole ? 0 : query.computer_usd);
        const double allowed = *query.budget_usd + query.computer_usd;
        add_miss(misses, "sum", needed, allowed,
                 fmt::format("{} more than the sum", format_usd(needed - allowed)));
    } else if (query.budget_usd && !query.buy) {
        const double needed = run ? cost.usd_total : cost.usd_per_hour;
        add_miss(
            misses, "sum", needed, *query.budget_usd,
            fmt::format("{} {}, {} more than allowed", format_usd(needed),
                        run ? "for the run" : "an hour", format_usd(needed - *query.budget_usd)));
    }
    if (query.budget_usd_per_hour) {
        add_miss(misses, "rent", cost.usd_per_hour, *query.budget_usd_per_hour,
                 fmt::format("{} an hour, {} more than allowed", format_usd(cost.usd_per_hour),
                             format_usd(cost.usd_per_hour - *query.budget_usd_per_hour)));
    }
}

void add_power_misses(const Query& query, const Option& option, std::vector<Miss>& misses) {
    const double each = option.cluster.accelerator->tdp / watt;
    const double drawn = buys_for_a_desk(query) ? each * option.cluster.count : each;
    if (query.max_watts) {
        add_miss(
            misses, "power", drawn, *query.max_watts,
            fmt::format("{:.0f} W, {:.0f} more than allowed", drawn, drawn - *query.max_watts));
    }
    if (query.rack_kw) {
        const double machine = machine_watts(query, option.cluster);
        const double allowed = *query.rack_kw * 1000;
        add_miss(misses, "power", machine, allowed,
                 fmt::format("{:.0f} W for the machine, {:.0f} more than allowed", machine,
                             machine - allowed));
    }
}

void add_time_misses(const Query& query, const Option& option, std::vector<Miss>& misses) {
    const TimeEstimate& time = option.estimate.time;
    if (query.deadline_s && time.total > Seconds{}) {
        const double takes = time.total / second;
        add_miss(misses, "time", takes, *query.deadline_s,
                 fmt::format("{}, {} more than allowed", format_duration(takes),
                             format_duration(takes - *query.deadline_s)));
    }
    if (query.tpot_s) {
        const double token = time.tpot / second;
        add_miss(misses, "pace", token, *query.tpot_s,
                 fmt::format("{} tokens/s of the {} asked", figure_words(1 / token),
                             figure_words(1 / *query.tpot_s)));
    }
    if (query.answer_s) {
        const double whole = whole_answer(time, option.workload.serving) / second;
        add_miss(misses, "answer", whole, *query.answer_s,
                 fmt::format("a whole answer after {}, {} asked", format_duration(whole),
                             format_duration(*query.answer_s)));
    }
    if (query.ttft_s) {
        const double first = time.ttft / second;
        add_miss(misses, "first token", first, *query.ttft_s,
                 fmt::format("the first token after {}, {} asked", format_duration(first),
                             format_duration(*query.ttft_s)));
    }
}

std::vector<Miss> misses_of(const Query& query, const Option& option) {
    std::vector<Miss> misses;
    add_money_misses(query, option, misses);
    add_power_misses(query, option, misses);
    add_time_misses(query, option, misses);
    return misses;
}

/// Without the limits that a figure of an option misses by some share.
Query without_figures(Query query) {
    constexpr double any_sum = 1e6;
    if (query.budget_usd && query.buy) {
        // What is bought for a desk goes on standing there.
        query.budget_usd = *query.budget_usd <= most_at_home_usd ? most_at_home_usd : any_sum;
    } else {
        query.budget_usd.reset();
    }
    query.budget_usd_per_hour.reset();
    query.max_watts.reset();
    query.rack_kw.reset();
    query.deadline_s.reset();
    query.tpot_s.reset();
    query.ttft_s.reset();
    query.answer_s.reset();
    return query;
}

/// A wish that hardware or its offer meets or not.
struct Wish {
    bool (*stands)(const Query& query);
    void (*lift)(Query& query);
    bool (*met)(const Query& query, const Option& option);  ///< null: an option does not tell
    std::string (*words)(const Query& query);
};

std::string listed(const std::string& names) {
    return names.starts_with('!') ? "not " + names.substr(1) : names;
}

std::vector<std::string> unmet(const Query& query, const Accelerator& part) {
    std::vector<std::string> list;
    for (const std::string& each : query.require) {
        if (!is_as_required(part, {each}) || !has_feature(part, each).value_or(true)) {
            list.push_back(each);
        }
    }
    return list;
}

const Wish wishes[] = {
    {[](const Query& q) { return !q.require.empty(); }, [](Query& q) { q.require.clear(); },
     [](const Query& q, const Option& option) {
         return unmet(q, *option.cluster.accelerator).empty();
     },
     [](const Query& q) { return "what it must be (" + joined(q.require, ", ") + ")"; }},
    {[](const Query& q) { return !q.region.empty(); }, [](Query& q) { q.region.clear(); }, nullptr,
     [](const Query& q) { return "the region (" + q.region + ")"; }},
    {[](const Query& q) { return !q.provider.empty(); }, [](Query& q) { q.provider.clear(); },
     nullptr, [](const Query& q) { return "the provider (" + listed(q.provider) + ")"; }},
    {[](const Query& q) { return !q.price_kind.empty(); }, [](Query& q) { q.price_kind.clear(); },
     nullptr, [](const Query& q) { return "the kind of price (" + q.price_kind + ")"; }},
    {[](const Query& q) { return !q.vendor.empty(); }, [](Query& q) { q.vendor.clear(); },
     [](const Query& q, const Option& option) {
         return allowed_by(lower(q.vendor), lower(option.cluster.accelerator->vendor));
     },
     [](const Query& q) { return "the maker (" + listed(q.vendor) + ")"; }},
    {[](const Query& q) { return q.exact_accelerators || q.max_accelerators || q.nodes; },
     [](Query& q) {
         q.exact_accelerators.reset();
         q.max_accelerators.reset();
         q.nodes.reset();
     },
     [](const Query& q, const Option& option) {
         const int count = option.cluster.count;
         return count == q.exact_accelerators.value_or(count) &&
                count <= q.max_accelerators.value_or(count) && !q.nodes;
     },
     [](const Query& q) {
         const int most = q.exact_accelerators.value_or(q.max_accelerators.value_or(0));
         return most > 0 ? "the number (" + counted_noun(most, "accelerator") + ")"
                         : std::string("the number of machines");
     }},
    {[](const Query& q) { return q.memory_per_accelerator_gib.has_value(); },
     [](Query& q) { q.memory_per_accelerator_gib.reset(); },
     [](const Query& q, const Option& option) {
         return option.cluster.accelerator->marketed_gb >= *q.memory_per_accelerator_gib;
     },
     [](const Query& q) {
         return fmt::format("the memory of a card ({:g} GB)", *q.memory_per_accelerator_gib);
     }},
};

std::string price_of(const Query& query, const Option& option) {
    const double hour = option.estimate.cost.usd_per_hour;
    return query.buy && option.purchase_usd ? " for about " + format_usd(*option.purchase_usd)
           : !query.buy && hour > 0         ? " at " + format_usd(hour) + "/h"
                                            : "";
}

/// "2 x RTX 3090 for about $2,414: 1000 W for the machine, 100 more than allowed".
std::string near_words(const Query& query, const Option& option, const std::vector<Miss>& misses) {
    std::string words = report::hardware_words(option) + price_of(query, option);
    for (const Miss& miss : misses) {
        words += (&miss == misses.data() ? ": " : "; ") + miss.words;
    }
    return words;
}

/// Options with what they miss, the fewest limits and then the least excess first; nothing that
/// barely fits or has no price before what does.
std::vector<std::pair<const Option*, std::vector<Miss>>> nearest_first(
    const Query& query, const std::vector<Option>& options) {
    std::vector<std::pair<const Option*, std::vector<Miss>>> list;
    for (const Option& option : options) {
        const bool priced = query.buy ? option.purchase_usd.has_value()
                                      : query.owned || option.estimate.cost.offer.has_value();
        if (option.unobtainable.empty() && priced) {
            list.emplace_back(&option, misses_of(query, option));
        }
    }
    const auto key = [](const auto& each) {
        constexpr double barely = 0.1;
        double excess = barely_fits(each.first->estimate.memory) ? barely : 0;
        for (const Miss& miss : each.second) {
            excess += miss.excess;
        }
        return std::pair(each.second.size(), excess);
    };
    stable_order(list.begin(), list.end(),
                 [&](const auto& a, const auto& b) { return key(a) < key(b); });
    return list;
}

bool misses_wait(const std::vector<Miss>& misses) {
    return std::ranges::all_of(misses, [](const Miss& miss) {
        return miss.limit == "pace" || miss.limit == "first token" || miss.limit == "time";
    });
}

}  // namespace

std::string Router::nearest_words(const Query& limits) const {
    constexpr int all = 200;
    const auto found = [&](Query query) {
        Question open = asked_;
        open.length_open = false;
        open.query = std::move(query);
        open.query.top = all;
        auto advice = advice_on(open, world_, AdviceExtent::options);
        return advice ? std::move(advice->options) : std::vector<Option>();
    };
    auto options = found(without_figures(limits));
    if (const auto list = nearest_first(limits, options); !list.empty()) {
        const auto& [option, misses] = list.front();
        if (misses.empty()) {
            return "";
        }
        std::string words = fmt::format("Nothing {}: nearest is {}",
                                        misses_wait(misses) ? "is fast enough" : "fits",
                                        near_words(limits, *option, misses));
        // What misses another limit may be nearer to who can move that one.
        const auto other =
            std::ranges::find_if(list, [&, first = misses.front().limit](const auto& each) {
                return each.second.size() == 1 && each.second.front().limit != first;
            });
        return words +
               (other == list.end() ? ""
                                    : ", or " + near_words(limits, *other->first, other->second)) +
               ". ";
    }
    Query lifted = without_figures(limits);
    for (const Wish& wish : wishes) {
        if (!wish.stands(limits)) {
            continue;
        }
        wish.lift(lifted);
        Query one = limits;
        wish.lift(one);
        options = found(one);
        if (!options.empty() && options.front().unobtainable.empty()) {
            return fmt::format("Without {} {}{} does. ", wish.words(limits),
                               report::hardware_words(options.front()),
                               price_of(limits, options.front()));
        }
    }
    // Several stand in the way: what it would be without them, and which of them it breaks.
    options = found(lifted);
    auto list = nearest_first(limits, options);
    const auto broken = [&](const Option& option) {
        std::vector<std::string> words;
        for (const Wish& wish : wishes) {
            if (wish.stands(limits) && wish.met != nullptr && !wish.met(limits, option)) {
                words.push_back(wish.words(limits));
            }
        }
        return words;
    };
    stable_order(list.begin(), list.end(), [&](const auto& a, const auto& b) {
        return broken(*a.first).size() < broken(*b.first).size();
    });
    const std::vector<std::string> wished =
        list.empty() ? std::vector<std::string>() : broken(*list.front().first);
    return wished.empty()
               ? ""
               : fmt::format("Nothing fits: nearest is {}; {} {} not met. ",
                             near_words(limits, *list.front().first, list.front().second),
                             joined(wished, " and "), wished.size() == 1 ? "is" : "are");
}

void Router::tell_nearest(const Query& limits, Answer& reply) const {
    const std::string near = nearest_words(limits);
    if (near.empty()) {
        return;
    }
    const std::string words = near.substr(0, near.size() - 1);
    // A wish that stands in the way is told behind why nothing fits.
    reply.headline = words.starts_with("Nothing") ? words : reply.headline + " " + words;
}

}  // namespace ridgeline::ask
