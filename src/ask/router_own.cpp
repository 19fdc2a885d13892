#include "advise/answers/own.h"
#include "advise/answers/rents.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "ask/owning_weighed.h"
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
    "has a price of today",   "is rented out",
    "is rented as was asked", "is sold as a card, not on a board alone",
    "stands at a desk",       "has the most rents for so many"};

/// Of several forms the one that is sold today, is rented at all (else the rents of the others are
/// weighed), is sold in such a number, stands where so few stand and has the most rents to compare
/// with.
std::array<std::size_t, std::size(reasons_of_form)> comparable(const OwnershipAnswer& owned,
                                                               const Catalog& catalog) {
    const auto price = purchase_price(catalog, *owned.cluster.accelerator);
    const bool alone = owned.cluster.count >= cards_of_a_desk ||
                       !is_module(*owned.cluster.accelerator);  // modules come on boards
    return {price && price->current, !owned.rented.empty(), owned.kind_unlisted.empty(), alone,
            owned.at_a_desk,         owned.rented.size()};
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

/// What turns with the form of the part, sentences; which was taken stands among what is
/// assumed.
std::string other_forms(Reading& reading, const Catalog& catalog,
                        const std::vector<OwnershipAnswer>& forms, const Answer& reply) {
    const auto verdict = [&](const OwnershipAnswer& owned) {
        const auto choice = reply_own(reading, owned).choice;
        return choice ? choice->why : std::string();
    };
    std::string words;
    for (auto form = forms.begin() + 1; form < forms.end(); ++form) {
        const std::string other = verdict(*form);
        if (reply.choice && !reading.usd_per_hour && !other.empty() && other != reply.choice->why) {
            words += fmt::format(" With {}, {} to buy, the verdict is to {}.",
                                 form->cluster.accelerator->name,
                                 format_usd(form->cost.capex_usd * form->cluster.count), other);
        }
    }
    AssumedField* taken = assumed_of(reading, "accelerators");
    if (taken != nullptr && forms.size() > 1) {
        const auto first = comparable(forms.front(), catalog);
        auto next = comparable(forms[1], catalog);
        for (const OwnershipAnswer& form : std::span(forms).subspan(2)) {
            next = std::max(next, comparable(form, catalog));
        }
        const auto at =
            static_cast<std::size_t>(std::ranges::mismatch(first, next).in1 - first.begin());
        taken->value = forms.front().cluster.accelerator->id;
        taken->why += at < first.size() ? fmt::format(", of which this one {}", reasons_of_form[at])
                                        : std::string(", of which the first is weighed");
    }
    return words;
}

/// What is owned where as many of the same are rented ("4 dgx h100 vs renting 32 h100"), with the
/// forms that both name; nothing: the sides differ.
std::optional<ReadSide> same_on_both_sides(const Reading& reading) {
    if (reading.sides.size() != 2) {
        return std::nullopt;
    }
    ReadSide owned = reading.sides[reading.sides.front().rented ? 1 : 0];
    const ReadSide& rented = reading.sides[reading.sides.front().rented ? 0 : 1];
    std::erase_if(owned.ids, [&](const std::string& id) {
        return std::ranges::find(rented.ids, id) == rented.ids.end();
    });
    const bool same = !owned.ids.empty() && owned.count == rented.count;
    return same ? std::optional(std::move(owned)) : std::nullopt;
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

/// One part owned against another one rented; where that cannot be told, what is rented stays the
/// question's.
Result<Routed> Router::own_or_rent_other(const SiteFigures& figures) {
    const bool first_rented = reading_.sides.front().rented;
    const ReadSide& rented = first_rented ? reading_.sides.front() : reading_.sides.back();
    const auto other = cluster_of(with_enough(reading_.sides[first_rented ? 0 : 1]));
    std::optional<Error> problem;
    const auto forms =
        owned_forms(forms_of(reading_.sides[first_rented ? 1 : 0]), figures, problem);
    auto owned = forms.empty() ? std::nullopt : std::optional(forms.front());
    if (!owned || !other) {
        reading_.count = rented.count;
        reading_.accelerators = rented.ids;
        return tl::unexpected(problem.value_or(no_hardware()));
    }
    assume_owning(reading_, *owned);
    reading_.flags = flags_of_owning(owned->cluster, figures, asked_.query);
    owned->rented = rented_other(*owned, *other, world_.catalog, asked_.query);
    weigh_named_instances(reading_.instances, other->count, world_.catalog, *owned);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own_or_rent(reading_, *owned, *other);
    if (!reading_.model.empty()) {
        out.reply.headline +=
            fmt::format(" Hours are weighed, whatever each makes of {} in one.", reading_.model);
    }
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

Result<Routed> Router::only_rent(const Error& problem,
                                 const std::optional<OwnershipAnswer>& turning) {
    if (turning) {
        assume_owning(reading_, *turning);
    }
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
    if (!rent) {
        return rent;
    }
    std::string& headline = rent->reply.headline;
    // Where owning turns is told in the place of why it cannot be told.
    const bool told = turning && elsewhere.empty();
    headline = fmt::format("{}{}{} ({}): {}", elsewhere,
                           told ? turning_words(*turning) + ": " : "Only renting can be told, ",
                           problem.message, "--card-price or --system-price weighs both", headline);
    return rent;
}

Routed Router::owning_told(OwnershipAnswer owned, const std::vector<OwnershipAnswer>& forms,
                           const SiteFigures& figures) {
    assume_surroundings(reading_, owned);
    if (forms.size() > 1) {
        weigh_rents_of_forms(owned, std::span(forms).subspan(1));
    }
    weigh_named_instances(reading_.instances, owned.cluster.count, world_.catalog, owned);
    Offer paid;
    weigh_paid_rent(reading_, date_, owned, paid);
    const bool estimated = weigh_contract(reading_, world_.catalog, owned, paid);
    Routed out;
    out.json = report::ownership_json(owned, stamp());
    out.text = report::ownership_text(owned, style());
    out.reply = reply_own(reading_, owned);
    out.reply.headline += estimated ? contract_words(reading_, owned)
                                    : other_forms(reading_, world_.catalog, forms, out.reply);
    const RentedInstead* weighed = least_rent(owned);
    if (reading_.price_kind == "reserved" && weighed != nullptr &&
        weighed->offer->kind != PriceKind::reserved) {
        out.reply.headline += owned.market == nullptr
                                  ? " No reserved rate of it is listed, nor known of the market."
                                  : fmt::format(
                                        " No reserved rate of it at {} is listed: ask "
                                        "for one.",
                                        weighed->offer->provider);
    }
    out.reply.headline +=
        rented_elsewhere(reading_, asked_.query, world_.catalog, date_, owned, figures);
    reading_.flags = flags_of_owning(owned.cluster, figures, asked_.query);
    return out;
}

Result<Routed> Router::own() {
    const std::string chosen = reading_.accelerators.empty() ? choose_to_own() : std::string();
    auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    if (!clusters.empty()) {
        take_use_of_work(clusters.front());
    }
    const SiteFigures figures = figures_said();
    std::optional<Error> problem;
    if (const auto same = same_on_both_sides(reading_)) {
        clusters = forms_of(*same);
        reading_.sides.clear();
    } else if (reading_.sides.size() == 2) {
        auto both = own_or_rent_other(figures);
        if (both) {
            return both;
        }
        problem = both.error();
        clusters.clear();
    }
    const auto forms = owned_forms(clusters, figures, problem);
    if (forms.empty() && problem) {
        return only_rent(*problem, clusters.empty()
                                       ? std::nullopt
                                       : at_turning_price(clusters.front(), world_.catalog, figures,
                                                          asked_.query, date_));
    }
    if (forms.empty()) {
        return tl::unexpected(no_hardware());
    }
    OwnershipAnswer owned = forms.front();
    bool elsewhere = false;  // the provider that was named lists no rent of it
    if (owned.rented.empty() && !asked_.query.provider.empty()) {
        // That one provider does not list it is no reason to weigh nothing: others do.
        Query anywhere = asked_.query;
        anywhere.provider.clear();
        if (auto wider = ridgeline::own(owned.cluster, world_.catalog, figures, anywhere, date_)) {
            owned = std::move(*wider);
            elsewhere = true;
        }
    }
    const std::string unlisted = owned.kind_unlisted;
    Routed out = owning_told(std::move(owned), forms, figures);
    out.reply.headline = chosen + out.reply.headline;
    if (elsewhere) {
        out.reply.headline += fmt::format(" No rent from {} is listed.", asked_.query.provider);
    }
    if (!unlisted.empty()) {
        out.reply.headline += fmt::format(" No {} rent of it is listed.", unlisted);
    }
    return out;
}

}  // namespace ridgeline::ask
