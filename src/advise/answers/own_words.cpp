#include "advise/answers/own_words.h"

#include "advise/answers/own.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {

double over_life(const OwnershipAnswer& owned, double usd_per_hour) {
    return usd_per_hour * hours_per_year * owned.cost.years * owned.cluster.count;
}

std::string about_usd(double usd) { return "$" + figure_words(usd); }

std::string turning_use(double used) {
    return fmt::format("{:.0f} % use ({:.0f} hours a month, {:.2g} a day)", 100 * used,
                       hours_of_a_month * used, 24 * used);
}

std::string busy_words(double used) {
    return used < 1 ? fmt::format("at {:.0f} % use ({:.2g} h a day)", 100 * used, 24 * used)
                    : std::string("at all hours");
}

std::string work_words(const OwnershipAnswer& owned, double used) {
    return fmt::format("{} of {} x {} {}", life_words(owned.cost.years), owned.cluster.count,
                       short_name(*owned.cluster.accelerator), busy_words(used));
}

std::string parts_words(const OwnershipAnswer& owned, double used) {
    const double paid = owned.cost.capex_usd * owned.cluster.count;
    const double back = owned.inputs.residual_share * paid;
    const double runs = owned.cost.total_usd(used) - paid + back;
    std::string words = fmt::format(
        "{} to buy{}{}{}, {}", about_usd(paid),
        owned.inputs.server_cost_ratio > 1 ? (owned.at_a_desk             ? " with the computer"
                                              : owned.cluster.nodes() > 1 ? " with servers"
                                                                          : " with its server")
                                           : "",
        owned.only_new ? " new, as no used price is known" : "",
        owned.price_age.empty() ? "" : fmt::format(" (a price of {})", owned.price_age),
        owned.inputs.server_kw > 0 ? about_usd(runs) + " to run"
                                   : std::string("its electricity not in it, as no source "
                                                 "tells what it draws"));
    if (back > 0) {
        words += fmt::format(", less {} or {:.0f} % got back at the end", about_usd(back),
                             100 * owned.inputs.residual_share);
    }
    return words;
}

std::string renter_words(const OwnershipAnswer& owned, const RentedInstead& rent) {
    const int machines = std::max(1, rent.instances);
    const bool more = machines * rent.offer->count > owned.cluster.count;
    // "p5en.48xlarge"; what only repeats the part names nothing.
    const std::string& type = rent.offer->instance_type;
    const bool named = !type.empty() && type.find(' ') == std::string::npos;
    return fmt::format(
        "{} ({}, {}{}{}/h{})", rent.offer->provider, name_of(rent.offer->kind),
        machines > 1 && rent.offer->count > 1 && !more
            ? (named ? fmt::format("{} x {}, ", machines, rent.offer->instance_type)
                     : fmt::format("{} machines of {}, ", machines, rent.offer->count))
            : std::string(),
        rent.other != nullptr ? short_name(*rent.other) + " " : std::string(),
        format_usd(rent.usd_per_accelerator_hour * owned.cluster.count),
        more ? fmt::format(
                   ", {} of {}, of which {} idle",
                   machines > 1 ? fmt::format("{} machines", machines) : std::string("a machine"),
                   rent.offer->count, machines * rent.offer->count - owned.cluster.count)
             : "");
}

std::string turn_of(const OwnershipAnswer& owned, const RentedInstead& rent,
                    std::optional<double> months, bool tie) {
    if (rent.offer->kind == PriceKind::reserved) {
        return "what is reserved is paid at all hours" +
               (months ? ", bought pays after " + months_words(*months) : std::string());
    }
    if (!rent.break_even || *rent.break_even > 1) {
        if (tie) {
            return "estimates do not tell the two apart";
        }
        return rent.break_even ? "renting is cheaper however busy it is"
                               : "renting is always cheaper";
    }
    constexpr double seldom = 0.01;
    if (*rent.break_even < seldom) {
        return "owning is cheaper however seldom it is used";
    }
    return fmt::format("owning pays above {}{}", turning_use(*rent.break_even),
                       months && *months <= 12 * owned.cost.years
                           ? fmt::format(", bought pays after {}", months_words(*months))
                           : "");
}

