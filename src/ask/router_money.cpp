#include "advise/answers/rents.h"
#include "advise/answers/side_rents.h"
#include "advise/figure_words.h"
#include "advise/fits/memory_ways.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/largest/replies.h"
#include "advise/search/spending.h"
#include "ask/router.h"
#include "base/text.h"
#include "report/budget_report.h"
#include "report/catalog_prices.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

// Questions about money: a price, what a sum buys.

namespace ridgeline::ask {
namespace {

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

/// "About 745B tokens (521B to 931B) for $10,000: ": what a sum that rents trains; empty: it buys.
std::string tokens_for_sum(Question asked, const World& world) {
    const Query& query = asked.query;
    if (!query.budget_usd || query.buy) {
        return "";
    }
    const auto advice = advice_on(asked, world, AdviceExtent::options);
    const auto spending = advice && !advice->options.empty()
                              ? spending_of(query, advice->options.front())
                              : std::nullopt;
    return spending && spending->tokens > 0
               ? fmt::format("About {} tokens ({} to {}) for {}: ", format_count(spending->tokens),
                             format_count(spending->tokens_low),
                             format_count(spending->tokens_high), format_usd(*query.budget_usd))
               : std::string();
}

}  // namespace

Result<Routed> Router::price() {
    const bool by_units = std::ranges::any_of(reading_.require, is_selection);
    const bool by_memory = reading_.accelerators.empty() && (reading_.memory_gib || by_units);
    if (by_memory) {
        reading_.accelerators = parts_of_memory(reading_, world_.catalog);
    }
    Catalog shown;  // the offers that the question is about, as one list
    for (const Reading& side : each_side(reading_, world_.catalog)) {
        auto offers = offers_of(side, world_.catalog);
        keep_to_limit(side, offers);
        for (const Offer* offer : offers) {
            shown.offers.push_back(*offer);
        }
    }
    shown.offers_date = world_.catalog.offers_date;
    Routed out;
    out.json = report::catalog_list_json(shown, "offers", stamp());
    if (!shown.offers.empty() && !(reading_.buy || reading_.price_kind == "purchase")) {
        out.text = report::catalog_list_text(shown, "offers", style());
    } else if (!by_memory && reading_.sides.empty()) {
        out.text = report::purchases_text(world_.catalog, sold_forms(reading_, world_.catalog),
                                          reading_.count.value_or(1), style());
    }
    out.reply = by_memory ? reply_cheapest_with(reading_, tools_) : reply_price(reading_, tools_);
    if (by_memory) {
        reading_.accelerators.clear();  // none was named
    }
    const bool named = !reading_.model.empty() && assumed_of(reading_, "model") == nullptr;
    if (named && !reading_.accelerators.empty()) {
        // What is rented must hold what it is rented for.
        if (auto held = reply_fit(reading_, asked_.query, tools_)) {
            out.reply.headline += " " + held->headline;
            out.reply.verdict = held->verdict;
        }
    }
    return out;
}

std::string Router::rented_for_sum() const {
    Question rented = asked_;
    const double usd = reading_.budget_usd.value_or(0);
    rented.query.buy = false;
    rented.query.budget_usd.reset();
    rented.query.computer_usd = 0;
    rented.query.max_accelerators = reading_.max_count;
    rented.query.objective = Objective::cost;
    rented.query.by_hour = true;
    rented.query.workload.quantization =
        reading_.quantization.empty() ? std::nullopt : rented.query.workload.quantization;
    const auto advice = advice_on(rented, world_, AdviceExtent::options);
    const Option* best = advice && !advice->options.empty() ? &advice->options.front() : nullptr;
    const double hour = best == nullptr ? 0 : best->estimate.cost.usd_per_hour;
    if (hour <= 0) {
        return {};
    }
    constexpr double days = 365;
    const double daily = usd / hour / days;
    return fmt::format(" Rented, {} x {} run it at {}/h, so that the sum pays for {} hours, {}.",
                       best->cluster.count, best->cluster.accelerator->name, format_usd(hour),
                       figure_words(usd / hour),
                       daily < 24 ? fmt::format("{:.2g} hours of each day for a year", daily)
                                  : fmt::format("all of {:.2g} years", daily / 24));
}

bool Router::serves_by_the_month() const {
    // Who names neither users nor a taste wants what the sum of each month buys, not the least of
    // it.
    return reading_.intent == Intent::budget && asked_.query.budget_usd_per_hour &&
           !asked_.query.budget_usd && !reading_.objective && !reading_.tokens &&
           !reading_.counts_samples && !reading_.answers_at_once && !reading_.hears &&
           !reading_.home && !asks(reading_, "one_person");
}

std::string Router::spend_in_usual_time() {
    constexpr double longest_s = 90 * 86400.0;
    const Query& query = asked_.query;
    const bool open = query.budget_usd && !query.buy && !query.owned &&
                      query.workload.task == Task::train && query.workload.method == Method::full &&
                      !reading_.tunes && !query.workload.duration_tokens &&
                      !query.workload.dataset_samples && query.accelerators.empty() &&
                      !query.exact_accelerators && !query.max_accelerators && !query.deadline_s;
    const auto advice =
        open ? advice_on(asked_, world_, AdviceExtent::options) : tl::unexpected(Error{});
    const auto spending = advice && !advice->options.empty()
                              ? spending_of(query, advice->options.front())
                              : std::nullopt;
    if (!spending || spending->seconds <= longest_s) {
        return "";
    }
    // Many accelerators are paid more a token than few: fewer tokens, until the sum covers them.
    for (const double share : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5}) {
        Question in_time = asked_;
        // As round as it is sure.
        const double tokens =
            number_with_suffix(fmt::format("{:.2e}", spending->tokens * share)).value_or(0);
        in_time.query.workload.duration_tokens = tokens;
        in_time.query.deadline_s = longest_s;
        const auto found = advice_on(in_time, world_, AdviceExtent::options);
        if (found && !found->options.empty()) {
            asked_ = std::move(in_time);
            assume_first(reading_, "days", fmt::format("{:g} at most", longest_s / 86400),
                         "no time was said: --deadline");
            reading_.flags = flags_of(reading_, asked_.query);
            return fmt::format("About {} tokens for {}. ", format_count(tokens),
                               format_usd(*query.budget_usd));
        }
    }
    return "";
}

