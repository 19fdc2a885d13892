#pragma once

#include "advise/reading/reading.h"
#include "spec/offer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Dollars an hour for the number that was said, by whole instances; for one where none was.
double hour_of(const Reading& reading, const Offer& offer);

/// The cheapest that is had on demand, else what lasts, else what may be taken away at any time.
/// Precondition: `offers` are some, cheapest first.
const Offer& steady_of(const std::vector<const Offer*>& offers);
/// The cheapest of each kind of price: first what `steady_of` names, or the cheapest of all where
/// that is asked for, then the others, cheapest first. Precondition: as above.
std::vector<const Offer*> cheapest_of_kinds(const Reading& reading,
                                            const std::vector<const Offer*>& offers);

/// "on demand", "as spot": how an hour of that kind is had.
std::string kind_in_words(const std::string& kind);

/// Of providers that were named the cheaper one, like against like: the part, kind and count that
/// most of them rent out, before others what is had on demand and alone. Empty: fewer than two rent
/// it out.
///
/// offers  cheapest first
std::string cheaper_provider(const Reading& reading, const std::vector<const Offer*>& offers);

}  // namespace ridgeline
