#include "advise/answer.h"
#include "advise/listings.h"
#include "advise/offers.h"
#include "advise/plans.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Replies about prices: rents by provider and number, and what is asked for a part that is sold.

namespace ridgeline {
namespace {

std::string lower_first(std::string text) {
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    }
    return text;
}

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

/// "spot vs on demand": both of the part that has both, and what is between them.
std::string kinds_apart(const std::vector<const Offer*>& offers) {
    const auto cheapest = [&](const std::string& part, const std::string& provider,
                              PriceKind kind) {
        const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer* each) {
            return each->kind == kind && each->accelerator == part &&
                   (provider.empty() || each->provider == provider);
        });
        return found == offers.end() ? nullptr : *found;
    };
    for (const Offer* spot : offers) {
        if (spot->kind != PriceKind::spot) {
            continue;
        }
        // Of one provider, so that nothing else differs.
        const Offer* lasting = cheapest(spot->accelerator, spot->provider, PriceKind::on_demand);
        if (lasting == nullptr) {
            continue;
        }
        const double low = spot->usd_per_accelerator_hour();
        const double high = lasting->usd_per_accelerator_hour();
        return fmt::format(
            "At {} an hour of {} costs {} on demand and {} as spot, {} ({:.0f} %) {}; spot may be "
            "taken away at any time. ",
            spot->provider, spot->accelerator, format_usd(high), format_usd(low),
            format_usd(std::abs(high - low)), 100 * std::abs(1 - low / high),
            low <= high ? "less" : "more");
    }
    const bool any = std::any_of(offers.begin(), offers.end(),
                                 [](const Offer* each) { return each->kind == PriceKind::spot; });
    return any ? "No provider lists both kinds of it. " : "No spot rent of it is listed. ";
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

}  // namespace

namespace {

/// Leaves what costs no more an hour than was said; where nothing does, all is left and that is
/// said first.
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

/// "$1,999 at its launch (msrp 2025-01)": what its maker asked for it.
std::string list_price_words(const Accelerator& part) {
    for (const ListedPrice& listed : part.prices) {
        if (lower(listed.kind).find("msrp") != std::string::npos) {
            return fmt::format("The list price of {} is {} ({} {}); ", part.id,
                               format_usd(listed.usd), listed.kind, listed.date);
        }
    }
    return fmt::format("No list price of {} is in the catalog; ", part.id);
}

/// Modules are sold in whole servers: ", about $544,000 with their server"; nothing for cards and
/// for the price of a system.
std::string server_words(const Catalog& catalog, const Accelerator& part,
                         const PurchasePrice& price, int count) {
    constexpr int board = 8;
    const OwnershipFigure* ratio = catalog.ownership.figure("server_cost_ratio");
    if (!is_module(part) || price.basis == PurchaseBasis::system || count < board ||
        ratio == nullptr || !ratio->value) {
        return {};
    }
    constexpr double round_to = 1000;
    return fmt::format(
        ", about {} with {} server{}",
        format_usd(std::round(price.usd_each * count * *ratio->value / round_to) * round_to),
        count > board ? "their" : "its", count > board ? "s" : "");
}

/// ", 3,695 euro": the first sum in the currency that was asked for.
std::string in_asked_currency(const Reading& reading, const Answer& reply) {
    if (reading.currency.empty() || reply.values.empty() || !reply.values.front().mid) {
        return {};
    }
    return fmt::format(", {} {}",
                       figure_words(*reply.values.front().mid / reading.usd_per_currency),
                       reading.currency);
}

}  // namespace

