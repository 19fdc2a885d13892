#pragma once

#include "estimate/memory/rank.h"

#include <string_view>
#include <utility>

namespace ridgeline {

// Instants are folded once for both ledgers: into components with names, or into sums alone.

inline const Totals& finish(std::string_view /*name*/, const Totals& sums) { return sums; }
inline Instant finish(std::string_view name, Components components) {
    Instant instant;
    instant.name = name;
    double total = 0;
    for (const Component& component : components) {
        total += component.size.base();
    }
    instant.total = Bytes::of_base(total);
    instant.components = std::move(components);
    return instant;
}

/// What a ledger holds so far lives through the whole step, and does not fragment.
inline Totals unfragmented(Totals sums) {
    sums.fragmentation.layers = 0;
    return sums;
}
inline Components unfragmented(Components components) { return components; }

/// Adds `bytes` that are free and fit nothing. one_length: what the layers keep is as in every
/// step, and fragments no further.
inline Totals with_hole(Totals sums, double bytes, bool /*one_length*/) {
    sums.pools[static_cast<std::size_t>(MemoryPool::compute)] += bytes;
    return sums;
}
inline Instant with_hole(Instant instant, double bytes, bool one_length) {
    instant.hole = Bytes::of_base(bytes);
    for (Component& component : instant.components) {
        const bool settled = one_length && component.churn == Churn::layers;
        component.churn = settled ? Churn::none : component.churn;
    }
    return instant;
}

}  // namespace ridgeline
