#include "ask/owning_weighed.h"

#include "advise/answers/own.h"
#include "advise/answers/rents.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace ridgeline::ask {

void weigh_paid_rent(const Reading& reading, const std::string& date, OwnershipAnswer& owned,
                     Offer& paid) {
    if (!reading.usd_per_hour) {
        return;
    }
    paid.id = "told";
    paid.provider = reading.api_usd_per_month       ? "the API"
                    : reading.providers.size() == 1 ? reading.providers.front() + ", as told"
                                                    : "your provider";
    paid.accelerator = owned.cluster.accelerator->id;
    paid.count = owned.cluster.count;
    double lowest = 0;
    for (const RentedInstead& rent : owned.rented) {
        lowest = lowest > 0 ? std::min(lowest, rent.usd_per_accelerator_hour)
                            : rent.usd_per_accelerator_hour;
    }
    const bool each = is_rate_of_one(reading, lowest, paid.count);
    paid.usd_per_hour = *reading.usd_per_hour * (each ? paid.count : 1);
    paid.date = date;
    paid.source = "question";
    const double rate = paid.usd_per_accelerator_hour();
    owned.rented = {RentedInstead{&paid, 1, rate, owned.cost.break_even(rate)}};
    owned.oldest_rent_days.reset();
}

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
    // What the market paid others is no rate of a provider that was named, or that an instance
    // belongs to: it is told beside what that one lists.
    const bool of_one = reading.providers.size() == 1 || !reading.instances.empty();
    if (!listed && (owned.market == nullptr || (of_one && !owned.rented.empty()))) {
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

std::string contract_words(const Reading& reading, const OwnershipAnswer& owned) {
    // What is reserved is paid at all hours.
    const double turns_at = owned.cost.per_delivered_hour(1) * owned.cost.accelerators;
    return fmt::format(
        " No contract of it{} is listed: the rate is the market's of three years, shorter ones "
        "cost more; ask for offers, of which one above {}/h costs more than owning at all hours.",
        reading.providers.size() == 1 ? " at " + reading.providers.front() : std::string(),
        format_usd(turns_at));
}

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

void assume_surroundings(Reading& reading, const OwnershipAnswer& owned) {
    if (owned.at_a_desk && owned.inputs.server_cost_ratio == 1 &&
        !is_one_computer(*owned.cluster.accelerator)) {
        reading.assumed.push_back({"server_ratio", "1",
                                   "the card alone is paid: the computer around it is there, and "
                                   "off while nothing runs"});
    }
    if (owned.cluster.nodes() > 1 && owned.inputs.network_share > 0) {
        reading.assumed.push_back(
            {"network_share", fmt::format("{:.2g}", owned.inputs.network_share),
             "of the price for switches and cables: as large clusters pay, a third of it where "
             "one switch does"});
    }
    assume_owning(reading, owned);
}

std::string rented_elsewhere(const Reading& reading, Query anywhere, const Catalog& catalog,
                             const std::string& date, const OwnershipAnswer& owned,
                             const SiteFigures& figures) {
    anywhere.provider.clear();
    const auto other = ridgeline::own(owned.cluster, catalog, figures, anywhere, date);
    const RentedInstead* less = other && reading.usd_per_hour ? least_rent(*other) : nullptr;
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

}  // namespace ridgeline::ask