Result<Routed> Router::budget_of_work() {
    outdo_replaced();
    settle_pictures_at_home();
    const std::string wide = settle_adapters_at_home();
    const bool bought = asked_.query.buy;
    const std::string tokens = spend_in_usual_time();
    const std::string users = asks(reading_, "users_for_money") || serves_by_the_month()
                                  ? serve_most_users()
                                  : std::string();
    const std::string together = hold_together();
    const Query limits = asked_.query;
    auto routed = with_advice({});
    if (routed && routed->exit_code == 3) {
        routed = held_otherwise(std::move(*routed));
    }
    if (routed && routed->exit_code == 3) {
        tell_nearest(limits, routed->reply);
    }
    if (routed && routed->exit_code == 0) {
        routed->reply.headline += together;
        lead_with_users(users, routed->reply);
        const bool asked = tokens.empty() && asks(reading_, "tokens_of_run");
        routed->reply.headline =
            (asked ? tokens_for_sum(asked_, world_) : tokens) + routed->reply.headline + wide;
        routed->reply.headline += in_narrow_weights(routed->reply);
    }
    if (routed && asks(reading_, "own_or_rent")) {
        const std::string weighed = routed->reply.choice && asked_.query.buy
                                        ? weighed_against_rent(*routed->reply.choice)
                                        : std::string();
        std::string& words = routed->reply.headline;
        constexpr std::string_view buy = "Buy ";
        if (!weighed.empty() && words.starts_with(buy)) {
            words = "The sum buys " + words.substr(buy.size());
        }
        words = weighed + words + rented_for_sum();
    }
    if (routed && routed->exit_code == 0) {
        routed->reply.headline += hours_of_sum(routed->reply);
        add_served_adapters(reading_, tools_, routed->reply);
    }
    if (routed && reading_.usd_per_month && routed->reply.choice &&
        routed->reply.choice->usd_per_hour && routed->exit_code == 0) {
        routed->reply.headline +=
            fmt::format(" That is {} of the {} a month.",
                        format_usd(*routed->reply.choice->usd_per_hour * hours_of_a_month),
                        format_usd(*reading_.usd_per_month));
    }
    if (routed && asks(reading_, "sum_enough") && !asks(reading_, "tokens_of_run")) {
        const bool sold = routed->exit_code == 0 && asked_.query.buy;
        routed->reply.headline = (!bought ? within_sum(routed->exit_code)
                                  : sold  ? "Yes: "
                                          : "No: ") +
                                 routed->reply.headline;
    }
    return routed;
}

Reading Router::on_rented(const Rentable& rent) const {
    Reading one = reading_;
    one.accelerators = {rent.offer->accelerator};
    one.count = rent.instances * rent.offer->count;
    one.usd_per_hour.reset();
    one.budget_usd.reset();
    one.memory_gib.reset();  // the least that was asked for is none of what it has
    one.memory_at_least = false;
    return one;
}

std::string Router::held_by(const Rentable& rent) const {
    Reading one = on_rented(rent);
    const auto held = reply_largest(one, query_of(one), tools_);
    return held ? " " + held->headline : "";
}

std::optional<Answer> Router::trained_on(const Rentable& rent) const {
    Reading one = on_rented(rent);
    one.deadline_s = rent.hours * 3600;
    one.method = "full";
    auto trained = reply_largest(one, query_of(one), tools_);
    return trained ? std::optional(std::move(*trained)) : std::nullopt;
}

std::string Router::trained_within(const Rentable& rent) const {
    const auto trained = trained_on(rent);
    return trained ? " " + trained->headline : "";
}

