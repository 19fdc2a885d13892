#include "advise/answers/own.h"
#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/largest/replies.h"
#include "ask/router.h"
#include "base/text.h"
#include "report/budget_report.h"
#include "report/catalog_report.h"
#include "report/ownership_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

// Questions about money: a price, owning against renting, what a sum buys.

namespace ridgeline::ask {
namespace {

/// Of several forms the one that is rented at all, is sold in such a number, is sold today and has
/// the most rents to compare with.
std::tuple<bool, bool, bool, std::size_t> comparable(const OwnershipAnswer& owned,
                                                     const Catalog& catalog) {
    const auto price = purchase_price(catalog, *owned.cluster.accelerator);
    const bool alone = owned.cluster.count >= cards_of_a_desk ||
                       !is_module(*owned.cluster.accelerator);  // modules come on boards
    return {!owned.rented.empty(), alone, price && price->current, owned.rented.size()};
}

/// Nothing is bought: the first rent that is `wanted` stands first.
template <typename Wanted>
void rent_alone(BudgetAnswer& answer, Wanted wanted) {
    answer.buy.clear();
    answer.recommendation = "rent";
    const auto first = std::find_if(answer.rent.begin(), answer.rent.end(), wanted);
    if (first != answer.rent.end()) {
        std::rotate(answer.rent.begin(), first, first + 1);
    }
}

/// What is there is neither bought nor rented.
void leave_as_owned(BudgetAnswer& answer) {
    answer.rent.clear();
    answer.beside.reset();
    for (Purchasable& each : answer.buy) {
        each.usd = 0;
    }
}

Error no_hardware() {
    return {ErrorKind::input, "question", "no hardware of the question is known", ""};
}

}  // namespace

Result<Routed> Router::price() {
    const bool by_units = std::ranges::any_of(reading_.require, is_property);
    const bool by_memory = reading_.accelerators.empty() && (reading_.memory_gib || by_units);
    if (by_memory) {
        reading_.accelerators = parts_of_memory(reading_, world_.catalog);
    }
    Catalog shown;  // the offers that the question is about, as one list
    for (const Offer* offer : offers_of(reading_, world_.catalog)) {
        shown.offers.push_back(*offer);
    }
    shown.offers_date = world_.catalog.offers_date;
    Routed out;
    out.json = report::catalog_list_json(shown, "offers", stamp());
    if (!by_memory || !(reading_.buy || reading_.price_kind == "purchase")) {
        out.text = report::catalog_list_text(shown, "offers", style());
    }
    out.reply = by_memory ? reply_cheapest_with(reading_, tools_) : reply_price(reading_, tools_);
    if (by_memory) {
        reading_.accelerators.clear();  // none was named
    }
    if (!reading_.model.empty() && !reading_.accelerators.empty()) {
        // What is rented must hold what it is rented for.
        if (auto held = reply_fit(reading_, asked_.query, tools_)) {
            out.reply.headline += " " + held->headline;
            out.reply.verdict = held->verdict;
        }
    }
    return out;
}

/// The cluster of a side: the form that is rented most, with the side's own count.
std::optional<Cluster> Router::cluster_of(const ReadSide& side) const {
    Reading one = reading_;
    one.accelerators = side.ids;
    one.count = side.count.value_or(1);
    Query query = asked_.query;
    query.accelerators = side.ids;
    query.exact_accelerators = one.count;
    auto clusters = clusters_of(one, query, world_.catalog);
    return clusters.empty() ? std::nullopt : std::optional(std::move(clusters.front()));
}

/// One part owned against another one rented.
Result<Routed> Router::own_or_rent_other(const SiteFigures& figures) {
    const bool first_rented = reading_.sides.front().rented;
    const ReadSide& owned_side = first_rented ? reading_.sides.back() : reading_.sides.front();
    const auto other = cluster_of(first_rented ? reading_.sides.front() : reading_.sides.back());
    std::optional<OwnershipAnswer> owned;
    Error problem = no_hardware();
    for (const std::string& id : owned_side.ids) {
        ReadSide form = owned_side;
        form.ids = {id};
        const auto cluster = cluster_of(form);
        auto answer = cluster
                          ? ridgeline::own(*cluster, world_.catalog, figures, asked_.query, date_)
                          : Result<OwnershipAnswer>(tl::unexpected(problem));
        if (!answer) {
            problem = answer.error();
        } else if (!owned ||
                   comparable(*answer, world_.catalog) > comparable(*owned, world_.catalog)) {
            owned = std::move(*answer);
        }
    }
    if (!owned || !other) {
        return tl::unexpected(problem);
    }
    assume_owning(reading_, *owned);
    owned->rented = rented_other(*owned, *other, world_.catalog, asked_.query);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own_or_rent(reading_, *owned, *other);
    return out;
}

std::optional<OwnershipAnswer> Router::best_owned(const std::vector<Cluster>& clusters,
                                                  const SiteFigures& figures,
                                                  std::optional<Error>& problem) const {
    std::optional<OwnershipAnswer> chosen;
    for (const Cluster& cluster : clusters) {
        auto owned = ridgeline::own(cluster, world_.catalog, figures, asked_.query, date_);
        if (!owned) {
            problem = problem ? problem : std::optional(owned.error());
            continue;
        }
        const bool alike =
            chosen && same_family(*cluster.accelerator, *chosen->cluster.accelerator);
        if (!chosen ||
            (alike && comparable(*owned, world_.catalog) > comparable(*chosen, world_.catalog))) {
            chosen = std::move(*owned);
        }
    }
    return chosen;
}

Result<Routed> Router::only_rent(const Error& problem) {
    std::string elsewhere;
    if (offers_of(reading_, world_.catalog)
            .empty()) {  // others list it where the one named does not
        elsewhere = reading_.providers.empty() ? std::string()
                                               : fmt::format("No rent of it from {} is listed. ",
                                                             reading_.providers.front());
        reading_.providers.clear();
        if (offers_of(reading_, world_.catalog).empty()) {
            return tl::unexpected(problem);
        }
    }
    ask_for(reading_, "per_month");
    auto rent = price();
    reading_.attributes.pop_back();
    if (rent) {
        rent->reply.headline =
            fmt::format("{}Only renting can be told, {} ({}): {}", elsewhere, problem.message,
                        "--card-price or --system-price weighs both", rent->reply.headline);
    }
    return rent;
}

void Router::weigh_paid_rent(OwnershipAnswer& owned, Offer& paid) {
    if (!reading_.usd_per_hour) {
        return;
    }
    paid.id = "told";
    paid.provider =
        reading_.providers.size() == 1 ? reading_.providers.front() + ", as told" : "your provider";
    paid.accelerator = owned.cluster.accelerator->id;
    paid.count = owned.cluster.count;
    // No market rents for two fifths of its lowest rate: what is told beside several cards is the
    // rate of one then.
    constexpr double least_of_market = 0.4;
    double lowest = 0;
    for (const RentedInstead& rent : owned.rented) {
        lowest = lowest > 0 ? std::min(lowest, rent.usd_per_accelerator_hour)
                            : rent.usd_per_accelerator_hour;
    }
    const bool each =
        reading_.hourly_each || *reading_.usd_per_hour < least_of_market * lowest * paid.count;
    paid.usd_per_hour = *reading_.usd_per_hour * (each ? paid.count : 1);
    paid.date = date_;
    paid.source = "question";
    const double rate = paid.usd_per_accelerator_hour();
    owned.rented = {RentedInstead{&paid, 1, rate, owned.cost.break_even(rate)}};
    owned.oldest_rent_days.reset();
}

Result<Routed> Router::own() {
    const std::string chosen = reading_.accelerators.empty() ? choose_to_own() : std::string();
    auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    const SiteFigures figures = figures_said();
    std::optional<Error> problem;
    if (reading_.sides.size() == 2) {
        auto other = own_or_rent_other(figures);
        if (other) {
            return other;
        }
        problem = other.error();
        clusters.clear();
        const ReadSide& rented =
            reading_.sides.front().rented ? reading_.sides.front() : reading_.sides.back();
        reading_.count = rented.count;
        reading_.accelerators = rented.ids;
    }
    auto owned = best_owned(clusters, figures, problem);
    bool elsewhere = false;  // the provider that was named lists no rent of it
    if (owned && owned->rented.empty() && !asked_.query.provider.empty()) {
        // That one provider does not list it is no reason to weigh nothing: others do.
        Query anywhere = asked_.query;
        anywhere.provider.clear();
        if (auto wider = ridgeline::own(owned->cluster, world_.catalog, figures, anywhere, date_)) {
            owned = std::move(*wider);
            elsewhere = true;
        }
    }
    if (!owned && problem) {
        return only_rent(*problem);
    }
    if (!owned) {
        return tl::unexpected(problem.value_or(no_hardware()));
    }
    if (owned->at_a_desk && owned->inputs.server_cost_ratio == 1 &&
        !is_one_computer(*owned->cluster.accelerator)) {
        reading_.assumed.push_back({"server_ratio", "1",
                                    "the card alone is paid: the computer around it is there, and "
                                    "off while nothing runs"});
    }
    if (owned->cluster.nodes() > 1 && owned->inputs.network_share > 0) {
        reading_.assumed.push_back(
            {"network_share", fmt::format("{:g}", owned->inputs.network_share),
             "of the price for switches and cables, as large clusters pay; two machines pay less"});
    }
    assume_owning(reading_, *owned);
    Offer paid;
    weigh_paid_rent(*owned, paid);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own(reading_, *owned);
    out.reply.headline = chosen + out.reply.headline;
    if (elsewhere) {
        out.reply.headline = fmt::format("No rent of it from {} is listed. {}",
                                         asked_.query.provider, out.reply.headline);
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
    return hour > 0 ? fmt::format(
                          " Rented, {} x {} run it at {}/h, so that the sum pays for {} hours, "
                          "{:.2g} hours of each day for a year.",
                          best->cluster.count, best->cluster.accelerator->name, format_usd(hour),
                          figure_words(usd / hour), usd / hour / 365)
                    : std::string();
}

Result<Routed> Router::budget_of_work() {
    outdo_replaced();
    settle_pictures_at_home();
    const std::string users =
        asks(reading_, "users_for_money") ? serve_most_users() : std::string();
    auto routed = with_advice({});
    if (routed && routed->exit_code == 3) {
        routed = held_otherwise(std::move(*routed));
    }
    if (routed && routed->exit_code == 0) {
        lead_with_users(users, routed->reply);
    }
    if (routed && asks(reading_, "own_or_rent")) {
        routed->reply.headline += rented_for_sum();
    }
    return routed;
}

Reading Router::on_rented(const Rentable& rent) const {
    Reading one = reading_;
    one.accelerators = {rent.offer->accelerator};
    one.count = rent.instances * rent.offer->count;
    one.usd_per_hour.reset();
    one.budget_usd.reset();
    return one;
}

std::string Router::held_by(const Rentable& rent) const {
    Reading one = on_rented(rent);
    const auto held = reply_largest(one, query_of(one), tools_);
    return held ? " " + held->headline : "";
}

std::string Router::trained_within(const Rentable& rent) const {
    Reading one = on_rented(rent);
    one.deadline_s = rent.hours * 3600;
    one.method = "full";
    const auto trained = reply_largest(one, query_of(one), tools_);
    return trained ? " " + trained->headline : "";
}

Result<Routed> Router::budget() {
    if (!reading_.model.empty() && (reading_.budget_usd || reading_.usd_per_hour)) {
        return budget_of_work();
    }
    Query& query = asked_.query;
    const bool by_period = reading_.usd_per_hour && !query.budget_usd;
    if (by_period) {
        query.budget_usd = *reading_.usd_per_hour * hours_of_a_month;
    }
    if (!query.budget_usd && !query.exact_accelerators) {
        query.exact_accelerators = 1;
    }
    BudgetAnswer answer = budget_answer_on(asked_, world_);
    // Credits of a cloud, or a sum to be spent at one, buy no cards.
    const bool rented =
        reading_.credits || (query.budget_usd && !reading_.providers.empty() && !reading_.buy);
    if (by_period || rented) {
        constexpr double hours_of_a_year = 8760;
        // What serves has to stand there all month: the most work that is paid for so long.
        rent_alone(answer, [by_period](const Rentable& each) {
            return by_period ? each.hours >= hours_of_a_month : each.hours <= hours_of_a_year;
        });
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
    if ((by_period || rented) && !answer.rent.empty()) {
        out.reply.headline +=
            held_by(answer.rent.front()) + (rented ? trained_within(answer.rent.front()) : "");
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
