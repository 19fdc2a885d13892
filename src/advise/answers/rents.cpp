#include "advise/answers/rents.h"

#include "advise/answers/cheaper_provider.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Rents by provider, number and time.

namespace ridgeline {

std::string money_words(const Reading& reading, double usd) {
    return reading.currency.empty()
               ? format_usd(usd)
               : fmt::format("{} {} ({})", figure_words(usd / reading.usd_per_currency),
                             reading.currency, format_usd(usd));
}

double hours_of_period(const Reading& reading) {
    const double all = reading.deadline_s           ? *reading.deadline_s / 3600
                       : reading.months             ? *reading.months * hours_of_a_month
                       : asks(reading, "per_month") ? hours_of_a_month
                       : asks(reading, "per_week")  ? 168.0
                       : asks(reading, "per_day")   ? 24.0
                                                    : 0;
    return all * reading.hours_per_day.value_or(24) / 24;
}

bool is_rate_of_one(const Reading& reading, double lowest, int count) {
    constexpr double least_of_market = 0.4;
    return reading.hourly_each ||
           reading.usd_per_hour.value_or(0) < least_of_market * lowest * count;
}

std::string period_words(const Reading& reading, double hours) {
    const std::string all = fmt::format("{} hours", figure_words(hours));
    return reading.deadline_s ? "for " + all
           : reading.months   ? fmt::format("for {} ({})", months_words(*reading.months), all)
                              : fmt::format("a {} ({})",
                                          asks(reading, "per_week")  ? "week"
                                            : asks(reading, "per_day") ? "day"
                                                                       : "month",
                                            all);
}

namespace {

/// "as 4 machines of 1", "of a whole machine of 8": how an offer comes to the number; empty: it is
/// listed so.
std::string instances_words(const Reading& reading, const Offer& offer) {
    const int count = reading.count.value_or(offer.count);
    return offer.count == count ? ""
           : offer.count > count
               ? fmt::format("a whole machine of {}", offer.count)
               : fmt::format(
                     "{:g} machines of {}{}", std::ceil(1.0 * count / offer.count), offer.count,
                     offer.kind == PriceKind::marketplace ? " that no network is told to join"
                                                          : "");
}

/// Where nobody lists the number on one machine: what one that holds it costs, if the cheapest is
/// of several.
std::string machines_words(const Reading& reading, const std::vector<const Offer*>& offers) {
    const int count = reading.count.value_or(1);
    const auto whole =
        std::ranges::find_if(offers, [&](const Offer* offer) { return offer->count >= count; });
    return offers.front()->count >= count || whole == offers.end() || (*whole)->count > 8
               ? ""
               : fmt::format("; on one machine {}/h ({}, {}, {})",
                             format_usd(hour_of(reading, **whole)), (*whole)->provider,
                             name_of((*whole)->kind), instances_words(reading, **whole));
}

/// The share of all hours that was said, else all.
double used_of(const Reading& reading) { return reading.hours_per_day.value_or(24) / 24; }

/// What the rent comes to on one machine, and who that was named lists none.
std::string rent_totals(const Reading& reading, const std::vector<const Offer*>& offers) {
    std::string words = machines_words(reading, offers);
    for (const std::string& name : reading.providers) {
        const bool listed = std::ranges::any_of(
            offers, [&](const Offer* offer) { return offer->provider == name; });
        words += listed || reading.providers.size() < 2
                     ? std::string()
                     : fmt::format("; none of {} is listed", name);
    }
    return words;
}

/// The cheapest of each kind, of one provider and of one part, so that nothing else differs: the
/// part that has most of the kinds. Nothing stands for a kind that is not listed.
std::vector<const Offer*> offers_of_kinds(const std::vector<std::string>& kinds,
                                          const std::vector<const Offer*>& offers,
                                          const std::string& provider) {
    std::vector<const Offer*> best(kinds.size(), nullptr);
    const auto known = [](const std::vector<const Offer*>& each) {
        return static_cast<std::ptrdiff_t>(each.size()) - std::ranges::count(each, nullptr);
    };
    for (const Offer* first : offers) {
        if (!provider.empty() && first->provider != provider) {
            continue;
        }
        std::vector<const Offer*> own;
        for (const std::string& kind : kinds) {
            const auto found = std::ranges::find_if(offers, [&](const Offer* each) {
                return name_of(each->kind) == kind && each->accelerator == first->accelerator &&
                       each->provider == first->provider;
            });
            own.push_back(found == offers.end() ? nullptr : *found);
        }
        if (known(own) > known(best)) {
            best = std::move(own);
        }
    }
    return best;
}

/// ", $949 a month": of a time of months, where what each of them costs is asked.
std::string month_words(const Reading& reading, double usd_per_hour) {
    return reading.months && asks(reading, "per_month")
               ? fmt::format(", {} a month", money_words(reading, hours_of_a_month * usd_per_hour))
               : std::string();
}

/// ", which pays above 41 % use against $3.20/h on demand": a commitment is paid at all hours;
/// empty: no rent on demand of the part is listed.
std::string commitment_words(const Reading& reading, const Catalog& catalog,
                             const Offer& contract) {
    Reading part = reading;
    part.accelerators = {contract.accelerator};
    part.price_kind.clear();
    for (const Offer* offer : offers_of(part, catalog)) {
        const double usd = offer->usd_per_accelerator_hour();
        if (offer->kind == PriceKind::on_demand && usd > 0) {
            return fmt::format(
                ", paid at all hours: that pays above {:.0f} % use against {}/h on "
                "demand",
                100 * contract.usd_per_accelerator_hour() / usd, format_usd(usd));
        }
    }
    return {};
}

/// "; contracts of three years were about $1.30/h each (h100-sxm5-80gb, 2025-08)", of the first
/// part whose market is known.
std::string contract_words(const Reading& reading, const Catalog& catalog) {
    for (const std::string& id : reading.accelerators) {
        if (const auto contract = market_contract(catalog, id, reading.count.value_or(1))) {
            const double period = hours_of_period(reading);
            const std::string turns = commitment_words(reading, catalog, *contract);
            return fmt::format(
                "; contracts of three years were about {}/h each ({}, {}){}{}",
                format_usd(contract->usd_per_accelerator_hour()), id, contract->date, turns,
                reading.months.value_or(0) * hours_of_a_month < 3 * hours_per_year
                    ? month_words(reading, contract->usd_per_hour) + ", shorter ones cost more"
                : period > 0 ? fmt::format(", {} {}{}",
                                           money_words(reading, period * contract->usd_per_hour),
                                           period_words(reading, period),
                                           month_words(reading, contract->usd_per_hour))
                             : "");
        }
    }
    return {};
}

/// "At gcp an hour of l4 costs $0.71 on demand and $0.31 as spot, $0.40 (56 %) less": of one
/// provider.
std::string kinds_in_words(const Reading& reading, const Catalog& catalog,
                           const std::vector<std::string>& kinds,
                           const std::vector<const Offer*>& offers) {
    std::string words;
    std::string missing;
    std::vector<double> usd;
    bool spot = false;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (offers[k] == nullptr) {
            missing += (missing.empty() ? "" : ", ") + kinds[k];
            continue;
        }
        usd.push_back(offers[k]->usd_per_accelerator_hour());
        spot = spot || kinds[k] == "spot";
        words += words.empty() ? fmt::format("At {} an hour of {} costs ", offers[k]->provider,
                                             offers[k]->accelerator)
                               : " and ";
        words += fmt::format("{} {}", format_usd(usd.back()), kind_in_words(kinds[k]));
    }
    if (usd.size() == 2) {
        words +=
            fmt::format(", {} ({:.0f} %) {}", format_usd(std::abs(usd[0] - usd[1])),
                        100 * std::abs(1 - usd[1] / usd[0]), usd[1] <= usd[0] ? "less" : "more");
    }
    words += missing.empty() ? "" : fmt::format("; its {} rent there is not listed", missing);
    // What the market paid answers what no list has: it goes first.
    const std::string contract = missing == "reserved" ? contract_words(reading, catalog) : "";
    constexpr std::string_view joint = "; c";
    if (contract.starts_with(joint)) {
        words = "C" + contract.substr(joint.size()) + ". " + words;
    }
    return words + (spot ? "; spot may be taken away at any time. " : ". ");
}

/// What is reserved is paid at all hours: from which use on it saves, and at the use that was said.
std::string reserved_words(const Reading& reading, double on_demand, double reserved) {
    const double used = used_of(reading);
    const std::string paid = "what is reserved is paid at all hours";
    if (reserved <= 0) {
        return used < 1 ? fmt::format(
                              "On demand, unless it is reserved for less than {}/h each: "
                              "{}, {:.0f} % of which work. ",
                              format_usd(used * on_demand), paid, 100 * used)
                        : "";
    }
    const double turns = reserved / on_demand;
    return fmt::format(
        "{} saves{}: {}, which pays above {:.0f} % use. ", used < turns ? "On demand" : "Reserved",
        used < 1 ? fmt::format(" at {:.0f} % use", 100 * used) : "", paid, 100 * turns);
}

/// "spot vs on demand", "spot, and reserved too": each kind of the part, at each provider that was
/// named.
std::string kinds_apart(const Reading& reading, const std::vector<const Offer*>& offers,
                        const Catalog& catalog) {
    std::vector<std::string> kinds = reading.alternatives_of == "price_kind"
                                         ? reading.alternatives
                                         : std::vector<std::string>{"on_demand", "spot"};
    // What lasts is what the other is measured by.
    std::stable_partition(kinds.begin(), kinds.end(),
                          [](const std::string& kind) { return kind == "on_demand"; });
    std::vector<std::string> providers = reading.providers;
    if (providers.empty()) {
        providers.emplace_back();
    }
    std::string words;
    for (const std::string& provider : providers) {
        const auto own = offers_of_kinds(kinds, offers, provider);
        const bool any =
            std::ranges::any_of(own, [](const Offer* each) { return each != nullptr; });
        const auto reserved = std::ranges::find(kinds, "reserved");
        if (any && reserved != kinds.end() && kinds.front() == "on_demand" && own.front()) {
            const Offer* listed = own[static_cast<std::size_t>(reserved - kinds.begin())];
            words += reserved_words(reading, own.front()->usd_per_accelerator_hour(),
                                    listed == nullptr ? 0 : listed->usd_per_accelerator_hour());
        }
        words += any ? kinds_in_words(reading, catalog, kinds, own) : "";
    }
    return words;
}

/// "Yes, within $3,000: ": whether the sum pays for it; empty: none was said.
std::string within_sum_words(const Reading& reading, double least) {
    if (!reading.budget_usd) {
        return {};
    }
    const double left = *reading.budget_usd - least;
    return left >= 0
               ? fmt::format("Yes, within {}: ", money_words(reading, *reading.budget_usd))
               : fmt::format("No, {} more than {} at the least: ", money_words(reading, -left),
                             money_words(reading, *reading.budget_usd));
}

std::vector<const Offer*> of_kind(const std::vector<const Offer*>& offers, PriceKind kind) {
    std::vector<const Offer*> those;
    std::ranges::copy_if(offers, std::back_inserter(those),
                         [kind](const Offer* offer) { return offer->kind == kind; });
    return those;
}

/// What a time on it costs, first of all, since that is what was asked: each form from its
/// cheapest on demand, while there is one, to the dearest of those, then the other kinds.
void add_cost_of_time(const Reading& reading, const std::vector<const Offer*>& offers,
                      Answer& reply) {
    const double hours = hours_of_period(reading);
    const auto usd = [&](const Offer* offer) { return hours * hour_of(reading, *offer); };
    const PriceKind kind = steady_of(offers).kind;
    const auto considered = of_kind(offers, kind);
    const Offer* dearest = considered.back();
    const AnswerValue cost{"cost",
                           usd(considered.front()),
                           usd(considered[considered.size() / 2]),
                           usd(dearest),
                           "USD",
                           ""};
    reply.values.insert(reply.values.begin(), cost);
    if (hours == 1) {
        return;  // that is what the price of an hour says
    }
    const auto from = [&](const Offer* offer) {
        const std::string instances = instances_words(reading, *offer);
        return fmt::format("{} ({}, {}{})", money_words(reading, usd(offer)), offer->provider,
                           name_of(offer->kind), instances.empty() ? "" : ", " + instances);
    };
    std::vector<const Offer*> forms;  // the cheapest of each
    for (const Offer* offer : considered) {
        if (std::ranges::find(forms, offer->accelerator, &Offer::accelerator) == forms.end()) {
            forms.push_back(offer);
        }
    }
    const int count = reading.count.value_or(1);
    const AssumedField* at_once = assumed_of(reading, "at_once");
    const std::string period = period_words(reading, hours);
    std::string words =
        at_once == nullptr
            ? fmt::format("{} {}: ", count == 1 ? "One costs" : fmt::format("{} cost", count),
                          period)
            : fmt::format("{} hours, {} at once, cost: ", figure_words(hours), at_once->value);
    for (const Offer* form : forms) {
        words += fmt::format("{}{} from {}", form == forms.front() ? "" : ", ", form->accelerator,
                             from(form));
    }
    if (forms.size() == 1 && at_once == nullptr) {
        words = fmt::format("{} x {} cost{} {} {} ({}, {})", count, forms.front()->accelerator,
                            count == 1 ? "s" : "", money_words(reading, *cost.low), period,
                            forms.front()->provider, name_of(forms.front()->kind));
    }
    words += usd(dearest) > *cost.low
                 ? fmt::format(", at most {} ({})", money_words(reading, usd(dearest)),
                               dearest->provider)
                 : "";
    double least = *cost.low;  // that is not taken away at any time
    for (const Offer* other : cheapest_of_kinds(reading, offers)) {
        if (other->kind != kind && usd(other) < *cost.low) {
            words += fmt::format(
                ", {} from {} ({}, {})", kind_in_words(std::string(name_of(other->kind))),
                money_words(reading, usd(other)), other->accelerator, other->provider);
            least = other->kind == PriceKind::spot ? least : std::min(least, usd(other));
        }
    }
    reply.headline = within_sum_words(reading, least) + words + ". " + reply.headline;
}

/// What is listed where the kind of price, the provider or the region that was said is not: the
/// cheapest, which lasts.
std::string offered_otherwise(Reading reading, const Catalog& catalog, Answer& reply) {
    const auto lasts = [](const Offer* offer) { return offer->kind != PriceKind::spot; };
    std::string words;
    if (!reading.price_kind.empty() && !reading.region.empty()) {
        Reading anywhere = reading;
        anywhere.region.clear();
        const auto offers = offers_of(anywhere, catalog);
        words = offers.empty() ? ""
                               : fmt::format(
                                     "; {} elsewhere, or where no region is told, from {}/h "
                                     "({} at {}, {})",
                                     kind_in_words(std::string(name_of(offers[0]->kind))),
                                     format_usd(hour_of(reading, *offers[0])),
                                     offers[0]->accelerator, offers[0]->provider, offers[0]->date);
    }
    // What was said last is given up first: the kind of price, then the region, then the provider.
    reading.price_kind.clear();
    if (reading.alternatives_of == "price_kind") {
        reading.alternatives_of.clear();
        reading.alternatives.clear();
    }
    for (const std::string_view wider : {is_country(reading.region) ? "eu" : "", ""}) {
        if (std::ranges::none_of(offers_of(reading, catalog), lasts)) {
            reading.region = wider;
        }
    }
    if (std::ranges::none_of(offers_of(reading, catalog), lasts)) {
        reading.providers.clear();
    }
    for (const Offer* offer : offers_of(reading, catalog)) {
        if (lasts(offer)) {
            const double usd = hour_of(reading, *offer);
            reply.values.push_back({"rent", usd, usd, {}, "USD/h", offer->provider});
            const int count = std::max(reading.count.value_or(1), offer->count);
            const double period = hours_of_period(reading);
            return words +
                   fmt::format("; otherwise from {}/h ({}{} at {}, {}, {}){}", format_usd(usd),
                               count > 1 ? fmt::format("{} x ", count) : "", offer->accelerator,
                               offer->provider, name_of(offer->kind), offer->date,
                               period > 0
                                   ? fmt::format(", {} {}", money_words(reading, period * usd),
                                                 period_words(reading, period))
                                   : "");
        }
    }
    return words;
}

/// "runpod, on demand, 2026-05, as 4 machines of 1": where the cheapest offer is from.
std::string source_words(const Reading& reading, const Offer& offer) {
    const bool shared = !reading.count && offer.count > 1;  // nobody rents one of it
    const std::string instances = shared ? fmt::format("a share of a machine of {}", offer.count)
                                         : instances_words(reading, offer);
    return fmt::format("{}, {}, {}{}", offer.provider, name_of(offer.kind), offer.date,
                       instances.empty() ? "" : ", " + instances);
}

/// "Rent 8 x h100 from $25.60/h, $3.20 each (hyperstack, on_demand, 2026-08-26), to $70.56/h;
/// on a marketplace from $15.92/h (h100-pcie-80gb, runpod, 2026-11-09)": a kind beside another.
std::string range_words(const Reading& reading, const std::vector<const Offer*>& offers) {
    const int count = reading.count.value_or(1);
    const auto kinds = cheapest_of_kinds(reading, offers);
    const Offer& cheapest = *kinds.front();
    const auto dearest = std::find_if(offers.rbegin(), offers.rend(), [&](const Offer* offer) {
        return offer->kind == cheapest.kind;
    });
    const std::string low = money_words(reading, hour_of(reading, cheapest));
    const std::string high = money_words(reading, hour_of(reading, **dearest));
    const bool range = low != high;
    std::string words =
        count > 1
            ? fmt::format(
                  "Rent {} x {} {}{}/h, {} each ({}){}", count, cheapest.accelerator,
                  range ? "from " : "for ", low, format_usd(hour_of(reading, cheapest) / count),
                  source_words(reading, cheapest), range ? fmt::format(", to {}/h", high) : "")
            : fmt::format("Rent {}{}/h for each {} ({}){}", range ? "from " : "for ", low,
                          cheapest.accelerator, source_words(reading, cheapest),
                          range ? fmt::format(" to {}/h", high) : "");
    for (auto other = kinds.begin() + 1; other != kinds.end(); ++other) {
        words += fmt::format(
            "; {} from {}/h ({}{}, {})", kind_in_words(std::string(name_of((*other)->kind))),
            money_words(reading, hour_of(reading, **other)),
            (*other)->accelerator == cheapest.accelerator ? "" : (*other)->accelerator + ", ",
            (*other)->provider, (*other)->date);
    }
    return words;
}

}  // namespace

