#pragma once

#include "advise/answers/answer.h"
#include "advise/hardware/ownership.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Owning one part against renting another: the price of an hour of each, and which is worth more
/// for what decides the work. `owned.rented` are offers of the other one.
Answer reply_own_or_rent(const Reading& reading, const OwnershipAnswer& owned,
                         const Cluster& other);

/// Dollars of one below which owning is cheaper than the least rent, were nothing got back at the
/// end; 0: nobody rents it out.
double turning_usd(const OwnershipAnswer& owned);
/// "Rent, unless one is offered for $1,100 or less, or for $2,400 if 50 % of it is got back after
/// 2 years"; empty: nobody rents it out.
std::string turning_words(const OwnershipAnswer& owned);

/// Where an instance was named, so many of it as hold `count` are what owning is weighed against;
/// nothing changes where nobody lists it.
void weigh_named_instances(const std::vector<std::string>& instances, int count,
                           const Catalog& catalog, OwnershipAnswer& owned);

/// What is there is weighed, which costs nothing to buy any more.
bool is_kept(const Reading& reading);

/// Says among what is assumed how long and how busily it is owned, and which share of the price the
/// trend of prices leaves at the end.
void assume_owning(Reading& reading, const OwnershipAnswer& owned);

}  // namespace ridgeline
