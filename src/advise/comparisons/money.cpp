#include "advise/comparisons/side.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// What the sides of a comparison cost, rented and bought.

namespace ridgeline {
namespace {

/// "p5.48xlarge is $55.04/h (aws, on_demand, 2026-07-20)", of the instances that were named.
std::string instance_words(const ComparedSide& one, const ComparedSide& two,
                           const Catalog& catalog) {
    std::string words;
    for (const ComparedSide* side : {&one, &two}) {
        if (side->side == nullptr || side->side->instance.empty()) {
            continue;
        }
        const Offer* offer = offer_of_instance(catalog, *side->side);
        words += offer == nullptr ? fmt::format(" No price of {} is listed.", side->side->instance)
                                  : fmt::format(" {} is {}/h ({}, {}, {}).", offer->instance_type,
                                                format_usd(offer->usd_per_hour), offer->provider,
                                                name_of(offer->kind), offer->date);
    }
    return words;
}

bool loads_differ(const ComparedSide& one, const ComparedSide& two) {
    return one.busy_with != two.busy_with && std::max(one.busy_with, two.busy_with) > 1;
}

/// "Rented and kept busy (64 at once)": the rates beside it are those of one.
std::string busy_words(std::string_view rented, const ComparedSide& one, const ComparedSide& two) {
    return std::string(rented) + (loads_differ(one, two) ? " and each kept as busy as it can be"
                                  : one.busy_with > 1
                                      ? fmt::format(" and kept busy ({:g} at once)", one.busy_with)
                                      : "");
}

/// The least for one accelerator by an instance that holds more than the side; null: there is none.
const Offer* larger_instance(const ComparedSide& side, const Catalog& catalog) {
    const Offer* best = nullptr;
    for (const Offer& offer : catalog.offers) {
        const bool larger = offer.accelerator == side.part->id && offer.count > side.count &&
                            offer.kind != PriceKind::spot;
        best = larger && (best == nullptr ||
                          offer.usd_per_accelerator_hour() < best->usd_per_accelerator_hour())
                   ? &offer
                   : best;
    }
    return best;
}

/// "no rent of 2 x A is listed", or in what number it is rented out.
std::string not_rented_words(const ComparedSide& side, const Catalog& catalog) {
    const Offer* larger = larger_instance(side, catalog);
    const Offer* one = offer_for(catalog, make_cluster(catalog, *side.part, 1, 0, nullptr), "");
    return one != nullptr && one->count == 1
               ? fmt::format("no machine of {} is rented out (one is {}/h)", words_of(side),
                             format_usd(one->usd_per_hour))
           : larger == nullptr ? fmt::format("no rent of {} is listed", words_of(side))
                               : fmt::format("{} is rented by {} ({}/h, {} each)", side.part->name,
                                             larger->count, format_usd(larger->usd_per_hour),
                                             format_usd(larger->usd_per_accelerator_hour()));
}

}  // namespace

std::string money_words(const ComparedSide& best, const ComparedSide& other, const Catalog& catalog,
                        const ComparedSide* third, bool only_two) {
    const std::string instances = instance_words(best, other, catalog);
    // At home both are bought, whether they can be rented or not.
    const bool home = is_home(*best.part) && is_home(*other.part);
    const std::string bought = home ? bought_words(best, other, catalog) : std::string();
    if (best.usd && other.usd) {
        const bool same =
            std::max(*best.usd, *other.usd) < same_rate_within * std::min(*best.usd, *other.usd);
        const ComparedSide& cheap = *best.usd <= *other.usd ? best : other;
        const ComparedSide& dear = *best.usd <= *other.usd ? other : best;
        // What is made slowly is counted in thousands.
        constexpr double most_a_million = 500;
        const bool slow = best.made != "tokens" && *cheap.usd > most_a_million;
        const double scale = slow ? 1e-3 : 1;
        const std::string unit = fmt::format("a {} {}", slow ? "thousand" : "million", best.made);
        const bool told = cheap.side != nullptr && cheap.side->usd_per_hour;
        const std::string busy = busy_words(told ? "At the rents told" : "Rented", cheap, dear);
        const auto load = [&](const ComparedSide& side) {
            return loads_differ(cheap, dear)
                       ? fmt::format(" ({:g} at once)", std::max(1.0, side.busy_with))
                       : std::string();
        };
        // A number that nobody said is told.
        const auto grown = [](const ComparedSide& side) {
            return side.side != nullptr && !side.side->count && side.count > 1;
        };
        std::string words =
            same ? fmt::format("{}, {} about {} {}.", busy,
                               only_two ? std::string("both cost")
                                        : words_of(cheap) + " and " + words_of(dear) + " cost",
                               format_usd(*cheap.usd * scale), unit)
                 : fmt::format(
                       "{}, {} is the cheaper: {} {}{} against {}{}{}.", busy, words_of(cheap),
                       format_usd(*cheap.usd * scale), unit, load(cheap),
                       format_usd(*dear.usd * scale), load(dear),
                       grown(dear) && third == nullptr ? " of " + words_of(dear) : std::string());
        if (third != nullptr && third->usd) {
            words.back() = same ? ',' : ' ';
            words += same
                         ? fmt::format(" {} {}.", words_of(*third), format_usd(*third->usd * scale))
                         : fmt::format("of {} and {} of {}.", words_of(dear),
                                       format_usd(*third->usd * scale), words_of(*third));
        }
        if (loads_differ(cheap, dear) && cheap.usd_alike && dear.usd_alike) {
            words += fmt::format(" At {:g} at once on each it is {} against {}.", cheap.alike_with,
                                 format_usd(*cheap.usd_alike * scale),
                                 format_usd(*dear.usd_alike * scale));
        }
        words += bought;
        return instances.empty() ? words : instances.substr(1) + " " + words;
    }
    if (!instances.empty()) {
        return instances.substr(1);
    }
    if (!bought.empty()) {
        return bought.substr(1);
    }
    if (best.usd || other.usd) {
        const ComparedSide& known = best.usd ? best : other;
        const ComparedSide& open = best.usd ? other : best;
        return fmt::format("{}, {} is {} a million {}; {}.", busy_words("Rented", known, known),
                           words_of(known), format_usd(*known.usd), known.made,
                           not_rented_words(open, catalog));
    }
    const auto one = purchase_price(catalog, *best.part);
    const auto two = purchase_price(catalog, *other.part);
    return one && two && one->current && two->current
               ? fmt::format("To buy, {} against {}.", format_usd(best.count * one->usd_each),
                             format_usd(other.count * two->usd_each))
               : std::string();
}

std::string kinds_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog) {
    std::string words;
    bool asked = false;
    for (const ComparedSide* side : {&one, &two}) {
        const std::string kind = side->side == nullptr ? "" : side->side->price_kind;
        asked = asked || !kind.empty();
        const std::string shown = kind == "on_demand" ? "on demand" : kind;
        const double hour = rent_of_side(*side, catalog);
        const auto market = contract_of(*side, catalog);
        const Offer* offer =
            offer_for(catalog, make_cluster(catalog, *side->part, side->count, 0, nullptr), kind);
        words += fmt::format("{}{}{}{}", words.empty() ? "" : ", ", words_of(*side),
                             shown.empty() ? "" : " ", shown);
        words += hour <= 0 ? std::string(": no such offer is listed")
                           : fmt::format(" is {}/h, {} a month ({})", format_usd(hour),
                                         format_usd(hour * hours_of_a_month),
                                         offer != nullptr ? offer->provider + ", " + offer->date
                                         : market         ? market->provider + ", none is listed"
                                                          : std::string("as told"));
    }
    return asked ? words + "." : std::string();
}

