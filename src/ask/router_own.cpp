#include "advise/answers/own.h"
#include "advise/answers/rents.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"
#include "ask/site_options.h"
#include "base/text.h"
#include "report/ownership_report.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

// Owning against renting: the form of a part that is weighed, one part against another.

namespace ridgeline::ask {
namespace {

/// Why one form of several is weighed, in the order of what counts.
constexpr std::string_view reasons_of_form[] = {
    "has a price of today", "is rented out", "is sold as a card, not on a board alone",
    "stands at a desk", "has the most rents for so many"};

/// Of several forms the one that is sold today, is rented at all (else the rents of the others are
/// weighed), is sold in such a number, stands where so few stand and has the most rents to compare
/// with.
std::array<std::size_t, std::size(reasons_of_form)> comparable(const OwnershipAnswer& owned,
                                                               const Catalog& catalog) {
    const auto price = purchase_price(catalog, *owned.cluster.accelerator);
    const bool alone = owned.cluster.count >= cards_of_a_desk ||
                       !is_module(*owned.cluster.accelerator);  // modules come on boards
    return {price && price->current, !owned.rented.empty(), alone, owned.at_a_desk,
            owned.rented.size()};
}

/// Four digits of a share, whole dollars of a price: as one types them.
std::string plain_words(double figure) {
    return figure < 1000 ? fmt::format("{:.4g}", figure) : fmt::format("{:.0f}", figure);
}

/// The command that weighs the same: "rtx-4090:2 --years 0.5 --utilization 0.33".
std::string flags_of_owning(const Cluster& cluster, const SiteFigures& figures,
                            const Query& query) {
    std::string flags = cluster.accelerator->id;
    flags += cluster.nodes() > 1 ? fmt::format(":{}x{}", cluster.per_node, cluster.nodes())
             : cluster.count > 1 ? fmt::format(":{}", cluster.count)
                                 : std::string();
    for (const SiteFlag& flag : site_flag_table()) {
        const auto given = figures.given.find(flag.id);
        flags += given == figures.given.end()
                     ? std::string()
                     : fmt::format(" {} {}", flag.name, plain_words(given->second));
    }
    for (const auto& [flag, name] :
         {std::pair("--provider", query.provider), std::pair("--region", query.region)}) {
        flags += name.empty() ? std::string() : fmt::format(" {} {}", flag, name);
    }
    return flags;
}

Error no_hardware() {
    return {ErrorKind::input, "question", "no hardware of the question is known", ""};
}

}  // namespace

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

std::vector<Cluster> Router::forms_of(ReadSide side) const {
    std::vector<Cluster> clusters;
    for (const std::string& id : std::exchange(side.ids, {})) {
        side.ids = {id};
        if (auto cluster = cluster_of(side)) {
            clusters.push_back(std::move(*cluster));
        }
    }
    return clusters;
}

std::optional<ReadSide> Router::same_on_both_sides() const {
    if (reading_.sides.size() != 2) {
        return std::nullopt;
    }
    ReadSide owned = reading_.sides[reading_.sides.front().rented ? 1 : 0];
    const ReadSide& rented = reading_.sides[reading_.sides.front().rented ? 0 : 1];
    std::erase_if(owned.ids, [&](const std::string& id) {
        return std::ranges::find(rented.ids, id) == rented.ids.end();
    });
    const bool same = !owned.ids.empty() && owned.count == rented.count;
    return same ? std::optional(std::move(owned)) : std::nullopt;
}

/// One part owned against another one rented.
Result<Routed> Router::own_or_rent_other(const SiteFigures& figures) {
    const bool first_rented = reading_.sides.front().rented;
    const auto other = cluster_of(with_enough(reading_.sides[first_rented ? 0 : 1]));
    std::optional<Error> problem;
    const auto forms =
        owned_forms(forms_of(reading_.sides[first_rented ? 1 : 0]), figures, problem);
    auto owned = forms.empty() ? std::nullopt : std::optional(forms.front());
    if (!owned || !other) {
        return tl::unexpected(problem.value_or(no_hardware()));
    }
    assume_owning(reading_, *owned);
    reading_.flags = flags_of_owning(owned->cluster, figures, asked_.query);
    owned->rented = rented_other(*owned, *other, world_.catalog, asked_.query);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own_or_rent(reading_, *owned, *other);
    return out;
}

std::vector<OwnershipAnswer> Router::owned_forms(const std::vector<Cluster>& clusters,
                                                 const SiteFigures& figures,
                                                 std::optional<Error>& problem) const {
    std::vector<OwnershipAnswer> forms;
    for (const Cluster& cluster : clusters) {
        auto owned = ridgeline::own(cluster, world_.catalog, figures, asked_.query, date_);
        if (!owned) {
            problem = problem ? problem : std::optional(owned.error());
            continue;
        }
        if (forms.empty() ||
            same_family(*cluster.accelerator, *forms.front().cluster.accelerator)) {
            forms.push_back(std::move(*owned));
        }
    }
    const auto best = std::max_element(
        forms.begin(), forms.end(), [&](const OwnershipAnswer& a, const OwnershipAnswer& b) {
            return comparable(a, world_.catalog) < comparable(b, world_.catalog);
        });
    if (best != forms.begin()) {
        std::swap(forms.front(), *best);
    }
    return forms;
}

std::string Router::other_forms(const std::vector<OwnershipAnswer>& forms, const Answer& reply) {
    const auto verdict = [&](const OwnershipAnswer& owned) {
        const auto choice = reply_own(reading_, owned).choice;
        return choice ? choice->why : std::string();
    };
    std::string words;
    for (auto form = forms.begin() + 1; form < forms.end(); ++form) {
        const std::string other = verdict(*form);
        if (reply.choice && !reading_.usd_per_hour && !other.empty() &&
            other != reply.choice->why) {
            words += fmt::format(" With {}, {} to buy, the verdict is to {}.",
                                 form->cluster.accelerator->name,
                                 format_usd(form->cost.capex_usd * form->cluster.count), other);
        }
    }
    AssumedField* taken = assumed_of(reading_, "accelerators");
    if (taken != nullptr && forms.size() > 1) {
        const auto first = comparable(forms.front(), world_.catalog);
        auto next = comparable(forms[1], world_.catalog);
        for (const OwnershipAnswer& form : std::span(forms).subspan(2)) {
            next = std::max(next, comparable(form, world_.catalog));
        }
        const auto at =
            static_cast<std::size_t>(std::ranges::mismatch(first, next).in1 - first.begin());
        taken->value = forms.front().cluster.accelerator->id;
        taken->why += at < first.size() ? fmt::format(", of which this one {}", reasons_of_form[at])
                                        : std::string(", of which the first is weighed");
    }
    return words;
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
    paid.provider = reading_.api_usd_per_month       ? "the API"
                    : reading_.providers.size() == 1 ? reading_.providers.front() + ", as told"
                                                     : "your provider";
    paid.accelerator = owned.cluster.accelerator->id;
    paid.count = owned.cluster.count;
    double lowest = 0;
    for (const RentedInstead& rent : owned.rented) {
        lowest = lowest > 0 ? std::min(lowest, rent.usd_per_accelerator_hour)
                            : rent.usd_per_accelerator_hour;
    }
    const bool each = is_rate_of_one(reading_, lowest, paid.count);
    paid.usd_per_hour = *reading_.usd_per_hour * (each ? paid.count : 1);
    paid.date = date_;
    paid.source = "question";
    const double rate = paid.usd_per_accelerator_hour();
    owned.rented = {RentedInstead{&paid, 1, rate, owned.cost.break_even(rate)}};
    owned.oldest_rent_days.reset();
}

std::string Router::rented_elsewhere(const OwnershipAnswer& owned,
                                     const SiteFigures& figures) const {
    Query anywhere = asked_.query;
    anywhere.provider.clear();
    const auto other = ridgeline::own(owned.cluster, world_.catalog, figures, anywhere, date_);
    const RentedInstead* less = other && reading_.usd_per_hour ? least_rent(*other) : nullptr;
    const double used = use_of(owned);
    if (less == nullptr || owned.rented.empty() ||
        rented_hour(*less, used) >= rented_hour(owned.rented.front(), used)) {
        return "";
    }
    const double hour = less->usd_per_accelerator_hour * owned.cluster.count;
    const auto turn = owned.cost.break_even(less->usd_per_accelerator_hour);
    return fmt::format(
        " Elsewhere they rent for {} a month ({}, {}, {}/h): against that owning {}.",
        format_usd(hour * hours_of_a_month), less->offer->provider, name_of(less->offer->kind),
        format_usd(hour),
        turn && *turn <= 1 ? fmt::format("pays above {:.0f} % use", 100 * *turn)
                           : std::string("does not pay"));
}

namespace {

/// "buy or reserve": owning is weighed against what is reserved alone; where nobody lists that,
/// against what the market paid for contracts of years. Whether it is such an estimate.
bool weigh_contract(const Reading& reading, const Catalog& catalog, OwnershipAnswer& owned,
                    Offer& contract) {
    if (reading.price_kind != "reserved" || reading.usd_per_hour) {
        return false;
    }
    std::vector<RentedInstead> reserved;
    std::ranges::copy_if(owned.rented, std::back_inserter(reserved), [](const RentedInstead& rent) {
        return rent.offer->kind == PriceKind::reserved;
    });
    const bool listed = !reserved.empty();
    if (!listed && owned.market == nullptr) {
        return false;
    }
    if (!listed) {
        contract = *market_contract(catalog, owned.market->accelerator, owned.cluster.count);
        const double rate = contract.usd_per_accelerator_hour();
        reserved = {RentedInstead{&contract, 1, rate, owned.cost.break_even(rate)}};
        owned.oldest_rent_days.reset();
    }
    owned.rented = std::move(reserved);
    return !listed;
}

}  // namespace

namespace {

/// Of what no price is known: owned at the price at which that turns, which may change what stands
/// around it; nothing: nobody rents it out.
std::optional<OwnershipAnswer> at_turning_price(const Cluster& cluster, const Catalog& catalog,
                                                SiteFigures figures, const Query& query,
                                                const std::string& date) {
    constexpr int rounds = 5;
    double& price = figures.given["card_price_usd"];
    price = 1000;
    std::optional<OwnershipAnswer> last;
    for (int round = 0; round < rounds; ++round) {
        auto owned = ridgeline::own(cluster, catalog, figures, query, date);
        const double turn = owned ? turning_usd(*owned) : 0;
        if (turn <= 0) {
            return last;
        }
        last = std::move(*owned);
        price = turn;
    }
    return last;
}

}  // namespace

Result<Routed> Router::own() {
    const std::string chosen = reading_.accelerators.empty() ? choose_to_own() : std::string();
    auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    if (!clusters.empty()) {
        take_use_of_work(clusters.front());
    }
    const SiteFigures figures = figures_said();
    std::optional<Error> problem;
    if (const auto same = same_on_both_sides()) {
        clusters = forms_of(*same);
        reading_.sides.clear();
    } else if (reading_.sides.size() == 2) {
        auto other = own_or_rent_other(figures);
        if (other) {
            other->reply.headline +=
                reading_.model.empty()
                    ? std::string()
                    : fmt::format(" Hours are weighed, whatever each makes of {} in one.",
                                  reading_.model);
            return other;
        }
        problem = other.error();
        clusters.clear();
        const ReadSide& rented =
            reading_.sides.front().rented ? reading_.sides.front() : reading_.sides.back();
        reading_.count = rented.count;
        reading_.accelerators = rented.ids;
    }
    const auto forms = owned_forms(clusters, figures, problem);
    auto owned = forms.empty() ? std::nullopt : std::optional(forms.front());
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
        const auto turning = clusters.empty() ? std::nullopt
                                              : at_turning_price(clusters.front(), world_.catalog,
                                                                 figures, asked_.query, date_);
        if (turning) {
            assume_owning(reading_, *turning);
        }
        auto rent = only_rent(*problem);
        constexpr std::string_view only = "Only renting can be told, ";
        if (rent && turning && rent->reply.headline.starts_with(only)) {
            rent->reply.headline = fmt::format("{}: {}", turning_words(*turning),
                                               rent->reply.headline.substr(only.size()));
        }
        return rent;
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
            {"network_share", fmt::format("{:.2g}", owned->inputs.network_share),
             "of the price for switches and cables: as large clusters pay, a third of it where "
             "one switch does"});
    }
    assume_owning(reading_, *owned);
    if (forms.size() > 1) {
        weigh_rents_of_forms(*owned, std::span(forms).subspan(1));
    }
    Offer paid;
    weigh_paid_rent(*owned, paid);
    const bool estimated = weigh_contract(reading_, world_.catalog, *owned, paid);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own(reading_, *owned);
    out.reply.headline = chosen + out.reply.headline;
    // What is reserved is paid at all hours.
    const double turns_at = owned->cost.per_delivered_hour(1) * owned->cost.accelerators;
    out.reply.headline +=
        estimated ? fmt::format(
                        " No contract of it{} is listed: the rate is the market's of three "
                        "years, shorter ones cost more; ask for offers, of which one above "
                        "{}/h costs more than owning at all hours.",
                        reading_.providers.size() == 1 ? " at " + reading_.providers.front()
                                                       : std::string(),
                        format_usd(turns_at))
                  : other_forms(forms, out.reply);
    const RentedInstead* weighed = least_rent(*owned);
    if (reading_.price_kind == "reserved" && weighed != nullptr &&
        weighed->offer->kind != PriceKind::reserved) {
        out.reply.headline += " No reserved rate of it is listed, nor known of the market.";
    }
    out.reply.headline += rented_elsewhere(*owned, figures);
    reading_.flags = flags_of_owning(owned->cluster, figures, asked_.query);
    if (elsewhere) {
        out.reply.headline = fmt::format("No rent of it from {} is listed. {}",
                                         asked_.query.provider, out.reply.headline);
    }
    return out;
}

}  // namespace ridgeline::ask
