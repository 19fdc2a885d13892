#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"
#include "advise/search/search.h"
#include "base/text.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>

// What an option costs, and whether the budget allows it.

namespace ridgeline {
namespace {

/// Modules that nobody told the number of are bought in whole servers.
bool buys_whole_servers(const Query& query, const Option& option) {
    return option.in_servers && !query.exact_accelerators && is_module(*option.cluster.accelerator);
}

}  // namespace

void price(const Search& search, const Candidate& candidate, Option& option) {
    const Offer* offer =
        search.query.owned
            ? nullptr
            : cheapest_offer(search.knowledge.catalog, search.query, *candidate.accelerator,
                             option.cluster.count, option.cluster.per_node, option.cluster.machine);
    const SoftwareProfile* software =
        search.knowledge.profiles.software_profile(option.workload.framework);
    static const SoftwareProfile none;
    const EstimateInput input{search.architecture, option.workload,
                              option.cluster,      software == nullptr ? none : *software,
                              candidate.device(),  search.knowledge.profiles.calibration};
    option.estimate.cost = estimate_cost(input, option.estimate.time, offer);
    const Catalog& catalog = search.knowledge.catalog;
    const std::string_view id = card_of(candidate.accelerator->id);
    const Accelerator* card =
        is_slice(*candidate.accelerator) ? catalog.accelerator(id) : candidate.accelerator;
    const int cards = cards_of(*candidate.accelerator, option.cluster.count);
    const auto bought =
        card != nullptr ? purchase_price(catalog, *card, used_wanted(search.query)) : std::nullopt;
    if (bought && bought->current) {
        option.purchase_usd = bought->usd_each * cards;
        option.bought = (bought->used ? "used, " : "new, ") + dated_words(*bought);
    }
    option.in_servers =
        bought_in_servers(search.query, card == nullptr ? *candidate.accelerator : *card, cards,
                          bought && bought->used);
    if (option.purchase_usd && option.in_servers) {
        option.purchase_usd = capex_usd(
            is_slice(*candidate.accelerator) ? make_cluster(catalog, *card, cards) : option.cluster,
            catalog, used_wanted(search.query));
    }
    option.unobtainable =
        unobtainable(catalog, search.query, *candidate.accelerator, option.cluster.count,
                     option.cluster.per_node, search.query.exact_accelerators.has_value());
}

double usd_of_job(const Query& query, const Option& option) {
    const double rate = option.estimate.time.samples_per_second;
    const double hours = rate > 0 ? query.requests_of_job / rate / 3600 : 0;
    return option.estimate.cost.usd_per_hour * hours;
}

namespace {

Rejection hourly_limit(const Candidate& candidate, const Option& option, double allowed) {
    const CostEstimate& cost = option.estimate.cost;
    const int count = option.cluster.count;
    if (!cost.offer) {
        return rejection(
            candidate, count, "unknown_price",
            fmt::format("no price an hour is listed to compare with {}", format_usd(allowed)));
    }
    if (cost.usd_per_hour <= allowed) {
        return {};
    }
    return rejection(
        candidate, count, "over_budget",
        fmt::format("{} an hour, {} allowed", format_usd(cost.usd_per_hour), format_usd(allowed)),
        cost.usd_per_hour / allowed - 1);
}

}  // namespace

// Money, once the option is known; an empty reason when it is within the budget.
Rejection money_limit(const Search& search, const Candidate& candidate, const Option& option) {
    const Query& query = search.query;
    const int count = option.cluster.count;
    const CostEstimate& cost = option.estimate.cost;
    if (!query.region.empty() && !query.owned && !query.buy && !cost.offer) {
        return rejection(candidate, count, "not_available_region",
                         fmt::format("no offer in region {} is listed", query.region));
    }
    if (query.rented_only && !query.owned && !query.buy && !cost.offer) {
        return rejection(candidate, count, "not_rented", "no rent of it is listed");
    }
    if (query.budget_usd_per_hour && !query.owned) {
        Rejection dear = hourly_limit(candidate, option, *query.budget_usd_per_hour);
        if (!dear.reason.empty()) {
            return dear;
        }
    }
    if (!query.budget_usd || query.owned) {
        return {};
    }
    const int board = std::max(
        1,
        make_cluster(search.knowledge.catalog, *candidate.accelerator, cards_of_a_server).per_node);
    if (buys_whole_servers(query, option) && count % board != 0) {
        return rejection(candidate, count, "over_budget",
                         fmt::format("it is sold in servers of {}", board));
    }
    const double rate = option.estimate.time.samples_per_second;
    const bool job = !query.buy && query.requests_of_job > 0 && rate > 0;
    const bool run = job || (!query.buy && option.estimate.time.total > Seconds{});
    const std::optional<double> price = query.buy     ? option.purchase_usd
                                        : !cost.offer ? std::nullopt
                                        : job         ? std::optional(usd_of_job(query, option))
                                        : run         ? std::optional(cost.usd_total)
                                                      : std::optional(cost.usd_per_hour);
    const double allowed =
        *query.budget_usd +
        (query.buy && is_one_computer(*option.cluster.accelerator) ? query.computer_usd : 0);
    const char* unit = query.buy ? "to buy" : run ? "for the run" : "an hour";
    if (!price) {
        return rejection(candidate, count, "unknown_price",
                         fmt::format("no price {} is listed to compare with {}", unit,
                                     format_usd(*query.budget_usd)));
    }
    if (*price > allowed) {
        return rejection(
            candidate, count, "over_budget",
            fmt::format("{} {}, {} allowed", format_usd(*price), unit, format_usd(allowed)),
            *price / allowed - 1);
    }
    return {};
}

// Power, before any plan is tried; an empty reason when a machine may draw what it needs.
Rejection power_limit(const Search& search, const Candidate& candidate, const Cluster& cluster) {
    const double together = cluster.count * (candidate.accelerator->tdp / watt);
    if (search.query.max_watts && buys_for_a_desk(search.query) &&
        together > *search.query.max_watts) {
        return rejection(candidate, cluster.count, "over_power",
                         fmt::format("together they draw {:.0f} W, {:g} W are allowed", together,
                                     *search.query.max_watts),
                         together / *search.query.max_watts - 1);
    }
    const bool fed =
        search.query.max_watts || search.query.rack_kw || search.query.exact_accelerators;
    if (!fed && cluster.count > 1 && buys_for_a_desk(search.query) &&
        together > watts_of_a_computer) {
        return rejection(
            candidate, cluster.count, "over_power",
            fmt::format(
                "together they draw {:.0f} W, the supply of a computer has {:.0f} W for its cards",
                together, watts_of_a_computer),
            together / watts_of_a_computer - 1);
    }
    const double node_watts = machine_watts(search.query, cluster);
    const double allowed = search.query.rack_kw.value_or(0) * 1000;
    if (!search.query.rack_kw || node_watts <= allowed) {
        return {};
    }
    return rejection(candidate, cluster.count, "over_power",
                     fmt::format("a machine of {} draws up to {:.0f} W, {:.0f} W are allowed",
                                 std::min(cluster.count, cluster.per_node), node_watts, allowed),
                     node_watts / allowed - 1);
}

}  // namespace ridgeline