namespace {

/// An hour of work at a use of what was bought for so much, were nothing got back at the end.
double without_resale(const OwnershipAnswer& owned, double used, double price_usd) {
    OwnershipInputs nothing = owned.inputs;
    nothing.residual_share = 0;
    nothing.price_usd = price_usd;
    return ownership_cost(nothing).per_delivered_hour(used);
}

/// Owning is cheaper by what is got back at the end alone, and that is assumed: the share of the
/// price that it has to sell for; nothing: it is cheaper or dearer either way, or the user said it.
std::optional<double> resale_that_turns(const OwnershipAnswer& owned, double rent, double used) {
    const double share = owned.inputs.residual_share;
    const bool given = std::ranges::any_of(owned.figures, [](const UsedFigure& each) {
        return each.id == "residual_share" && each.given;
    });
    const double own = owned.cost.per_delivered_hour(used);
    const double nothing = without_resale(owned, used, owned.inputs.price_usd);
    return share > 0 && !given && own <= rent && nothing > rent
               ? std::optional(share * (nothing - rent) / (nothing - own))
               : std::nullopt;
}

}  // namespace

double price_that_turns(const OwnershipAnswer& owned, double rent, double used, double share) {
    const auto hour = [&](double price_usd) {
        OwnershipInputs inputs = owned.inputs;
        inputs.price_usd = price_usd;
        inputs.residual_share = share;
        return ownership_cost(inputs).per_delivered_hour(used);
    };
    const double running = hour(0);
    const double dollar = hour(1) - running;
    return dollar > 0 ? (rent - running) / dollar : 0;
}

std::string offers_that_turn(const OwnershipAnswer& owned, double rent, double used) {
    const double share = owned.inputs.residual_share;
    const double least = price_that_turns(owned, rent, used, 0);
    const double most = price_that_turns(owned, rent, used, share);
    if (most <= 0) {
        return "";
    }
    // The price of a system is that of all in it.
    const int each = owned.price_of_system ? owned.cluster.per_node : 1;
    const std::string what = each > 1 ? fmt::format("a machine of {}", each) : std::string("one");
    const std::string apart =
        owned.inputs.server_cost_ratio > 1 ? " (what stands around it comes on top)" : "";
    const std::string back = fmt::format("{:.0f} % of it is got back after {}", 100 * share,
                                         life_words(owned.cost.years));
    if (least <= 0) {
        return fmt::format("{} is offered for {} or less{} and {}", what, about_usd(each * most),
                           apart, back);
    }
    return fmt::format(
        "{} is offered for {} or less{}{}", what, about_usd(each * least), apart,
        share > 0 ? fmt::format(", or for {} if {}", about_usd(each * most), back) : "");
}

bool same_cost(double own, double rent) {
    constexpr double apart = 1.05;
    return own <= rent * apart && rent <= own * apart;
}

std::string old_price_words(const OwnershipAnswer& owned) {
    return fmt::format("{} of {} ({} each{}; none of today is known: --card-price)",
                       owned.price_estimated ? "an estimate" : "its price", owned.price_dated,
                       about_usd(owned.inputs.price_usd),
                       owned.price_of_system ? " with its share of the system" : "");
}

std::string verdict_on(const Reading& reading, const OwnershipAnswer& owned, double own,
                       double rent, double used, const RentedInstead& from) {
    if (!owned.price_dated.empty() && own > rent) {
        const std::string offers = offers_that_turn(owned, rent, used);
        return offers.empty() ? std::string("Rent") : "Rent, unless " + offers;
    }
    if (const auto share = resale_that_turns(owned, rent, used)) {
        return fmt::format("Buy, if it sells for {} or more at the end ({:.0f} % of what is paid)",
                           about_usd(*share * owned.cost.capex_usd * owned.cluster.count),
                           100 * *share);
    }
    return same_cost(own, rent)                      ? "A tie"
           : own <= rent                             ? (is_kept(reading) ? "Keep" : "Buy")
           : from.offer->kind == PriceKind::reserved ? "Reserve"
                                                     : "Rent";
}

}  // namespace ridgeline