std::string keep_to_limit(const Reading& reading, std::vector<const Offer*>& offers) {
    if (!reading.usd_per_hour || asks(reading, "good_price") || offers.empty()) {
        return {};
    }
    const double most =
        *reading.usd_per_hour * (reading.hourly_each ? reading.count.value_or(1) : 1);
    std::vector<const Offer*> within;
    std::copy_if(offers.begin(), offers.end(), std::back_inserter(within),
                 [&](const Offer* offer) { return hour_of(reading, *offer) <= most; });
    if (within.empty()) {
        return fmt::format("None is listed at {}/h or less. ", format_usd(most));
    }
    offers = std::move(within);
    return {};
}

namespace {

/// "a3-highgpu-8g is $88.49/h on demand (gcp, us-central1, 2026-08-03), elsewhere to $127/h; as
/// spot from $25.91/h": who asks for an instance pays what it is listed for where that is least.
std::string instance_words(const Reading& reading, const Offer& steady,
                           const std::vector<const Offer*>& offers) {
    const double hour = hour_of(reading, steady);
    const int count = reading.count.value_or(1);
    double dearest = hour;
    for (const Offer* offer : offers) {
        dearest =
            offer->kind == steady.kind ? std::max(dearest, hour_of(reading, *offer)) : dearest;
    }
    return fmt::format(
        "Rent {} x {} for {}/h{} ({}{}, {}, {}){}; as spot from {}/h", count, steady.accelerator,
        format_usd(hour), count > 1 ? fmt::format(", {} each", format_usd(hour / count)) : "",
        steady.provider, steady.region.empty() ? "" : " " + steady.region, name_of(steady.kind),
        steady.date, dearest > hour ? fmt::format(", elsewhere to {}/h", format_usd(dearest)) : "",
        format_usd(hour_of(reading, *offers.front())));
}

}  // namespace

