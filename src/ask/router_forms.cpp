#include "advise/answers/rate_words.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "advise/reading/numbers/time_units.h"
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

// Of the forms of a part that was named the one that is meant, and what is paid for it; several
// parts side by side; parts with a memory that none is listed with.

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

/// "NVIDIA GeForce RTX 3080 Laptop" of one with "16GB" or "8GB" behind it.
std::string without_memory(const std::string& name) {
    const std::size_t blank = name.rfind(' ');
    const bool memory = name.ends_with("GB") && blank != std::string::npos;
    return memory ? name.substr(0, blank) : name;
}

/// " in q4_k_m", " in 16-bit weights".
std::string weights_words(const std::string& type) {
    return type.empty() || type == "none" ? " in 16-bit weights" : " in " + type;
}

/// "154 tokens/s (97 to 195)", "12.3 h (10 h to 14 h)".
std::string with_range(const AnswerValue& value) {
    const double unit = reading::seconds_of(value.unit);
    const auto words = [&](double figure) {
        return unit > 0 ? format_duration(figure * unit) : figure_words(figure);
    };
    const double mid = value.mid.value_or(0);
    return fmt::format("{}{} ({} to {})", words(mid), unit > 0 ? "" : " " + value.unit,
                       words(value.low.value_or(mid)), words(value.high.value_or(mid)));
}

}  // namespace

const Offer* Router::offer_as_asked(const Cluster& cluster, bool of_kind, bool of_provider) const {
    Query query;
    query.price_kind = of_kind ? asked_.query.price_kind : "";
    query.provider = of_provider ? asked_.query.provider : "";
    query.region = of_provider ? asked_.query.region : "";
    query.instances_excluded = asked_.query.instances_excluded;
    return cheapest_offer(world_.catalog, query, *cluster.accelerator, cluster.count,
                          cluster.per_node, cluster.machine);
}

const Offer* Router::offer_asked(const Cluster& cluster) const {
    for (const auto& [kind, provider] :
         {std::pair(true, true), std::pair(false, true), std::pair(true, false)}) {
        if (const Offer* offer = offer_as_asked(cluster, kind, provider)) {
            return offer;
        }
    }
    return offer_as_asked(cluster, false, false);
}

std::string Router::other_kind(const Placement& placement) const {
    const auto& offer = placement.estimate.cost.offer;
    const std::string& kind = asked_.query.price_kind;
    const std::string& provider = asked_.query.provider;
    if (offer && offer->id == told_offer) {
        return "";  // what is paid was said: no list is asked
    }
    if (offer && !allowed_by(provider, offer->provider)) {
        return fmt::format(" No rent of {} in one place{} is listed: {} at {}/h is counted.",
                           placement.cluster.count,
                           provider.starts_with('!') ? " elsewhere" : " by " + provider,
                           offer->provider, format_usd(placement.estimate.cost.usd_per_hour));
    }
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

void Router::add_other_parts(const Placement& answered,
                             const std::function<Answer(const Placement&)>& reply_on,
                             Answer& reply) {
    const Query& query = asked_.query;
    std::vector<std::vector<Cluster>> parts;  // the forms of each part
    const auto one_part = [](const Cluster& a, const Cluster& b) {
        return without_memory(a.accelerator->name) == without_memory(b.accelerator->name) ||
               same_family(*a.accelerator, *b.accelerator);
    };
    for (const Cluster& cluster : clusters_of(reading_, query, world_.catalog)) {
        const auto part = std::ranges::find_if(parts, [&](const std::vector<Cluster>& forms) {
            return one_part(forms.front(), cluster);
        });
        if (one_part(answered.cluster, cluster)) {
            continue;
        }
        (part == parts.end() ? parts.emplace_back() : *part).push_back(cluster);
    }
    const auto leads = [](const Answer& each) {
        return !each.values.empty() && each.values.front().mid;
    };
    if (parts.empty() || !leads(reply)) {
        return;
    }
    const std::string forms = std::exchange(other_forms_, "");
    // A narrower type makes a part look faster than it is.
    const std::string stored = answered.workload.quantization.name;
    bool alike = true;
    std::string words = fmt::format("{} on {}{{}}", with_range(reply.values.front()),
                                    cards_words(answered.cluster));
    for (const std::vector<Cluster>& part : parts) {
        WorkloadDocument document = query.workload;
        const auto architecture = completed(document, world_);
        const auto other =
            architecture
                ? fastest_of(part, with_weights_for(document, *architecture, part), *architecture)
                : tl::unexpected(architecture.error());
        const std::string cards = cards_words((other ? other->cluster : part.front()));
        if (!other || !other->estimate.memory.fits) {
            words += fmt::format(", {} {}", other ? "too little memory on" : "no way on", cards);
            continue;
        }
        const Answer figures = reply_on(*other);
        if (leads(figures)) {
            AnswerValue value = figures.values.front();
            const std::string type = other->workload.quantization.name;
            words += fmt::format(", {} on {}{}", with_range(value), cards,
                                 type == stored ? "" : weights_words(type));
            alike = alike && type == stored;
            value.of = other->cluster.accelerator->id;
            reply.values.push_back(std::move(value));
        }
    }
    other_forms_ = forms;
    words.replace(words.find("{}"), 2, alike ? "" : weights_words(stored));
    reply.headline = fmt::format("{}. {}", words, reply.headline);
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
    // A form that is not rented as it was asked is not cheaper by what another asks for it.
    const bool listed = std::ranges::any_of(clusters, [this](const Cluster& cluster) {
        return offer_as_asked(cluster, true, true) != nullptr;
    });
    for (const Cluster& cluster : clusters) {
        auto one = place_with(PlanChoice::best, knowledge_, document, architecture, cluster,
                              listed ? offer_as_asked(cluster, true, true) : offer_asked(cluster));
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

Routed Router::on_made_part(Answer reply) {
    const bool fits = reading_.intent == Intent::fit && !reply.verdict.empty() &&
                      reply.verdict != "no" && reading_.memory_gib &&
                      !asked_.query.accelerators.empty();
    const auto placement = fits ? placed() : tl::unexpected(Error{});
    if (!placement || !placement->estimate.memory.fits) {
        return alone(std::move(reply));
    }
    const Answer rates = reply_throughput(reading_, *placement);
    Routed out;
    out.json = report::estimate_json(*placement, stamp());
    out.text = report::time_first_text(*placement, style());
    out.reply = std::move(reply);
    if (!rates.values.empty() && rates.values.front().mid) {
        out.reply.headline += fmt::format(" It makes {}.", with_range(rates.values.front()));
        out.reply.values.insert(out.reply.values.end(), rates.values.begin(), rates.values.end());
    }
    return out;
}

}  // namespace ridgeline::ask
