#include "report/claims.h"

#include "report/table.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string claimed(const PriceClaim& claim) {
    if (!claim.claimed_usd_per_hour) {
        return "none";
    }
    return claim.claimed_usd_per_hour_high ? fmt::format("{:g}-{:g}", *claim.claimed_usd_per_hour,
                                                         *claim.claimed_usd_per_hour_high)
                                           : fmt::format("{:.2f}", *claim.claimed_usd_per_hour);
}

}  // namespace

std::string claims_text(const Catalog& catalog, const Style& style) {
    Table table({"provider", "instance", ">said $/h", ">listed $/h", ">on", "verdict"});
    for (const PriceClaim& claim : catalog.price_claims) {
        const Offer* offer = catalog.offer(claim.offer);
        table.add({claim.provider, claim.instance_type, claimed(claim),
                   offer != nullptr ? fmt::format("{:.2f}", offer->usd_per_hour) : "unknown",
                   offer != nullptr ? offer->date : "undated", cut(claim.verdict, 26)});
    }
    return table.text(style);
}

}  // namespace ridgeline::report