void add_rents(const Reading& reading, const std::vector<const Offer*>& offers,
               const std::string& limit, const Catalog& catalog, Answer& reply) {
    const Offer& cheapest = *offers.front();
    const Offer& dearest = *offers.back();
    const Offer& steady = steady_of(offers);
    const auto alike = of_kind(offers, steady.kind);
    const Offer& usual = reading.best_only ? cheapest : *alike[alike.size() / 2];
    const bool instance =
        !reading.instances.empty() && reading.price_kind.empty() && &steady != &cheapest;
    const Offer& first = reading.best_only ? cheapest : steady;
    reply.values.push_back({"rent", hour_of(reading, cheapest),
                            hour_of(reading, instance ? steady : usual), hour_of(reading, dearest),
                            "USD/h", ""});
    reply.choice =
        AnswerChoice{.accelerator = first.accelerator,
                     .count = first.count,
                     .usd_per_hour = first.usd_per_hour,
                     .why = fmt::format("{} {} of {}, {}", first.provider, first.instance_type,
                                        first.date, name_of(first.kind))};
    reply.headline = cheaper_provider(reading, offers);
    if (reply.headline.empty()) {
        reply.headline =
            instance ? instance_words(reading, steady, offers) : range_words(reading, offers);
    }
    reply.headline = limit + reply.headline;
    reply.headline += instance ? std::string() : rent_totals(reading, offers);
    if (hours_of_period(reading) > 0) {
        add_cost_of_time(reading, offers, reply);
    }
    if (asks(reading, "price_kinds")) {
        reply.headline = kinds_apart(reading, offers, catalog) + reply.headline;
    }
}

