#pragma once

#include "advise/answers/answer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// "$14.95", "13.8 euro ($14.95)": in the currency that was asked for.
std::string money_words(const Reading& reading, double usd);

/// Hours that are paid for: of the time or the months that were said, or of one month; 0: none.
double hours_of_period(const Reading& reading);
/// "for 168 hours", "for 12 months (8,760 hours)", "a month (730 hours)".
std::string period_words(const Reading& reading, double hours);

/// Whether the rent of an hour that was told is that of one accelerator: as was said, or as no
/// market rents so many for two fifths of its lowest rate.
///
/// lowest  that is listed for an hour of one, dollars
bool is_rate_of_one(const Reading& reading, double lowest, int count);

/// Whether a price to buy is asked, not a rent.
bool buys(const Reading& reading);

/// The parts whose price to buy is asked; of a computer all memories that its chip is listed with,
/// where none was said. Forms of one part stand cheapest first.
std::vector<const Accelerator*> sold_forms(const Reading& reading, const Catalog& catalog);

/// Leaves what costs no more an hour than was said; where nothing does, all is left and that is
/// said in the result, to come first.
std::string keep_to_limit(const Reading& reading, std::vector<const Offer*>& offers);

/// Adds the rents that are listed, cheapest first, with `limit` before them. Precondition: there
/// are some.
void add_rents(const Reading& reading, const std::vector<const Offer*>& offers,
               const std::string& limit, const Catalog& catalog, Answer& reply);

/// "; older lists: gcp $0.70 to $0.84/h each (on_demand, 2026-08-03)": of the providers that are
/// not among `offers`, whose lists are of an earlier day; empty: there are none, or some were
/// named.
std::string older_lists(const Reading& reading, const std::vector<const Offer*>& offers,
                        const Catalog& catalog);

/// That nothing of the kind, the provider, the region or the price that was said is listed; empty:
/// none was said.
std::string no_rent_words(const Reading& reading, const Catalog& catalog, Answer& reply);

}  // namespace ridgeline
