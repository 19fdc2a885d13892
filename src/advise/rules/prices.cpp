#include "advise/hardware/offers.h"
#include "advise/rules/rule.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::rule {
namespace {

bool rents(const RuleContext& c) {
    return c.query == nullptr || (!c.query->owned && !c.query->buy);
}

}  // namespace

Found stale_prices(const RuleContext& c) {
    const auto& offer = c.estimate.cost.offer;
    const auto age = offer ? days_between(offer->date, c.today) : std::nullopt;
    if (!age || *age <= prices_stale_after_days) {
        return {};
    }
    return finding(
        "stale_prices", Severity::warning,
        fmt::format("the price of {} is {} days old ({}); one provider cut such a price by "
                    "44 % in a day",
                    offer->provider, *age, offer->date),
        {{"age_days", static_cast<double>(*age)}, {"usd_per_hour", offer->usd_per_hour}},
        offer->source);
}

Found no_offer(const RuleContext& c) {
    if (!rents(c) || c.estimate.cost.offer) {
        return {};
    }
    const auto price = purchase_price(c.catalog, *c.cluster.accelerator);
    if (!price) {
        return finding("no_offer", Severity::info,
                       "no rent and no price to buy is known: its cost is unknown", {},
                       "catalog: offers");
    }
    // A computer with another memory than the one that is listed has another price.
    const Accelerator* listed = c.catalog.accelerator(c.cluster.accelerator->id);
    const bool other =
        listed != nullptr && listed->marketed_gb != c.cluster.accelerator->marketed_gb;
    return finding(
        "no_offer", Severity::info,
        fmt::format("no rent{} is known; {} to buy{} ({})",
                    c.cluster.count > 1 ? fmt::format(" of {}", c.cluster.count) : "",
                    format_usd(price->usd_each * c.cluster.count),
                    other ? fmt::format(" with {:g} GB", listed->marketed_gb) : std::string(),
                    purchase_words(*price)),
        {{"usd_each", price->usd_each}, {"usd_all", price->usd_each * c.cluster.count}},
        price->source);
}

Found idle_accelerators(const RuleContext& c) {
    const CostEstimate& cost = c.estimate.cost;
    if (!cost.offer || cost.idle_accelerators < 1) {
        return {};
    }
    return finding(
        "idle_accelerators", Severity::info,
        fmt::format("{} is rented whole: {} of its {} accelerators are paid for and unused",
                    cost.offer->instance_type, cost.idle_accelerators,
                    cost.instances * cost.offer->count),
        {{"idle", static_cast<double>(cost.idle_accelerators)},
         {"usd_per_hour", cost.usd_per_hour}},
        cost.offer->source);
}

Found slower_network(const RuleContext& c) {
    const auto& offer = c.estimate.cost.offer;
    if (!offer || !offer->network_gbps || c.cluster.nodes() < 2 ||
        offer->count < c.cluster.per_node) {
        return {};
    }
    const double assumed =
        c.cluster.inter.rate / gigabyte_per_second * 8 * std::max(1, c.cluster.per_node);
    if (*offer->network_gbps >= 0.9 * assumed) {
        return {};
    }
    return finding(
        "slower_network", Severity::warning,
        fmt::format("{} has {:.0f} Gb/s a machine; the plan takes {:.0f} Gb/s, so it will run "
                    "slower there",
                    offer->instance_type, *offer->network_gbps, assumed),
        {{"network_gbps", *offer->network_gbps}, {"assumed_gbps", assumed}}, offer->source);
}

Found split_instances(const RuleContext& c) {
    const CostEstimate& cost = c.estimate.cost;
    if (!cost.offer || cost.offer->count >= std::min(c.cluster.count, c.cluster.per_node)) {
        return {};
    }
    return finding(
        "split_instances", Severity::warning,
        fmt::format("priced as {} x {}, the largest instance listed: ask whether they share "
                    "one machine, as the plan assumes",
                    cost.instances, cost.offer->instance_type),
        {{"instances", static_cast<double>(cost.instances)},
         {"accelerators_each", static_cast<double>(cost.offer->count)}},
        cost.offer->source);
}

}  // namespace ridgeline::rule
