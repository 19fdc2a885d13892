#include "advise/rules/rule.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::rule {
namespace {

bool wants_mig(const RuleContext& c) {
    return c.query != nullptr && std::find(c.query->require.begin(), c.query->require.end(),
                                           "mig") != c.query->require.end();
}

/// The smallest slice with that much memory, most of them a card first; null when none has.
const Accelerator* smallest_slice(const Catalog& catalog, const Accelerator& card, Bytes need) {
    const Accelerator* smallest = nullptr;
    for (const Accelerator& slice : catalog.slices) {
        if (card_of(slice.id) != card.id || slice.capacity() < need) {
            continue;
        }
        const bool fewer =
            smallest != nullptr && slices_of_card(slice) <= slices_of_card(*smallest);
        smallest = fewer ? smallest : &slice;
    }
    return smallest;
}

}  // namespace

Found mig_would_serve(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const MemoryEstimate& memory = c.estimate.memory;
    const Bytes need = memory.process;
    const Accelerator* slice =
        c.cluster.count == 1 && memory.fits ? smallest_slice(c.catalog, part, need) : nullptr;
    if (slice == nullptr || slices_of_card(*slice) < 2) {
        return {};
    }
    const std::string profile = slice->id.substr(part.id.size() + 1);
    return finding(
        "mig_would_serve", Severity::info,
        fmt::format("a MIG slice {} would hold it ({:.1f} of {:.1f} GiB), {} of them a card "
                    "(--on {})",
                    profile, need / gibibyte, slice->capacity() / gibibyte, slices_of_card(*slice),
                    slice->id),
        {{"need_gib", need / gibibyte},
         {"slice_gib", slice->capacity() / gibibyte},
         {"slices", static_cast<double>(slices_of_card(*slice))}},
        "catalog: mig_profiles");
}

Found mig_impossible(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    if (!wants_mig(c) || part.mig_instances.value_or(0) >= 2) {
        return {};
    }
    return finding("mig_impossible", Severity::error,
                   part.name + " cannot be divided into MIG instances", {{"instances", 0}},
                   "catalog: mig");
}

}  // namespace ridgeline::rule
