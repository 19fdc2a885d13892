#pragma once

#include "advise/answers/answer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Leaves what costs no more an hour than was said; where nothing does, all is left and that is
/// said in the result, to come first.
std::string keep_to_limit(const Reading& reading, std::vector<const Offer*>& offers);

/// Adds the rents that are listed, cheapest first, with `limit` before them. Precondition: there
/// are some.
void add_rents(const Reading& reading, const std::vector<const Offer*>& offers,
               const std::string& limit, Answer& reply);

/// "; azure $6/h each (8 x mi300x, on_demand, 2026-05-01)": the cheapest of the providers that are
/// not among `offers`, of whatever day, where so few list the part that all are told; else empty.
std::string few_providers(const Reading& reading, const std::vector<const Offer*>& offers,
                          const Catalog& catalog);

/// That nothing of the kind, the provider, the region or the price that was said is listed; empty:
/// none was said.
std::string no_rent_words(const Reading& reading, const Catalog& catalog, Answer& reply);

}  // namespace ridgeline
