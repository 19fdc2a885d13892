#include "base/text.h"
#include "report/cost_text.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {

std::string cost_text(const EstimateAnswer& answer, const Style& style) {
    const CostEstimate& cost = answer.estimate.cost;
    std::string out = strong("Cost", style) + "    ";
    if (!cost.offer && cost.usd_per_hour <= 0) {
        const auto known = std::ranges::find(answer.findings, "no_offer", &Finding::rule);
        return paragraph(out,
                         known == answer.findings.end() ? "no rent like this is known"
                                                        : std::string_view(known->message),
                         style);
    }
    out += fmt::format("{} an hour", format_usd(cost.usd_per_hour));
    if (cost.usd_total > 0) {
        out += fmt::format(", {} for the run ({} to {})", format_usd(cost.usd_total),
                           format_usd(cost.usd_total_low), format_usd(cost.usd_total_high));
    }
    if (cost.usd_per_million_tokens > 0) {
        out += fmt::format("{} {} per million tokens", cost.usd_total > 0 ? "\n  and" : ",",
                           format_usd(cost.usd_per_million_tokens));
    }
    if (!cost.offer) {
        return out + "\n  for electricity\n";
    }
    const Offer& offer = *cost.offer;
    const std::string instances =
        fmt::format("{} x {} of {}, {}, {}", cost.instances, offer.instance_type, offer.provider,
                    name_of(offer.kind), offer.date);
    return out + "\n" + paragraph("  ", instances, style);
}

}  // namespace ridgeline::report