Rentable Router::rent_for_run(const Rentable& first) const {
    constexpr std::array counts{1, 8, 16, 32, 64, 128, 256};
    constexpr double least_hours = 7 * 24;
    constexpr double hours_of_a_year = 8760;
    constexpr double alike = 1.03;
    Rentable best = first;
    double most = 0;
    for (const int count : counts) {
        const int per_node = make_cluster(knowledge_.catalog, *first.part, count).per_node;
        const Offer* offer =
            cheapest_offer(knowledge_.catalog, asked_.query, *first.part, count, per_node);
        if (offer == nullptr) {
            continue;
        }
        Rentable rent = first;
        rent.offer = offer;
        rent.instances = (count + offer->count - 1) / offer->count;
        rent.hours = *asked_.query.budget_usd / (offer->usd_per_hour * rent.instances);
        const bool sensible = rent.hours >= least_hours && rent.hours <= hours_of_a_year;
        const auto trained = sensible ? trained_on(rent) : std::nullopt;
        const double size =
            trained && !trained->values.empty() ? trained->values.front().mid.value_or(0) : 0;
        if (size > alike * most) {
            most = size;
            best = rent;
        }
    }
    return best;
}

bool Router::limits_the_hour() const {
    // A sum of a month may pay for some of its hours.
    return reading_.usd_per_hour && !reading_.usd_per_month && !asked_.query.budget_usd &&
           asked_.query.objective != Objective::memory && !reading_.buy;
}

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
        out.reply.headline += held_by(answer.rent.front());
    }
    out.exit_code = answer.rent.empty() ? 3 : 0;
    return out;
}

namespace {

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

}  // namespace

Result<Routed> Router::budget() {
    if (!reading_.model.empty() && (reading_.budget_usd || reading_.usd_per_hour)) {
        return budget_of_work();
    }
    Query& query = asked_.query;
    if (query.budget_usd && reading_.accelerators.empty() &&
        lists_parts(request_.texts("question"))) {
        return alone(reply_parts_with(reading_, tools_));
    }
    if (limits_the_hour()) {
        return budget_of_an_hour();
    }
    const bool by_period = reading_.usd_per_hour && !query.budget_usd;
    if (by_period) {
        query.budget_usd = *reading_.usd_per_hour * hours_of_a_month;
    }
    if (!query.budget_usd && !query.exact_accelerators) {
        query.exact_accelerators = 1;
    }
    // A run from scratch is what a sum pays for, unless cards were to be bought.
    const bool from_scratch = query.budget_usd && !reading_.buy && !reading_.owned &&
                              names_run_from_scratch(request_.texts("question"));
    if (from_scratch) {
        query.buy = false;
        std::erase_if(reading_.assumed, [](const auto& each) { return each.field == "buy"; });
        reading_.flags = flags_of(reading_, query);
    }
    // "12 nodes for 600k": what each of them may cost is bought.
    const int nodes = reading_.nodes.value_or(1);
    const bool shared = nodes > 1 && query.budget_usd && !reading_.count &&
                        reading_.accelerators.empty() && !from_scratch;
    if (shared) {
        query.budget_usd = *query.budget_usd / nodes;
    }
    BudgetAnswer answer = budget_answer_on(asked_, world_);
    // Credits of a cloud, or a sum to be spent at one, buy no cards.
    const bool rented = from_scratch || reading_.credits ||
                        (query.budget_usd && !reading_.providers.empty() && !reading_.buy);
    answer.by_month = by_period;
    if (by_period || rented) {
        constexpr double hours_of_a_year = 8760;
        // What serves has to stand there all month: the most work that is paid for so long.
        rent_alone(answer, [by_period](const Rentable& each) {
            return by_period ? each.hours >= hours_of_a_month : each.hours <= hours_of_a_year;
        });
    }
    if (from_scratch && !answer.rent.empty() && !reading_.count) {
        answer.rent.front() = rent_for_run(answer.rent.front());
    }
    const bool by_size = by_period && assumed_of(reading_, "objective") != nullptr;
    if (!by_period && !rented && !answer.buy.empty() && query.budget_usd &&
        (reading_.buy || reading_.home || shared || reading_.max_count == 1)) {
        buy_alone(answer);
    }
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
    if (from_scratch && !answer.rent.empty()) {
        const auto trained = trained_on(answer.rent.front());
        if (trained) {
            out.reply.headline = trained->headline + " It is " + out.reply.headline;
            out.reply.values = trained->values;
        }
    } else if (by_size && !answer.rent.empty()) {
        // The size that was asked for goes first.
        const std::string held = held_by(answer.rent.front());
        std::string rent = out.reply.headline;
        rent.front() = rent.starts_with("All") ? 'a' : rent.front();
        out.reply.headline = held.empty() ? out.reply.headline : held.substr(1) + " It is " + rent;
    } else if ((by_period || rented) && !answer.rent.empty()) {
        out.reply.headline +=
            held_by(answer.rent.front()) + (rented ? trained_within(answer.rent.front()) : "");
    }
    if (shared) {
        out.reply.headline = fmt::format("For each of {} nodes, {}: {}", nodes,
                                         format_usd(*query.budget_usd), out.reply.headline);
        if (out.reply.choice) {
            out.reply.choice->count *= nodes;
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
