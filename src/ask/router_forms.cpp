#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"
#include "base/text.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

// Of the forms of a part that was named the one that is meant, and what is paid for it.

namespace ridgeline::ask {
namespace {

double work_rate(const Placement& placement) {
    const TimeEstimate& time = placement.estimate.time;
    return time.samples_per_second + time.tokens_per_second;
}

/// What holds the work before what does not, then the faster.
std::pair<bool, double> order_of_form(const Placement& placement) {
    return {placement.estimate.memory.fits, work_rate(placement)};
}

/// Dollars of the run, of a million tokens or of a sample; infinite: no rent is known.
double usd_of(const Placement& placement) {
    const CostEstimate& cost = placement.estimate.cost;
    const double usd = cost.usd_total > 0                ? cost.usd_total
                       : cost.usd_per_million_tokens > 0 ? cost.usd_per_million_tokens
                                                         : cost.usd_per_sample;
    return usd > 0 ? usd : std::numeric_limits<double>::infinity();
}

/// "12.3 h to 18 h for $13.74 to $29.03"; empty: of none what it costs is known.
std::string span_of_forms(const std::vector<Placement>& forms) {
    std::vector<double> figures, sums;
    bool run = false;
    for (const Placement& form : forms) {
        if (std::isfinite(usd_of(form))) {
            run = form.estimate.time.total > Seconds{};
            figures.push_back(run ? form.estimate.time.total / second : work_rate(form));
            sums.push_back(usd_of(form));
        }
    }
    if (sums.empty()) {
        return "";
    }
    const auto span = [](const std::vector<double>& values, const auto& words) {
        const auto [least, most] = std::ranges::minmax(values);
        const std::string low = words(least), high = words(most);
        return low == high ? low : low + " to " + high;
    };
    const Estimate& first = forms.front().estimate;
    const bool tokens = first.cost.usd_per_million_tokens > 0;
    const auto money = [&](double usd) { return format_usd(tokens || run ? usd : 1e6 * usd); };
    const auto figure = [&](double value) {
        return run ? format_duration(value) : figure_words(value);
    };
    return run ? fmt::format("take {} for {}", span(figures, figure), span(sums, money))
               : fmt::format("make {} {}/s in all for {} a million", span(figures, figure),
                             tokens ? "tokens" : "samples", span(sums, money));
}

}  // namespace

const Offer* Router::offer_asked(const Cluster& cluster) const {
    const Query& query = asked_.query;
    const Offer* offer = offer_for(world_.catalog, cluster, query.price_kind);
    return offer != nullptr || query.price_kind.empty() ? offer
                                                        : offer_for(world_.catalog, cluster, "");
}

std::string Router::other_kind(const Placement& placement) const {
    const auto& offer = placement.estimate.cost.offer;
    const std::string& kind = asked_.query.price_kind;
    if (!offer || kind.empty() || name_of(offer->kind) == kind) {
        return "";
    }
    double least = 0, most = 0;
    for (const Offer& each : world_.catalog.offers) {
        if (each.accelerator == offer->accelerator && name_of(each.kind) == kind) {
            const double usd = each.usd_per_accelerator_hour();
            least = least > 0 ? std::min(least, usd) : usd;
            most = std::max(most, usd);
        }
    }
    return fmt::format(
        " No {} rent of {} in one place is listed{}: {} at {}/h is counted.", kind,
        placement.cluster.count,
        least > 0 ? fmt::format(", of fewer it is {}{} each an hour", format_usd(least),
                                most > least ? " to " + format_usd(most) : std::string())
                  : std::string(),
        offer->kind == PriceKind::on_demand ? std::string_view("on demand") : name_of(offer->kind),
        format_usd(placement.estimate.cost.usd_per_hour));
}

Result<Placement> Router::fastest_of(const std::vector<Cluster>& clusters,
                                     const WorkloadDocument& document,
                                     const Architecture& architecture) {
    std::optional<Placement> best;
    std::vector<Placement> others;
    std::optional<Error> problem;
    const Query& query = asked_.query;
    const bool by_money = !reading_.owned && !query.buy && !reading_.usd_per_hour &&
                          query.objective == Objective::cost;
    for (const Cluster& cluster : clusters) {
        auto one = place_with(PlanChoice::best, knowledge_, document, architecture, cluster,
                              offer_asked(cluster));
        if (!one) {
            problem = problem ? problem : std::optional(one.error());
            continue;
        }
        // Of the forms of one part the usual one, which goes first, unless it does not hold it, or
        // another does the work for less.
        const bool usual = best && best->estimate.memory.fits &&
                           same_family(*best->cluster.accelerator, *one->cluster.accelerator);
        const bool cheaper =
            usual && by_money && one->estimate.memory.fits && usd_of(*one) < usd_of(*best);
        if (!best || (usual ? cheaper : order_of_form(*one) > order_of_form(*best))) {
            if (usual) {
                others.push_back(*std::move(best));
            }
            best = *std::move(one);
        } else if (usual && one->estimate.memory.fits) {
            others.push_back(*std::move(one));
        }
    }
    const std::string span =
        best && by_money && std::isfinite(usd_of(*best)) ? span_of_forms(others) : std::string();
    other_forms_ = span.empty() ? ""
                                : fmt::format(" Of its forms {} costs least; others {}.",
                                              short_name(*best->cluster.accelerator), span);
    return best ? Result<Placement>(*std::move(best)) : tl::unexpected(*problem);
}

}  // namespace ridgeline::ask
