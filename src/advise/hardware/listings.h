#pragma once

#include "spec/catalog.h"

#include <string>

namespace ridgeline {

/// Whether two offers are one listing in two counts: cards of one provider at one price for each.
bool same_listing(const Offer& a, const Offer& b);

/// The first day whose prices are not stale beside the newest of the catalog, YYYY-MM-DD; empty
/// where the catalog has no such day.
std::string current_since(const Catalog& catalog);

}  // namespace ridgeline
