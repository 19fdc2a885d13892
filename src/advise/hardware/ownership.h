#pragma once

#include "advise/query.h"
#include "base/result.h"
#include "estimate/money/ownership.h"
#include "estimate/money/power.h"
#include "spec/catalog.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Figures of the buyer's own, by their id in catalog/ownership.json; further ids: card_price_usd
/// (of one), system_price_usd (of one machine), utilization, circuit_volts, circuit_amperes,
/// power_cap_w. What is not given comes from the catalog.
struct SiteFigures {
    std::map<std::string, double, std::less<>> given;
};

/// A figure that an answer rests on.
struct UsedFigure {
    std::string id;
    std::string meaning;
    double value = 0;
    std::string unit;
    std::string source;
    std::string date;
    bool given = false;  ///< by the user
};

/// Renting the same number of accelerators, beside owning them.
struct RentedInstead {
    const Offer* offer = nullptr;
    int instances = 1;
    double usd_per_accelerator_hour = 0;  ///< whole instances, over the accelerators used
    std::optional<double> break_even;     ///< utilisation; above 1: renting is always cheaper
    const Accelerator* other = nullptr;   ///< the form that is rented, where another is owned
};

struct OwnershipAnswer {
    Cluster cluster;
    std::vector<const Purchase*> purchases;  ///< dated dealings that the catalog has of the part
    double price_low = 0;  ///< of one accelerator, dollars: the range of what sources state
    double price_high = 0;
    std::string
        price_dated;  ///< of when it is, where that is not of today; empty: current, or given
    bool price_estimated = false;  ///< nobody asks it: an estimate
    bool price_doubtful = false;   ///< not of today, and an estimate or older than three years
    std::string price_age;  ///< "2025-03, 20 months old", of a listed price older than a year
    bool price_of_system = false;  ///< each with its share of the system
    bool only_new = false;         ///< a used one is meant, and a price of new ones alone is known
    bool at_a_desk = false;  ///< the card alone is bought: a computer and a room are there anyway
    OwnershipInputs inputs;
    OwnershipCost cost;
    std::optional<OwnershipCost> low;   ///< with the cheapest recent purchase
    std::optional<OwnershipCost> high;  ///< with the dearest
    std::vector<UsedFigure> figures;
    std::vector<const OwnershipFigure*> left_out;  ///< no source states them: asked for
    std::vector<RentedInstead> rented;             ///< cheapest of each provider and kind
    std::string kind_unlisted;  ///< the kind of rent that was asked for, which nobody lists
    const MarketRate* market = nullptr;  ///< published figures of the same part
    Site site;
    PowerPlan power;
    std::optional<PowerCap> cap;
    std::optional<double> utilization;     ///< the user's own
    std::optional<long> oldest_rent_days;  ///< age of the oldest offer in `rented`
};

/// The utilisations that tables and charts show.
inline constexpr double shown_utilizations[] = {0.1, 0.2, 0.4, 0.6, 0.8, 1.0};

/// What owning the cluster costs and draws, and when it beats renting.
///
/// today   YYYY-MM-DD for the age of prices; empty: not judged
/// errors  no purchase price is known and none was given
Result<OwnershipAnswer> own(const Cluster& cluster, const Catalog& catalog, const SiteFigures& own,
                            const Query& query = {}, std::string_view today = {});

/// Renting another cluster instead of owning one: the cheapest of each provider and kind, per
/// accelerator that is owned, so that both do their hours side by side.
std::vector<RentedInstead> rented_other(const OwnershipAnswer& owned, const Cluster& other,
                                        const Catalog& catalog, const Query& query);

/// Where another form that is no worse in memory, bandwidth and matrix rate is rented for less than
/// the one that is owned, its least rent joins those that owning is weighed against.
void weigh_rents_of_forms(OwnershipAnswer& owned, std::span<const OwnershipAnswer> others);

/// The cheapest rent for each hour of work, which may be taken away only where nothing else is
/// rented; null: nobody rents it out.
const RentedInstead* least_rent(const OwnershipAnswer& owned);

/// The share of hours in which it works, all where nobody said.
double use_of(const OwnershipAnswer& owned);
/// Dollars for each hour of work: what is reserved is paid at all hours.
double rented_hour(const RentedInstead& rent, double used);

/// Dollars of the whole cluster with server and network; nothing when no price is known.
///
/// used_alone  set: by a price of used ones, or of new ones, where one of today is known
std::optional<double> capex_usd(const Cluster& cluster, const Catalog& catalog,
                                std::optional<bool> used_alone = std::nullopt);

/// The site of an answer: rack, circuit, PUE and grid, the buyer's own before the catalog's.
Site site_of(const Catalog& catalog, const SiteFigures& own, std::vector<UsedFigure>* used);

}  // namespace ridgeline
