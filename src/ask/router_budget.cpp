#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/largest/replies.h"
#include "ask/router.h"
#include "base/text.h"
#include "report/budget_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

// What a sum buys or rents where no work was named.

namespace ridgeline::ask {
namespace {

constexpr double hours_of_a_year = 8760;

/// Nothing is bought: the first rent that is `wanted` stands first.
template <typename Wanted>
void rent_alone(BudgetAnswer& answer, Wanted wanted) {
    answer.buy.clear();
    answer.why.clear();
    answer.beside.reset();
    answer.recommendation = "rent";
    const auto first = std::find_if(answer.rent.begin(), answer.rent.end(), wanted);
    if (first != answer.rent.end()) {
        std::rotate(answer.rent.begin(), first, first + 1);
    }
}

/// Who buys, or wants a card at home, is told of no rent.
void buy_alone(BudgetAnswer& answer) {
    answer.rent.clear();
    answer.rented_can.clear();
    answer.beside.reset();
    answer.oldest_rent_days.reset();
    answer.recommendation = "buy";
    answer.rents_faster = false;
    answer.why.clear();
}

/// What is there is neither bought nor rented.
void leave_as_owned(BudgetAnswer& answer) {
    answer.rent.clear();
    answer.beside.reset();
    for (Purchasable& each : answer.buy) {
        each.usd = 0;
    }
}

/// "list all gpus with 80 GB under $20k": every one is asked for, no choice among them.
bool lists_parts(const std::vector<std::string>& question) {
    std::string words;
    for (const std::string& piece : question) {
        words += lower(piece) + " ";
    }
    const std::size_t at = words.find("list ");
    std::string_view rest = at == std::string::npos ? "" : std::string_view(words).substr(at);
    for (const std::string_view skipped : {"list ", "me ", "of ", "all ", "every ", "the "}) {
        rest.remove_prefix(rest.starts_with(skipped) ? skipped.size() : 0);
    }
    return rest.starts_with("gpu") || rest.starts_with("card") || rest.starts_with("accelerator");
}

/// The question, of what a rent is of.
Reading on_rented(const Reading& reading, const Rentable& rent) {
    Reading one = reading;
    one.accelerators = {rent.offer->accelerator};
    one.count = rent.instances * rent.offer->count;
    one.usd_per_hour.reset();
    one.budget_usd.reset();
    one.memory_gib.reset();  // the least that was asked for is none of what it has
    one.memory_at_least = false;
    return one;
}

/// What can be done with a rent is asked, not only what it is: a sentence behind another one.
std::string held_by(const Reading& reading, const AnswerTools& tools, const Rentable& rent) {
    Reading one = on_rented(reading, rent);
    const auto held = reply_largest(one, query_of(one), tools);
    return held ? " " + held->headline : "";
}

/// A sum that is spent is so many hours, which bound a run from scratch before memory does: that
/// run; nothing: it cannot be told.
std::optional<Answer> trained_on(const Reading& reading, const AnswerTools& tools,
                                 const Rentable& rent) {
    Reading one = on_rented(reading, rent);
    one.deadline_s = rent.hours * 3600;
    one.method = "full";
    auto trained = reply_largest(one, query_of(one), tools);
    return trained ? std::optional(std::move(*trained)) : std::nullopt;
}

/// The same as a sentence behind another one.
std::string trained_within(const Reading& reading, const AnswerTools& tools, const Rentable& rent) {
    const auto trained = trained_on(reading, tools, rent);
    return trained ? " " + trained->headline : "";
}

/// Of the numbers of this part that the sum rents for a week to a year, the one that trains the
/// largest model from scratch; of nearly equal ones the fewest. Precondition: a sum was told.
Rentable rent_for_run(const Reading& reading, const Query& query, const AnswerTools& tools,
                      const Rentable& first) {
    constexpr std::array counts{1, 8, 16, 32, 64, 128, 256};
    constexpr double least_hours = 7 * 24;
    constexpr double alike = 1.03;
    Rentable best = first;
    double most = 0;
    for (const int count : counts) {
        const int per_node = make_cluster(tools.knowledge.catalog, *first.part, count).per_node;
        const Offer* offer =
            cheapest_offer(tools.knowledge.catalog, query, *first.part, count, per_node);
        if (offer == nullptr) {
            continue;
        }
        Rentable rent = first;
        rent.offer = offer;
        rent.instances = (count + offer->count - 1) / offer->count;
        rent.hours = *query.budget_usd / (offer->usd_per_hour * rent.instances);
        const bool sensible = rent.hours >= least_hours && rent.hours <= hours_of_a_year;
        const auto trained = sensible ? trained_on(reading, tools, rent) : std::nullopt;
        const double size =
            trained && !trained->values.empty() ? trained->values.front().mid.value_or(0) : 0;
        if (size > alike * most) {
            most = size;
            best = rent;
        }
    }
    return best;
}

/// A sum that each hour may cost, and no work: what is rented within it.
bool limits_the_hour(const Reading& reading, const Query& query) {
    // A sum of a month may pay for some of its hours.
    return reading.usd_per_hour && !reading.usd_per_month && !query.budget_usd &&
           query.objective != Objective::memory && !reading.buy;
}

/// What a sum without work is for.
struct SumAsked {
    bool by_period = false;     ///< of each month, for which rents stand
    bool from_scratch = false;  ///< a run from scratch
    bool spent = false;         ///< "$50k of h100 time": what it trains
    bool rented = false;        ///< nothing is bought
    bool shared = false;        ///< between nodes, of which one is answered
    int nodes = 1;
};

/// Settles the sum, of what it is for. words  of the question
SumAsked sum_asked(const std::vector<std::string>& words, Reading& reading, Query& query) {
    SumAsked sum;
    sum.by_period = reading.usd_per_hour && !query.budget_usd;
    if (sum.by_period) {
        query.budget_usd = *reading.usd_per_hour * hours_of_a_month;
    }
    if (!query.budget_usd && !query.exact_accelerators) {
        query.exact_accelerators = 1;
    }
    // A run from scratch is what a sum pays for, unless cards were to be bought.
    sum.spent =
        reading.credits && reading.task == Task::train && !reading.tunes && reading.method.empty();
    sum.from_scratch = query.budget_usd && !reading.buy && !reading.owned &&
                       (sum.spent || names_run_from_scratch(words));
    if (sum.from_scratch) {
        query.buy = false;
        std::erase_if(reading.assumed, [](const auto& each) { return each.field == "buy"; });
        reading.flags = flags_of(reading, query);
    }
    // "12 nodes for 600k": what each of them may cost is bought.
    sum.nodes = reading.nodes.value_or(1);
    sum.shared = sum.nodes > 1 && query.budget_usd && !reading.count &&
                 reading.accelerators.empty() && !sum.from_scratch;
    if (sum.shared) {
        query.budget_usd = *query.budget_usd / sum.nodes;
    }
    // Credits of a cloud, or a sum to be spent at one, buy no cards.
    sum.rented = sum.from_scratch || reading.credits ||
                 (query.budget_usd && !reading.providers.empty() && !reading.buy);
    return sum;
}

/// Leaves rents or purchases alone where only these are asked for.
void keep_what_is_asked(const SumAsked& sum, const Reading& reading, const Query& query,
                        const AnswerTools& tools, BudgetAnswer& answer) {
    if (sum.by_period || sum.rented) {
        // What serves has to stand there all month: the most work that is paid for so long.
        rent_alone(answer, [&sum](const Rentable& each) {
            return sum.by_period ? each.hours >= hours_of_a_month : each.hours <= hours_of_a_year;
        });
    } else if (!answer.buy.empty() && query.budget_usd &&
               (reading.buy || reading.home || sum.shared || reading.max_count == 1)) {
        buy_alone(answer);
    }
    if (sum.from_scratch && !answer.rent.empty() && !reading.count) {
        answer.rent.front() = rent_for_run(reading, query, tools, answer.rent.front());
    }
}

/// What can be done with the rent that stands first, where nothing is bought.
void tell_use_of_rent(const SumAsked& sum, const Reading& reading, const AnswerTools& tools,
                      const BudgetAnswer& answer, Answer& reply) {
    if (answer.rent.empty()) {
        return;
    }
    const Rentable& rent = answer.rent.front();
    if (sum.from_scratch) {
        if (const auto trained = trained_on(reading, tools, rent)) {
            reply.headline = trained->headline + " It is " + reply.headline +
                             (sum.spent ? held_by(reading, tools, rent) : std::string());
            reply.values = trained->values;
        }
    } else if (sum.by_period && assumed_of(reading, "objective") != nullptr) {
        // The size that was asked for goes first.
        const std::string held = held_by(reading, tools, rent);
        std::string words = reply.headline;
        words.front() = words.starts_with("All") ? 'a' : words.front();
        reply.headline = held.empty() ? reply.headline : held.substr(1) + " It is " + words;
    } else if (sum.by_period || sum.rented) {
        reply.headline += held_by(reading, tools, rent) +
                          (sum.rented ? trained_within(reading, tools, rent) : "");
    }
}

}  // namespace

Result<Routed> Router::budget_of_an_hour() {
    Query query = asked_.query;
    const bool cheapest =
        reading_.objective == Objective::cost || reading_.objective == Objective::price;
    query.objective = cheapest ? Objective::price : Objective::time;
    const double each = reading_.hourly_each ? reading_.count.value_or(1) : 1;
    const BudgetAnswer answer = hourly_answer(query, knowledge_, *reading_.usd_per_hour * each);
    Routed out;
    out.json = report::budget_json(answer, stamp());
    out.text = report::budget_text(answer, style());
    out.reply = reply_budget(reading_, answer);
    if (!answer.rent.empty()) {
        out.reply.headline += held_by(reading_, tools_, answer.rent.front());
    }
    out.exit_code = answer.rent.empty() ? 3 : 0;
    return out;
}

Result<Routed> Router::budget() {
    if (!reading_.model.empty() && (reading_.budget_usd || reading_.usd_per_hour)) {
        return budget_of_work();
    }
    Query& query = asked_.query;
    const std::vector<std::string> words = request_.texts("question");
    if (query.budget_usd && reading_.accelerators.empty() && lists_parts(words)) {
        return alone(reply_parts_with(reading_, tools_));
    }
    if (limits_the_hour(reading_, query)) {
        return budget_of_an_hour();
    }
    const SumAsked sum = sum_asked(words, reading_, query);
    BudgetAnswer answer = budget_answer_on(asked_, world_);
    answer.by_month = sum.by_period;
    keep_what_is_asked(sum, reading_, query, tools_, answer);
    if (answer.buy.empty() && !reading_.accelerators.empty() && !query.budget_usd) {
        return held_by_each();  // hardware that is no longer sold is there all the same
    }
    if (!answer.buy.empty() && query.budget_usd) {
        assume_price(answer.buy.front().cluster);
    }
    const bool there = reading_.owned && !reading_.accelerators.empty() && !query.budget_usd &&
                       !answer.buy.empty();
    if (there) {
        leave_as_owned(answer);
    }
    Routed out;
    out.json = report::budget_json(answer, stamp());
    out.text = there ? std::string() : report::budget_text(answer, style());
    out.reply = reply_budget(reading_, answer);
    if (there && out.reply.choice) {
        out.reply.choice->why = "owned";
        out.reply.values.clear();
    }
    tell_use_of_rent(sum, reading_, tools_, answer, out.reply);
    if (sum.shared) {
        out.reply.headline = fmt::format("For each of {} nodes, {}: {}", sum.nodes,
                                         format_usd(*query.budget_usd), out.reply.headline);
        if (out.reply.choice) {
            out.reply.choice->count *= sum.nodes;
        }
    }
    out.exit_code = answer.buy.empty() && answer.rent.empty() ? 3 : 0;
    return out;
}

Result<Routed> Router::held_by_each() {
    const bool forms =
        std::any_of(reading_.assumed.begin(), reading_.assumed.end(),
                    [](const AssumedField& each) { return each.field == "accelerators"; });
    Answer all;
    for (const std::string& id : reading_.accelerators) {
        Reading one = reading_;
        Query query = asked_.query;
        if (!forms) {
            one.accelerators = {id};
            query.accelerators = {id};
        }
        auto reply = reply_largest(one, query, tools_);
        if (!reply) {
            return tl::unexpected(reply.error());
        }
        all.headline += (all.headline.empty() ? "" : " ") + reply->headline;
        all.choice = all.choice ? all.choice : reply->choice;
        all.values.insert(all.values.end(), reply->values.begin(), reply->values.end());
        if (forms) {
            break;
        }
    }
    return alone(std::move(all));
}

}  // namespace ridgeline::ask
