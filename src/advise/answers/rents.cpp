#include "advise/answers/rents.h"

#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Rents by provider, number and time.

namespace ridgeline {
namespace {

/// Dollars an hour for the number that was said, by whole instances; for one where none was.
double hour_of(const Reading& reading, const Offer& offer) {
    return reading.count ? rent_of(offer, *reading.count) : offer.usd_per_accelerator_hour();
}

/// "as 4 machines of 1", "of a whole machine of 8": how an offer comes to the number; empty: it is
/// listed so.
std::string instances_words(const Reading& reading, const Offer& offer) {
    const int count = reading.count.value_or(offer.count);
    return offer.count == count  ? ""
           : offer.count > count ? fmt::format("a whole machine of {}", offer.count)
                                 : fmt::format("{:g} machines of {}",
                                               std::ceil(1.0 * count / offer.count), offer.count);
}

/// Where nobody lists the number on one machine: what one that holds it costs, if the cheapest is
/// of several.
std::string machines_words(const Reading& reading, const std::vector<const Offer*>& offers) {
    const int count = reading.count.value_or(1);
    const auto whole = std::find_if(offers.begin(), offers.end(),
                                    [&](const Offer* offer) { return offer->count >= count; });
    return offers.front()->count >= count || whole == offers.end() || (*whole)->count > 8
               ? ""
               : fmt::format("; on one machine {}/h ({}, {}, {})",
                             format_usd(hour_of(reading, **whole)), (*whole)->provider,
                             name_of((*whole)->kind), instances_words(reading, **whole));
}

/// The parts of a question that names different ones, no forms of one family.
std::vector<std::string> several_kinds(const Reading& reading) {
    const bool forms =
        std::any_of(reading.assumed.begin(), reading.assumed.end(),
                    [](const AssumedField& each) { return each.field == "accelerators"; });
    return forms || reading.accelerators.size() < 2 ? std::vector<std::string>{}
                                                    : reading.accelerators;
}

/// What the rent comes to for the number, the time or the month that was said, and at each provider
/// where several were. Spot is taken away at any time, so that it stands for none of these while
/// there is another.
std::string rent_totals(const Reading& reading, const std::vector<const Offer*>& offers) {
    const auto lasting = std::find_if(offers.begin(), offers.end(), [](const Offer* offer) {
        return offer->kind != PriceKind::spot;
    });
    const Offer& steady = lasting == offers.end() ? *offers.front() : **lasting;
    const std::string kind = &steady == offers.front()
                                 ? std::string()
                                 : fmt::format(" ({}, {})", steady.provider, name_of(steady.kind));
    const int count = reading.count.value_or(1);
    const double hour = hour_of(reading, steady);
    std::string words = machines_words(reading, offers);
    if (count > 1 && !kind.empty()) {
        words += fmt::format("; {}/h{}", format_usd(hour),
                             kind);  // the first is spot, which may be taken away
    }
    for (const std::string& id : several_kinds(reading)) {
        const auto own = std::find_if(offers.begin(), offers.end(),
                                      [&](const Offer* offer) { return offer->accelerator == id; });
        if (own != offers.end()) {
            words += fmt::format("; {} from {}/h ({}, {})", id,
                                 format_usd((*own)->usd_per_accelerator_hour()), (*own)->provider,
                                 name_of((*own)->kind));
        }
    }
    for (const std::string& name : reading.providers) {
        const auto own = std::find_if(offers.begin(), offers.end(),
                                      [&](const Offer* offer) { return offer->provider == name; });
        if (reading.providers.size() > 1 && own != offers.end()) {
            words += fmt::format("; {} from {}/h ({}, {})", name,
                                 format_usd((*own)->usd_per_accelerator_hour()),
                                 (*own)->accelerator, name_of((*own)->kind));
        } else if (reading.providers.size() > 1) {
            words += fmt::format("; none of {} is listed", name);
        }
    }
    if (asks(reading, "per_month")) {
        words += fmt::format(
            ", {} a month for {}{}{}",
            format_usd(hour * hours_of_a_month * reading.hours_per_day.value_or(24) / 24), count,
            kind,
            reading.hours_per_day ? fmt::format(" at {:.3g} hours a day", *reading.hours_per_day)
                                  : "");
    }
    if (reading.months) {
        words +=
            fmt::format(", {} over {}{}", format_usd(hour * hours_of_a_month * *reading.months),
                        months_words(*reading.months), kind);
    }
    return words;
}

/// "on demand", "as spot": how an hour of that kind is had.
std::string kind_in_words(const std::string& kind) {
    return kind == "on_demand" ? "on demand" : kind == "spot" ? "as spot" : kind;
}

/// The cheapest of each kind, of one provider and of one part, so that nothing else differs: the
/// part that has most of the kinds. Nothing stands for a kind that is not listed.
std::vector<const Offer*> offers_of_kinds(const std::vector<std::string>& kinds,
                                          const std::vector<const Offer*>& offers,
                                          const std::string& provider) {
    std::vector<const Offer*> best(kinds.size(), nullptr);
    const auto known = [](const std::vector<const Offer*>& each) {
        return static_cast<std::ptrdiff_t>(each.size()) -
               std::count(each.begin(), each.end(), nullptr);
    };
    for (const Offer* first : offers) {
        if (!provider.empty() && first->provider != provider) {
            continue;
        }
        std::vector<const Offer*> own;
        for (const std::string& kind : kinds) {
            const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer* each) {
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

/// "At gcp an hour of l4 costs $0.71 on demand and $0.31 as spot, $0.40 (56 %) less": of one
/// provider.
std::string kinds_in_words(const std::vector<std::string>& kinds,
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
    return words + (spot ? "; spot may be taken away at any time. " : ". ");
}

/// "spot vs on demand", "spot, and reserved too": each kind of the part, at each provider that was
/// named.
std::string kinds_apart(const Reading& reading, const std::vector<const Offer*>& offers) {
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
            std::any_of(own.begin(), own.end(), [](const Offer* each) { return each != nullptr; });
        words += any ? kinds_in_words(kinds, own) : "";
    }
    return words;
}

/// What a time on it costs, first of all: that is what was asked. Spot leads only where nothing
/// lasts.
void add_cost_of_time(const Reading& reading, const std::vector<const Offer*>& offers,
                      Answer& reply) {
    std::vector<const Offer*> lasting;
    std::copy_if(offers.begin(), offers.end(), std::back_inserter(lasting),
                 [](const Offer* offer) { return offer->kind != PriceKind::spot; });
    const auto& considered = lasting.empty() ? offers : lasting;
    const auto usd = [&](const Offer* offer) {
        return *reading.deadline_s / 3600 * hour_of(reading, *offer);
    };
    const Offer* cheapest = considered.front();
    const AnswerValue cost{"cost",
                           usd(cheapest),
                           usd(considered[considered.size() / 2]),
                           usd(considered.back()),
                           "USD",
                           ""};
    reply.values.insert(reply.values.begin(), cost);
    reply.headline = fmt::format(
        "{} hours of {} x {} cost from {} ({}, {}) to {}, the middle offer {}. {}",
        figure_words(*reading.deadline_s / 3600), reading.count.value_or(1), cheapest->accelerator,
        format_usd(*cost.low), cheapest->provider, name_of(cheapest->kind), format_usd(*cost.high),
        format_usd(*cost.mid), reply.headline);
}

/// Of providers that were named the cheaper one for the same part, by what lasts: the part that
/// most of them rent out.
std::string cheaper_provider(const Reading& reading, const std::vector<const Offer*>& offers) {
    std::vector<const Offer*> best;
    for (const std::string& id : reading.accelerators) {
        std::vector<const Offer*> own;
        for (const std::string& name : reading.providers) {
            const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer* offer) {
                return offer->provider == name && offer->accelerator == id &&
                       (offer->kind != PriceKind::spot || reading.price_kind == "spot");
            });
            if (found != offers.end()) {
                own.push_back(*found);
            }
        }
        best = own.size() > best.size() ? own : best;
    }
    if (best.size() < 2) {
        return {};
    }
    stable_order(best.begin(), best.end(), [&](const Offer* a, const Offer* b) {
        return hour_of(reading, *a) < hour_of(reading, *b);
    });
    std::string words =
        fmt::format("{} is the cheapest for {}{}:", best.front()->provider,
                    reading.count ? fmt::format("{} x ", *reading.count) : std::string(),
                    best.front()->accelerator);
    for (const Offer* offer : best) {
        words += fmt::format(
            "{} {}/h{}, {}", offer == best.front() ? "" : ",", format_usd(hour_of(reading, *offer)),
            offer == best.front() ? std::string() : " at " + offer->provider, name_of(offer->kind));
    }
    return words + ". ";
}

/// What is listed where the kind of price, the provider or the region that was said is not: the
/// cheapest, which lasts.
std::string offered_otherwise(Reading reading, const Catalog& catalog) {
    reading.price_kind.clear();
    reading.providers.clear();
    reading.region.clear();
    for (const Offer* offer : offers_of(reading, catalog)) {
        if (offer->kind != PriceKind::spot) {
            return fmt::format("; otherwise from {}/h ({} at {}, {}, {})",
                               format_usd(hour_of(reading, *offer)), offer->accelerator,
                               offer->provider, name_of(offer->kind), offer->date);
        }
    }
    return {};
}

/// "runpod, on demand, 2026-05, as 4 machines of 1": where the cheapest offer is from.
std::string source_words(const Reading& reading, const Offer& offer) {
    const std::string instances = instances_words(reading, offer);
    return fmt::format("{}, {}, {}{}", offer.provider, name_of(offer.kind), offer.date,
                       instances.empty() ? "" : ", " + instances);
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

void add_rents(const Reading& reading, const std::vector<const Offer*>& offers,
               const std::string& limit, Answer& reply) {
    const Offer& cheapest = *offers.front();
    const Offer& usual = reading.best_only ? cheapest : *offers[offers.size() / 2];
    const Offer& dearest = *offers.back();
    reply.values.push_back({"rent", hour_of(reading, cheapest), hour_of(reading, usual),
                            hour_of(reading, dearest), "USD/h", ""});
    AnswerChoice choice;
    choice.accelerator = cheapest.accelerator;
    choice.count = cheapest.count;
    choice.usd_per_hour = cheapest.usd_per_hour;
    choice.why = fmt::format("{} {} of {}, {}", cheapest.provider, cheapest.instance_type,
                             cheapest.date, name_of(cheapest.kind));
    reply.choice = choice;
    const int count = reading.count.value_or(1);
    reply.headline =
        count > 1
            ? fmt::format("Rent {} x {} from {}/h, {} each ({}), to {}/h", count,
                          cheapest.accelerator, format_usd(hour_of(reading, cheapest)),
                          format_usd(hour_of(reading, cheapest) / count),
                          source_words(reading, cheapest), format_usd(hour_of(reading, dearest)))
            : fmt::format("Rent from {}/h for each {} ({}) to {}/h",
                          format_usd(cheapest.usd_per_accelerator_hour()), cheapest.accelerator,
                          source_words(reading, cheapest),
                          format_usd(dearest.usd_per_accelerator_hour()));
    if (asks(reading, "price_kinds")) {
        reply.headline = kinds_apart(reading, offers) + reply.headline;
    }
    reply.headline = limit + cheaper_provider(reading, offers) + reply.headline;
    reply.headline += rent_totals(reading, offers);
    if (reading.months) {
        const double hours = hours_of_a_month * *reading.months;
        reply.values.push_back({"cost", hours * hour_of(reading, cheapest),
                                hours * hour_of(reading, usual), hours * hour_of(reading, dearest),
                                "USD", ""});
    }
    if (reading.deadline_s) {
        add_cost_of_time(reading, offers, reply);
    }
}

std::string no_rent_words(const Reading& reading, const Catalog& catalog) {
    const bool rents = !reading.price_kind.empty() && reading.price_kind != "purchase";
    if (reading.providers.empty() && reading.region.empty() && !reading.usd_per_hour &&
        !asks(reading, "per_month") && !rents) {
        return {};
    }
    const std::string most =
        reading.usd_per_hour ? fmt::format(" at {}/h or less", format_usd(*reading.usd_per_hour))
                             : std::string();
    return fmt::format("No {}offer of {}{}{}{} is in the catalog{}",
                       reading.price_kind.empty() ? "" : reading.price_kind + " ",
                       reading.accelerators.empty() ? "it" : reading.accelerators.front(),
                       reading.providers.empty() ? "" : " by " + reading.providers.front(),
                       reading.region.empty() ? "" : " in " + reading.region, most,
                       offered_otherwise(reading, catalog));
}

}  // namespace ridgeline
