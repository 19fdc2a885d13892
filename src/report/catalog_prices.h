#pragma once

#include "report/report.h"

namespace ridgeline::report {

/// Prices of the part or machine itself; what an hour of it costs stands among the offers.
std::string prices_text(const std::vector<ListedPrice>& prices, const Style& style);

/// What one costs to buy, as every command takes it.
std::string purchase_text(const Catalog& catalog, const Accelerator& part, const Style& style);

/// What each of several costs to buy, a line for each whose price is known; empty: none is.
std::string purchases_text(const Catalog& catalog, const std::vector<const Accelerator*>& parts,
                           int count, const Style& style);

/// The cheapest offer of each provider, count and kind of the part.
std::string rents_text(const Catalog& catalog, const Accelerator& part, const Style& style);

}  // namespace ridgeline::report
