#pragma once

#include "advise/answers/answer.h"
#include "advise/hardware/ownership.h"

#include <optional>
#include <string>

// Sums and sentences of owning beside renting, for the replies about it.

namespace ridgeline {

/// Dollars of the whole cluster over the time that it is owned.
double over_life(const OwnershipAnswer& owned, double usd_per_hour);
/// Dollars of an estimate: "$11,000".
std::string about_usd(double usd);
/// "14 % use (102 hours a month, 3.4 a day)".
std::string turning_use(double used);
/// "at 17 % use (4 h a day)".
std::string busy_words(double used);
/// "10 months of 2 x RTX 5090 at 17 % use (4 h a day)".
std::string work_words(const OwnershipAnswer& owned, double used);
/// "$11,000 to buy, $1,400 to run, less $5,780 or 52 % got back at the end".
std::string parts_words(const OwnershipAnswer& owned, double used);
/// "lambda (on_demand, $15.92/h)", "verda (on_demand, $10.46/h, a machine of 8)".
std::string renter_words(const OwnershipAnswer& owned, const RentedInstead& rent);
/// From when on owning pays; that it is paid back is said where its life is that long.
std::string turn_of(const OwnershipAnswer& owned, const RentedInstead& rent,
                    std::optional<double> months);
/// The hours of a month from which on it pays for itself in the months that are asked; empty: none
/// are.
std::string payback_in_words(const Reading& reading, const OwnershipAnswer& owned, double rent,
                             Answer& reply);
/// Whether buying is the choice; what has to be got back at the end for it stands beside it.
bool is_bought(const OwnershipAnswer& owned, double own, double rent);
/// What is advised: "Buy", "Rent, unless ...". own, rent  dollars of an hour of one
std::string verdict_on(const Reading& reading, const OwnershipAnswer& owned, double own,
                       double rent, double used, const RentedInstead& from);

}  // namespace ridgeline