Answer reply_price(const Reading& reading, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    auto offers = offers_of(reading, catalog);
    Answer reply;
    const std::string limit = keep_to_limit(reading, offers);
    const int count = reading.count.value_or(1);
    if (asks(reading, "good_price")) {
        return reply_good_price(reading, offers, catalog);
    }
    if (!offers.empty()) {
        const Offer& cheapest = *offers.front();
        const Offer& middle = *offers[offers.size() / 2];
        const Offer& dearest = *offers.back();
        reply.values.push_back({"rent", hour_of(reading, cheapest),
                                hour_of(reading, reading.best_only ? cheapest : middle),
                                hour_of(reading, dearest), "USD/h", ""});
        AnswerChoice choice;
        choice.accelerator = cheapest.accelerator;
        choice.count = cheapest.count;
        choice.usd_per_hour = cheapest.usd_per_hour;
        choice.why = fmt::format("{} {} of {}, {}", cheapest.provider, cheapest.instance_type,
                                 cheapest.date, name_of(cheapest.kind));
        reply.choice = choice;
        const std::string instances = instances_words(reading, cheapest);
        const std::string source =
            fmt::format("{}, {}, {}{}", cheapest.provider, name_of(cheapest.kind), cheapest.date,
                        instances.empty() ? "" : ", " + instances);
        reply.headline =
            count > 1
                ? fmt::format("Rent {} x {} from {}/h, {} each ({}), to {}/h", count,
                              cheapest.accelerator, format_usd(hour_of(reading, cheapest)),
                              format_usd(hour_of(reading, cheapest) / count), source,
                              format_usd(hour_of(reading, dearest)))
                : fmt::format("Rent from {}/h for each {} ({}) to {}/h",
                              format_usd(cheapest.usd_per_accelerator_hour()), cheapest.accelerator,
                              source, format_usd(dearest.usd_per_accelerator_hour()));
        if (asks(reading, "price_kinds")) {
            reply.headline = kinds_apart(offers) + reply.headline;
        }
        reply.headline = limit + cheaper_provider(reading, offers) + reply.headline;
        reply.headline += rent_totals(reading, offers);
        if (reading.deadline_s) {
            add_cost_of_time(reading, offers, reply);
        }
    } else if (!reading.providers.empty() || !reading.region.empty() || reading.usd_per_hour ||
               asks(reading, "per_month") ||
               (!reading.price_kind.empty() && reading.price_kind != "purchase")) {
        std::string wanted = reading.price_kind.empty() ? "" : reading.price_kind + " ";
        reply.headline = "No " + wanted + "offer of " +
                         (reading.accelerators.empty() ? "it" : reading.accelerators.front()) +
                         (reading.providers.empty() ? "" : " by " + reading.providers.front()) +
                         (reading.region.empty() ? "" : " in " + reading.region) +
                         (reading.usd_per_hour
                              ? fmt::format(" at {}/h or less", format_usd(*reading.usd_per_hour))
                              : "") +
                         " is in the catalog" + offered_otherwise(reading, catalog);
    }
    const bool buys = reading.price_kind == "purchase" || reading.buy;
    const std::string rents = buys ? std::exchange(reply.headline, "") : "";
    bool known = false;
    // Hardware for a number of hours is rented.
    const bool for_a_time = (reading.deadline_s || reading.rents_only) && !buys && !offers.empty();
    const std::vector<std::string> nothing;
    for (const std::string& id : for_a_time ? nothing : reading.accelerators) {
        const Accelerator* part = catalog.accelerator(id);
        const auto price = part == nullptr ? std::nullopt : purchase_price(catalog, *part);
        if (!price) {
            continue;
        }
        reply.values.push_back({"purchase", price->low * count, price->usd_each * count,
                                price->high * count, "USD", id});
        if (asks(reading, "used") && !price->used) {
            reply.headline += fmt::format("{}no used price of {} is in the catalog, new it was ",
                                          reply.headline.empty() ? "" : "; ", id);
        }
        if (asks(reading, "list_price")) {
            reply.headline += (reply.headline.empty() ? "" : "; ") + list_price_words(*part);
        }
        reply.headline +=
            fmt::format("{}{} to buy {}{} ({})",
                        reply.headline.empty() || reply.headline.ends_with(' ') ? "" : "; ",
                        format_usd(price->usd_each * count),
                        count > 1 ? fmt::format("{} x ", count) : "", id, purchase_words(*price));
        reply.headline += buys ? server_words(catalog, *part, *price, count) : "";
        known = true;
    }
    if (buys && !known) {
        reply.headline = "No dated purchase price of it is in the catalog";
    }
    if (reply.headline.starts_with("no used")) {
        reply.headline.front() = 'N';
    }
    reply.headline += in_asked_currency(reading, reply);
    reply.headline +=
        rents.empty() ? "" : (reply.headline.empty() ? "" : "; ") + lower_first(rents);
    reply.headline += !reply.headline.empty() ? std::string(".")
                      : reading.accelerators.empty()
                          ? std::string("No price of it is known.")
                          : fmt::format("No price of {} is known.", reading.accelerators.front());
    return reply;
}

}  // namespace ridgeline
