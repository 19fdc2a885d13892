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
#include <cmath>
#include <utility>

// Questions about money: a price, what a sum does for work that was named.

namespace ridgeline::ask {
namespace {

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

/// How long the sum rents what does the work, a sentence; empty: nothing is rented.
std::string rented_for_sum(Question rented, const Reading& reading, const World& world) {
    const double usd = reading.budget_usd.value_or(0);
    rented.query.buy = false;
    rented.query.budget_usd.reset();
    rented.query.computer_usd = 0;
    rented.query.max_accelerators = reading.max_count;
    rented.query.objective = Objective::cost;
    rented.query.by_hour = true;
    rented.query.workload.quantization =
        reading.quantization.empty() ? std::nullopt : rented.query.workload.quantization;
    const auto advice = advice_on(rented, world, AdviceExtent::options);
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

/// A sum for a run from scratch without a length, which a few accelerators would spend in
/// years: gives the run as many tokens as it pays for within a quarter, and says so.
std::string spend_in_usual_time(Question& asked, Reading& reading, const World& world) {
    constexpr double longest_s = 90 * 86400.0;
    const Query& query = asked.query;
    const bool open = query.budget_usd && !query.buy && !query.owned &&
                      query.workload.task == Task::train && query.workload.method == Method::full &&
                      !reading.tunes && !query.workload.duration_tokens &&
                      !query.workload.dataset_samples && query.accelerators.empty() &&
                      !query.exact_accelerators && !query.max_accelerators && !query.deadline_s;
    const auto advice =
        open ? advice_on(asked, world, AdviceExtent::options) : tl::unexpected(Error{});
    const auto spending = advice && !advice->options.empty()
                              ? spending_of(query, advice->options.front())
                              : std::nullopt;
    if (!spending || spending->seconds <= longest_s) {
        return "";
    }
    // Many accelerators are paid more a token than few: fewer tokens, until the sum covers them.
    for (const double share : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5}) {
        Question in_time = asked;
        // As round as it is sure.
        const double tokens =
            number_with_suffix(fmt::format("{:.2e}", spending->tokens * share)).value_or(0);
        in_time.query.workload.duration_tokens = tokens;
        in_time.query.deadline_s = longest_s;
        const auto found = advice_on(in_time, world, AdviceExtent::options);
        if (found && !found->options.empty()) {
            asked = std::move(in_time);
            assume_first(reading, "days", fmt::format("{:g} at most", longest_s / 86400),
                         "no time was said: --deadline");
            reading.flags = flags_of(reading, asked.query);
            return fmt::format("About {} tokens for {}. ", format_count(tokens),
                               format_usd(*query.budget_usd));
        }
    }
    return "";
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
    const bool at_home = by_memory && reading_.home && reading_.price_kind.empty();
    if (!shown.offers.empty() && !at_home && !(reading_.buy || reading_.price_kind == "purchase")) {
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

bool Router::serves_by_the_month() const {
    // Who names neither users nor a taste wants what the sum of each month buys, not the least of
    // it.
    return reading_.intent == Intent::budget && asked_.query.budget_usd_per_hour &&
           !asked_.query.budget_usd && !reading_.objective && !reading_.tokens &&
           !reading_.counts_samples && !reading_.answers_at_once && !reading_.hears &&
           !reading_.home && !asks(reading_, "one_person");
}

namespace {

/// A sum that is there to be spent on a run of a length: each time within half the time of what was
/// found, as long as the sum pays for it. The limit, seconds; empty: nothing faster was found.
std::optional<double> hasten(Question& asked, const World& world) {
    constexpr double least_s = 3600;
    const Query& query = asked.query;
    const bool open = query.budget_usd && !query.buy && !query.owned && !query.deadline_s &&
                      query.objective == Objective::time && query.workload.task == Task::train &&
                      query.workload.duration_tokens && query.accelerators.empty() &&
                      !query.exact_accelerators && !query.max_accelerators;
    auto found = open ? advice_on(asked, world, AdviceExtent::options)
                      : Result<Advice>(tl::unexpected(Error{}));
    std::optional<double> limit;
    while (found && !found->options.empty()) {
        const double half = found->options.front().estimate.time.total / second / 2;
        // As round as it is sure: whole hours.
        const double seconds = std::ceil(half / least_s) * least_s;
        if (half < least_s || (limit && seconds >= *limit)) {
            break;
        }
        Question sooner = asked;
        sooner.query.deadline_s = seconds;
        found = advice_on(sooner, world, AdviceExtent::options);
        if (found && !found->options.empty()) {
            asked = std::move(sooner);
            limit = seconds;
        }
    }
    return limit;
}

}  // namespace

Result<Routed> Router::budget_of_work() {
    outdo_replaced();
    settle_pictures_at_home();
    const std::string wide = settle_adapters_at_home();
    const bool bought = asked_.query.buy;
    const std::string tokens = spend_in_usual_time(asked_, reading_, world_);
    if (const auto limit = hasten(asked_, world_)) {
        assume_first(reading_, "deadline_s", format_duration(*limit),
                     "the least of those tried, each half of the one before: --deadline");
        reading_.flags = flags_of(reading_, asked_.query);
    }
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
        words = weighed + words + rented_for_sum(asked_, reading_, world_);
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

}  // namespace ridgeline::ask
