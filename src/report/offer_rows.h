#pragma once

#include "spec/catalog.h"

#include <string>
#include <vector>

namespace ridgeline::report {

/// One line of a table of rents: the counts of one machine that a listing has at one price for
/// each.
struct OfferRow {
    const Offer* first = nullptr;  ///< of the fewest accelerators
    const Offer* last = nullptr;   ///< of the most
    std::vector<int> counts;
};

/// Rows for offers in the order of their first one.
std::vector<OfferRow> offer_rows(const std::vector<const Offer*>& offers);

/// "1-8", "1,2,4,8", "8".
std::string counts_words(const OfferRow& row);

/// Dollars an hour of the least and the largest machine: "3.99-31.92".
std::string hours_words(const OfferRow& row);

}  // namespace ridgeline::report