std::string bought_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog) {
    const auto first = purchase_price(catalog, *one.part);
    const auto second = purchase_price(catalog, *two.part);
    return first && second && first->current && second->current
               ? fmt::format(" To buy, {} cost{} {} ({}), {} {} ({}).", words_of(one),
                             one.count == 1 ? "s" : "", format_usd(one.count * first->usd_each),
                             purchase_words(*first), words_of(two),
                             format_usd(two.count * second->usd_each), purchase_words(*second))
               : std::string();
}

std::string value_words(const ComparedSide& one, const ComparedSide& two, std::string_view what,
                        const Catalog& catalog) {
    const auto price_of = [&](const ComparedSide& side) {
        if (side.side != nullptr && side.side->usd_told > 0) {
            return side.side->usd_told;
        }
        const auto price =
            stands_at_a_desk(*side.part) ? purchase_price(catalog, *side.part) : std::nullopt;
        return price && price->current ? side.count * price->usd_each : 0;
    };
    const bool bought = price_of(one) > 0 && price_of(two) > 0;
    const double first = bought ? price_of(one) : rent_of_side(one, catalog);
    const double second = bought ? price_of(two) : rent_of_side(two, catalog);
    if (first <= 0 || second <= 0 || one.score <= 0 || two.score <= 0) {
        return {};
    }
    const double unit = bought ? 1000 : 1;  // dollars, or of rent an hour
    const std::string_view each = bought ? "for each $1,000" : "for each dollar an hour";
    const std::string_view hourly = bought ? "" : "/h";
    const double a = one.score / first * unit;
    const double b = two.score / second * unit;
    if (std::max(a, b) < same_rate_within * std::min(a, b)) {
        return fmt::format("About the same value{}: {} {} {}.", what, figure_words(a),
                           one.told_measure(), each);
    }
    const bool is_one = a > b;
    return fmt::format("Better value{}: {} at {}{}, {} against {} {} {} ({} is {}{}).", what,
                       words_of(is_one ? one : two), format_usd(is_one ? first : second), hourly,
                       figure_words(std::max(a, b)), figure_words(std::min(a, b)),
                       one.told_measure(), each, words_of(is_one ? two : one),
                       format_usd(is_one ? second : first), hourly);
}

std::string above_sum_words(double sum, std::initializer_list<const ComparedSide*> sides,
                            const Catalog& catalog) {
    std::string words;
    for (const ComparedSide* side : sides) {
        const auto price =
            stands_at_a_desk(*side->part) ? purchase_price(catalog, *side->part) : std::nullopt;
        const double usd = price && price->current ? side->count * price->usd_each : 0;
        if (usd > sum) {
            words += fmt::format(" {} is {}, above the {} asked.", words_of(*side), format_usd(usd),
                                 format_usd(sum));
        }
    }
    return words;
}

std::string rents_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog) {
    std::string words;
    for (const ComparedSide* side : {&one, &two}) {
        const double rent = rent_of_side(*side, catalog);
        const Offer* larger = rent > 0 ? nullptr : larger_instance(*side, catalog);
        if (rent <= 0 && larger == nullptr) {
            return {};
        }
        words += words.empty() ? " Rent from " : " against ";
        words += larger == nullptr
                     ? format_usd(rent) + "/h"
                     : fmt::format("{}/h for {}", format_usd(larger->usd_per_hour), larger->count);
    }
    return words + ".";
}

}  // namespace ridgeline
