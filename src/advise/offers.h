#pragma once

#include "advise/query.h"
#include "spec/catalog.h"

#include <optional>

namespace ridgeline {

/// The offer that rents `count` accelerators for the least money an hour, or null.
///
/// Whole instances only. An instance that holds the whole cluster's node is preferred: accelerators
/// of single-accelerator instances are not known to share a fast link, so such offers are used for
/// several accelerators of one node only when nothing else is listed, and never for several nodes.
/// Without a price kind in the query on-demand offers come first, then
/// marketplaces.
const Offer* cheapest_offer(const Catalog& catalog,
                            const Query& query,
                            const Accelerator& accelerator,
                            int count,
                            int per_node);

/// A price at which the part itself is sold, new before used; null when none is listed.
const ListedPrice* purchase_price(const Accelerator& accelerator);

/// Beyond this age a price is said to be stale; one provider cut prices by 44 % in a day.
inline constexpr long prices_stale_after_days = 90;

/// Days from one YYYY-MM-DD to another; nothing when either is not such a date.
std::optional<long> days_between(std::string_view from, std::string_view to);

}  // namespace ridgeline
