#pragma once

#include "advise/hardware/ownership.h"
#include "advise/query.h"
#include "advise/reading/reading.h"

#include <optional>
#include <string>

// What owning is weighed against: what is paid, contracts, what the market asks elsewhere.

namespace ridgeline::ask {

/// What is paid for renting, where the question tells it, in place of what is listed; `paid`
/// outlives the answer's use.
void weigh_paid_rent(const Reading& reading, const std::string& date, OwnershipAnswer& owned,
                     Offer& paid);

/// "buy or reserve": owning is weighed against what is reserved alone; where nobody lists that,
/// against what the market paid for contracts of years. Whether it is such an estimate.
bool weigh_contract(const Reading& reading, const Catalog& catalog, OwnershipAnswer& owned,
                    Offer& contract);

/// " No contract of it is listed: ...": what an estimate of the market's rate is worth.
std::string contract_words(const Reading& reading, const OwnershipAnswer& owned);

/// Of what no price is known: owned at the price at which that turns, which may change what stands
/// around it; nothing: nobody rents it out.
std::optional<OwnershipAnswer> at_turning_price(const Cluster& cluster, const Catalog& catalog,
                                                SiteFigures figures, const Query& query,
                                                const std::string& date);

/// What stands around what is owned and was not said: the computer of a card, the switches of
/// nodes.
void assume_surroundings(Reading& reading, const OwnershipAnswer& owned);

/// Where the same is rented for less than what is paid today, a sentence; empty: nowhere.
std::string rented_elsewhere(const Reading& reading, Query anywhere, const Catalog& catalog,
                             const std::string& date, const OwnershipAnswer& owned,
                             const SiteFigures& figures);

}  // namespace ridgeline::ask
