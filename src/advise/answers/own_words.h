#pragma once

#include "advise/answers/answer.h"
#include "advise/hardware/ownership.h"

#include <optional>
#include <string>

// Words of answers that weigh owning against renting.

namespace ridgeline {

/// Dollars of the whole cluster over the time that it is owned.
double over_life(const OwnershipAnswer& owned, double usd_per_hour);

/// "$143,000".
std::string about_usd(double usd);

/// "40 % use (292 hours a month, 9.6 a day)".
std::string turning_use(double used);

/// "at 17 % use (4 h a day)", "at all hours".
std::string busy_words(double used);

/// "10 months of 2 x RTX 5090 at 17 % use (4 h a day)".
std::string work_words(const OwnershipAnswer& owned, double used);

/// "$11,000 to buy, $1,400 to run, less $5,780 or 52 % got back at the end".
std::string parts_words(const OwnershipAnswer& owned, double used);

/// "lambda (on_demand, $15.92/h)", "verda (on_demand, $10.46/h, a machine of 8)".
std::string renter_words(const OwnershipAnswer& owned, const RentedInstead& rent);

/// From when on owning pays; that it is paid back is said where its life is that long.
///
/// months  in which it is paid back
/// tie     at the use that is weighed both cost the same, as far as estimates tell
std::string turn_of(const OwnershipAnswer& owned, const RentedInstead& rent,
                    std::optional<double> months, bool tie = false);

/// "its price of 2020-05 ($24,900 each with its share of the system; none of today is known:
/// --card-price)", "an estimate of 2026-05 (...)": of what no price of today is known.
std::string old_price_words(const OwnershipAnswer& owned);

/// The price of one below which owning is cheaper than a rent, of which a share is got back.
double price_that_turns(const OwnershipAnswer& owned, double rent, double used, double share);

/// "a machine of 8 is offered for $71,800 or less, or for $249,000 if 72 % of it is got back after
/// 1 year": at which prices the sums turn; empty: at none.
std::string offers_that_turn(const OwnershipAnswer& owned, double rent, double used);

/// Whether estimates of owning do not tell the two apart.
bool same_cost(double own, double rent);

/// Whether buying is the choice: "buy", "keep"; what has to be got back at the end for it stands
/// beside it. Of what has no price of today, at the last that is known.
///
/// own, rent  dollars of an hour of one
std::string verdict_on(const Reading& reading, const OwnershipAnswer& owned, double own,
                       double rent, double used, const RentedInstead& from);

}  // namespace ridgeline