std::string no_rent_words(const Reading& reading, const Catalog& catalog, Answer& reply) {
    const bool kinds = reading.alternatives_of == "price_kind";
    const bool rents = kinds || (!reading.price_kind.empty() && reading.price_kind != "purchase");
    if (reading.providers.empty() && reading.region.empty() && !reading.usd_per_hour &&
        !asks(reading, "per_month") && !rents) {
        return {};
    }
    const std::string most =
        reading.usd_per_hour ? fmt::format(" at {}/h or less", format_usd(*reading.usd_per_hour))
                             : std::string();
    const bool forms = assumed_of(reading, "accelerators") != nullptr;
    const std::string market =
        reading.price_kind == "reserved" || (kinds && is_among("reserved", reading.alternatives))
            ? contract_words(reading, catalog)
            : std::string();
    return fmt::format("No {}offer of {}{}{}{} is in the catalog{}{}",
                       kinds                        ? joined(reading.alternatives, " or ") + " "
                       : reading.price_kind.empty() ? ""
                                                    : reading.price_kind + " ",
                       forms || reading.accelerators.empty() ? "it" : reading.accelerators.front(),
                       reading.providers.empty() ? "" : " by " + reading.providers.front(),
                       reading.region.empty() ? "" : " in " + reading.region, most, market,
                       offered_otherwise(reading, catalog, reply));
}

}  // namespace ridgeline
