#include "advise/search/supply.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "spec/chip_support.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

// What is owned, or named with its count, is answered whether it is sold or not; so is a named part
// that nobody sells in any number.
bool needs_supply(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (query.all || query.owned) {
        return false;
    }
    if (query.accelerators.empty()) {
        return true;
    }
    if (query.exact_accelerators) {
        return false;
    }
    const Catalog& catalog = search.knowledge.catalog;
    const auto counts = counts_for(search, accelerator);
    return std::any_of(counts.begin(), counts.end(), [&](int count) {
        const int per_node = make_cluster(catalog, accelerator, count).per_node;
        return unobtainable(catalog, query, accelerator, count, per_node).empty();
    });
}

}  // namespace

Rejection supply_limit(const Search& search, const Candidate& candidate, const Cluster& cluster) {
    const Accelerator& part = *candidate.accelerator;
    const std::string why =
        unobtainable(search.knowledge.catalog, search.query, part, cluster.count, cluster.per_node,
                     search.query.exact_accelerators.has_value());
    if (why.empty() || !needs_supply(search, part)) {
        return {};
    }
    return rejection(candidate, cluster.count, "no_offer", why);
}

Rejection support_limit(const Search& search, const Candidate& candidate,
                        const SoftwareProfile& software, int count) {
    const auto& has = candidate.accelerator->compute_capability;
    const Query& query = search.query;
    // What cannot run there is no answer, whoever has the part.
    const ChipConflict conflict = chip_conflict(search.document, software, *candidate.accelerator);
    if (!conflict.flag.empty()) {
        return rejection(candidate, count, "unsupported_chip", conflict.why);
    }
    if (!has || !software.chips.least_of_wheels || !query.accelerators.empty() || query.owned ||
        query.all || capability_of(*candidate.accelerator) >= *software.chips.least_of_wheels) {
        return {};
    }
    return rejection(candidate, count, "unsupported_chip",
                     fmt::format("its compute capability is {}; the current wheels under {} start "
                                 "at {:.1f}",
                                 *has, software.shown_name(), *software.chips.least_of_wheels));
}

}  // namespace ridgeline
