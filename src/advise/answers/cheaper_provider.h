#pragma once

#include "advise/reading/reading.h"
#include "spec/offer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Dollars an hour for the number that was said, by whole instances; for one where none was.
double hour_of(const Reading& reading, const Offer& offer);

/// "on demand", "as spot": how an hour of that kind is had.
std::string kind_in_words(const std::string& kind);

/// Of providers that were named the cheaper one, like against like: the part, kind and count that
/// most of them rent out, before others what is had on demand and alone. Empty: fewer than two rent
/// it out.
///
/// offers  cheapest first
std::string cheaper_provider(const Reading& reading, const std::vector<const Offer*>& offers);

}  // namespace ridgeline
