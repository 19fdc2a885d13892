#include "advise/answers/side_rents.h"

#include "advise/answers/cheaper_provider.h"
#include "advise/answers/rents.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Rents of several kinds of hardware beside each other.

namespace ridgeline {
namespace {

/// The part of the question that each of its sides says for itself.
Reading alone(const Reading& reading, const ReadSide& side) {
    Reading one = reading;
    one.sides.clear();
    one.accelerators = side.ids.empty() ? std::vector{side.accelerator} : side.ids;
    one.count = side.count;
    one.providers = side.provider.empty() ? reading.providers : std::vector{side.provider};
    one.price_kind = side.price_kind.empty() ? reading.price_kind : side.price_kind;
    one.instances = side.instance.empty() ? std::vector<std::string>{} : std::vector{side.instance};
    return one;
}

/// What one side costs to rent.
struct SideRent {
    const Reading* side;
    Offer offer;  ///< the least on demand, while there is one (`steady_of`)
    /// Of all, of one where no number was said: of that offer, and of all that are listed.
    double usd_per_hour = 0, low = 0, middle = 0, high = 0;
};

/// What a market paid.
SideRent of_contract(const Reading& side, const Offer& contract) {
    const double usd = contract.usd_per_hour;
    return {&side, contract, usd, usd, usd, usd};
}

std::optional<SideRent> rent_of(const Reading& side, const Catalog& catalog) {
    const auto offers = offers_of(side, catalog);
    if (offers.empty()) {
        for (const std::string& id : side.accelerators) {
            const auto contract = side.price_kind == "reserved" && side.providers.empty()
                                      ? market_contract(catalog, id, side.count.value_or(1))
                                      : std::nullopt;
            if (contract) {
                return of_contract(side, *contract);
            }
        }
        return std::nullopt;
    }
    const Offer& best = steady_of(offers);
    const auto hour = [&](const Offer& offer) { return hour_of(side, offer); };
    return SideRent{&side,
                    best,
                    hour(best),
                    hour(*offers.front()),
                    hour(*offers[offers.size() / 2]),
                    hour(*offers.back())};
}

/// Dollars of the time that was said; what is reserved is paid at all hours.
double period_usd(const SideRent& rent) {
    Reading paid = *rent.side;
    if (rent.offer.kind == PriceKind::reserved) {
        paid.hours_per_day.reset();
    }
    return hours_of_period(paid) * rent.usd_per_hour;
}

/// "; on a marketplace from $1.99/h; as spot from $1.87/h": kinds that cost less.
std::string cheaper_kinds(const SideRent& rent, const std::vector<const Offer*>& offers) {
    std::string words;
    for (const Offer* offer : cheapest_of_kinds(*rent.side, offers)) {
        const double hour = hour_of(*rent.side, *offer);
        words +=
            offer->kind != rent.offer.kind && hour < rent.usd_per_hour
                ? fmt::format("; {} from {}/h", kind_in_words(std::string(name_of(offer->kind))),
                              format_usd(hour))
                : "";
    }
    return words;
}

/// "; h100-sxm5-80gb $3.20; as spot from $1.87/h": other forms of the part, and other kinds.
std::string other_rents(const SideRent& rent, const Catalog& catalog) {
    std::string words;
    const auto offers = offers_of(*rent.side, catalog);
    std::vector<std::string> told = {rent.offer.accelerator};
    for (const Offer* offer : offers) {
        if (offer->kind == rent.offer.kind && !is_among(offer->accelerator, told)) {
            told.push_back(offer->accelerator);
            words +=
                fmt::format("; {} {}", offer->accelerator, format_usd(hour_of(*rent.side, *offer)));
        }
    }
    return words + cheaper_kinds(rent, offers);
}

/// "8 x h100-sxm5-80gb (aws, p5.48xlarge, $55.04/h, on_demand 2026-11-09)".
std::string words_of(const SideRent& rent) {
    const Offer& offer = rent.offer;
    const int count = rent.side->count.value_or(1);
    return fmt::format("{}{} ({}{}, {}{} {})", count > 1 ? fmt::format("{} x ", count) : "",
                       offer.accelerator, offer.provider,
                       offer.instance_type.empty() ? "" : ", " + offer.instance_type,
                       count > 1 ? format_usd(rent.usd_per_hour) + "/h, " : "", name_of(offer.kind),
                       offer.id == "market" ? "as none is listed" : offer.date);
}

}  // namespace

std::vector<Reading> each_side(const Reading& reading, const Catalog& catalog) {
    std::vector<Reading> all;
    for (const ReadSide& side : reading.sides) {
        all.push_back(alone(reading, side));
    }
    // An instance and a machine stand for the parts in them.
    const bool parts = all.empty() && reading.instances.empty() && reading.machine.empty();
    for (const std::string& id : parts ? reading.accelerators : std::vector<std::string>{}) {
        const Accelerator* part = catalog.accelerator(id);
        // "h200 sxm vs h200 nvl" sets two forms apart, "h200" means either.
        const bool forms = assumed_of(reading, "accelerators") != nullptr;
        const auto own = std::ranges::find_if(all, [&](const Reading& each) {
            const Accelerator* first = catalog.accelerator(each.accelerators.front());
            return forms && part != nullptr && first != nullptr && same_family(*part, *first);
        });
        if (own != all.end()) {
            own->accelerators.push_back(id);
        } else {
            all.emplace_back(reading).accelerators = {id};
        }
    }
    return all.size() > 1 || !reading.sides.empty() ? all : std::vector{reading};
}

bool is_rented_plainly(const Reading& reading) {
    return reading.providers.size() < 2 && reading.instances.empty() && reading.region.empty() &&
           !reading.usd_per_hour && !reading.budget_usd && !asks(reading, "price_kinds") &&
           !asks(reading, "good_price");
}

bool asks_for_bill(const Reading& reading) {
    return hours_of_period(reading) > 0 || !reading.price_kind.empty() ||
           std::ranges::any_of(reading.sides,
                               [](const ReadSide& side) { return !side.price_kind.empty(); });
}

namespace {

/// ", $1.19/h more than the first (1.9 times)": of two that are rented alike.
std::string gap_words(const Reading& side, double first, double usd) {
    const double ratio = std::max(usd, first) / std::max(std::min(usd, first), 1e-9);
    const std::string times =
        ratio < same_rate_within ? std::string() : fmt::format(" ({:.2g} times)", ratio);
    return first <= 0 || usd <= 0 || first == usd
               ? std::string()
               : fmt::format(", {}/h {} than the first{}", money_words(side, std::abs(usd - first)),
                             usd > first ? "more" : "less", times);
}

}  // namespace

std::string rents_of_sides(const std::vector<Reading>& sides, const Catalog& catalog,
                           Answer& reply) {
    std::string words;
    double first = 0;
    for (const Reading& side : sides) {
        const auto rent = rent_of(side, catalog);
        if (!rent) {
            continue;
        }
        const std::string& part = rent->offer.accelerator;
        const double hours = hours_of_period(side);
        words +=
            fmt::format("{}{}{} {} {}/h ({}, {}, {}{}){}", words.empty() ? "Rent " : ", ",
                        side.count.value_or(1) > 1 ? fmt::format("{} x ", *side.count) : "", part,
                        rent->high > rent->usd_per_hour ? "from" : "for",
                        money_words(side, rent->usd_per_hour), rent->offer.provider,
                        name_of(rent->offer.kind), rent->offer.date, other_rents(*rent, catalog),
                        hours > 0 ? fmt::format(", {} {}", money_words(side, period_usd(*rent)),
                                                period_words(side, hours))
                                  : "");
        words += sides.size() == 2 ? gap_words(side, first, rent->usd_per_hour) : "";
        first = rent->usd_per_hour;
        reply.values.push_back({"rent", rent->low, rent->middle, rent->high, "USD/h", part});
        if (hours > 0) {
            reply.values.push_back({"cost", {}, period_usd(*rent), {}, "USD", part});
        }
        if (!reply.choice || rent->offer.usd_per_hour / rent->offer.count <
                                 *reply.choice->usd_per_hour / reply.choice->count) {
            reply.choice = AnswerChoice{.accelerator = rent->offer.accelerator,
                                        .count = rent->offer.count,
                                        .usd_per_hour = rent->offer.usd_per_hour,
                                        .why = rent->offer.provider + " of " + rent->offer.date};
        }
    }
    return words;
}

std::optional<Answer> reply_compared_rents(const Reading& reading, const AnswerTools& tools) {
    const auto sides = each_side(reading, tools.knowledge.catalog);
    std::vector<SideRent> rents;
    std::string unknown;
    for (const Reading& side : sides) {
        if (auto rent = rent_of(side, tools.knowledge.catalog)) {
            rents.push_back(std::move(*rent));
        } else {
            unknown += fmt::format(" No {}rent of {} is listed.",
                                   side.price_kind.empty() ? "" : side.price_kind + " ",
                                   side.accelerators.front());
        }
    }
    if (rents.size() < 2) {
        return std::nullopt;
    }
    const double hours = hours_of_period(reading);
    const bool alike = std::ranges::all_of(sides, [&](const Reading& side) {
        return side.count == sides.front().count || !side.instances.empty();
    });
    const auto usd = [&](const SideRent& rent) {
        return hours > 0 ? period_usd(rent)
               : alike   ? rent.usd_per_hour / rent.side->count.value_or(1)
                         : rent.usd_per_hour;
    };
    const std::string unit = hours > 0 ? " " + period_words(reading, hours)
                             : alike   ? " for each accelerator hour"
                                       : " an hour";
    stable_order(rents.begin(), rents.end(),
                 [&](const SideRent& a, const SideRent& b) { return usd(a) < usd(b); });
    const SideRent& first = rents.front();
    Answer reply;
    reply.choice = AnswerChoice{.accelerator = first.offer.accelerator,
                                .count = first.offer.count,
                                .usd_per_hour = first.offer.usd_per_hour};
    std::string others;
    for (const SideRent& rent : rents) {
        reply.values.push_back({hours > 0 ? "cost" : "rent",
                                {},
                                usd(rent),
                                {},
                                hours > 0 ? "USD" : "USD/h",
                                words_of(rent)});
        others += &rent == &first ? ""
                                  : fmt::format("{}{} of {}", others.empty() ? "" : ", ",
                                                money_words(reading, usd(rent)), words_of(rent));
    }
    reply.headline =
        usd(rents.back()) / usd(first) < same_rate_within
            ? fmt::format("{} and {} cost about the same, {}{}.", words_of(first),
                          words_of(rents.back()), money_words(reading, usd(first)), unit)
            : fmt::format("{} is cheaper: {}{} against {}.", words_of(first),
                          money_words(reading, usd(first)), unit, others);
    for (const SideRent& rent : rents) {
        const auto offers = offers_of(*rent.side, tools.knowledge.catalog);
        const std::string less =
            hours > 0 || offers.empty() ? std::string() : cheaper_kinds(rent, offers);
        reply.headline +=
            less.empty() ? "" : fmt::format(" {}{}.", rent.offer.accelerator, less.substr(1));
    }
    reply.headline += unknown;
    return reply;
}

}  // namespace ridgeline
