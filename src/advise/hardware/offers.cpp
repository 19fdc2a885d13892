#include "advise/hardware/offers.h"

#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/listings.h"
#include "base/date.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/mig.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

namespace ridgeline {
namespace {

// Lower is better.
struct Preference {
    int kind = 0;
    bool old = false;
    double usd_per_hour = std::numeric_limits<double>::infinity();
    auto operator<=>(const Preference&) const = default;
};

bool names_instance(const Machine& machine, std::string_view instance) {
    return same_letters(machine.id, instance) ||
           std::ranges::any_of(machine.aliases, [&](const std::string& alias) {
               return same_letters(alias, instance);
           });
}

/// Whether a provider calls an instance so, or its family: "p5" of "p5.48xlarge", not of "p5en".
bool begins_instance(std::string_view type, std::string_view name) {
    constexpr std::string_view azure = "Standard_";
    type.remove_prefix(type.starts_with(azure) ? azure.size() : 0);
    return same_letters(type, name) ||
           (type.size() > name.size() && lower(type.substr(0, name.size())) == lower(name) &&
            std::string_view(".-_").find(type[name.size()]) != std::string_view::npos);
}

// Of the right provider, region and kind.
bool suits(const Catalog& catalog, const Offer& offer, const Query& query, const Machine* machine) {
    const auto& without = query.instances_excluded;
    if (std::ranges::any_of(without, [&](const std::string& name) {
            return is_of_instance(catalog, offer, name);
        })) {
        return false;
    }
    if (offer.count < 1 || offer.usd_per_hour <= 0 || !allowed_by(query.provider, offer.provider) ||
        (!query.region.empty() && !is_offered_in(offer, query.region))) {
        return false;
    }
    if (machine != nullptr && machine->provider &&
        (offer.provider != lower(*machine->provider) ||
         !names_instance(*machine, offer.instance_type))) {
        return false;
    }
    return query.price_kind.empty()
               ? offer.kind == PriceKind::on_demand || offer.kind == PriceKind::marketplace
               : name_of(offer.kind) == query.price_kind;
}

// A rack of trays is one domain: trays that are rented together reach each other.
bool joins(const Accelerator& accelerator, const Offer& offer) {
    return offer.count > 1 && accelerator.scale_up.max_domain >= rack_scale_from;
}

// Cards of one server, or modules of one baseboard, as they are sold.
constexpr int sold_together = 8;

bool sold_as(const Accelerator& accelerator, int count) {
    return is_module(accelerator)
               ? count % std::clamp(accelerator.scale_up.max_domain, 1, sold_together) == 0
               : count <= sold_together;
}

}  // namespace

std::string current_since(const Catalog& catalog) {
    const auto newest = date_from(catalog.offers_date);
    if (!newest) {
        return {};
    }
    const std::chrono::year_month_day day{*newest - std::chrono::days{prices_stale_after_days}};
    return fmt::format("{:04}-{:02}-{:02}", int(day.year()), unsigned(day.month()),
                       unsigned(day.day()));
}

std::optional<Offer> market_contract(const Catalog& catalog, std::string_view accelerator,
                                     int count) {
    const auto rate =
        std::ranges::find(catalog.ownership.market, accelerator, &MarketRate::accelerator);
    if (rate == catalog.ownership.market.end()) {
        return std::nullopt;
    }
    Offer contract;
    contract.id = "market";
    contract.provider = "the market's contracts of three years (" + rate->date + ")";
    contract.accelerator = accelerator;
    contract.count = count;
    contract.kind = PriceKind::reserved;
    contract.usd_per_hour = rate->usd_per_hour_rental * count;
    contract.date = rate->date;
    contract.source = rate->source;
    return contract;
}

namespace {

/// What regions in a place are called by those who rent out there: how their names begin.
constexpr std::pair<std::string_view, std::string_view> places[] = {
    {"eu",
     "eu- europe westeurope northeurope sweden norway france germany poland italy spain austria "
     "belgium denmark fr- de- nl- pl- fi- it- se-"},
    {"germany", "germany de- europe-west3 europe-west10 eu-central-1"},
    {"france", "france fr- europe-west9 eu-west-3"},
    {"netherlands", "westeurope nl- europe-west4"},
    {"sweden", "sweden se- eu-north-1"},
    {"finland", "fi- europe-north1"},
    {"poland", "poland pl- europe-central2"}};

}  // namespace

bool is_country(std::string_view name) {
    return name != places[0].first &&
           std::ranges::any_of(places, [&](const auto& place) { return place.first == name; });
}

bool lies_in(std::string_view region, std::string_view wanted) {
    const auto place =
        std::ranges::find(places, wanted, &std::pair<std::string_view, std::string_view>::first);
    if (place == std::end(places) || region == wanted) {
        // "us-east" has us-east-1 and us-east4 in it.
        const bool within = lower(region).starts_with(lower(wanted)) &&
                            region.size() > wanted.size() && !is_letter(region[wanted.size()]);
        return within || same_letters(region, wanted);
    }
    const std::string name = lower(region);
    return std::ranges::any_of(split(place->second, ' '),
                               [&](const auto& begin) { return name.starts_with(begin); });
}

bool is_offered_in(const Offer& offer, std::string_view wanted) {
    // Sellers of Europe, whose lists tell no region.
    constexpr std::string_view at_home[] = {"hyperstack", "nebius", "scaleway", "verda"};
    return offer.region.empty() && wanted == "eu" ? std::ranges::count(at_home, offer.provider) > 0
                                                  : lies_in(offer.region, wanted);
}

bool is_of_instance(const Catalog& catalog, const Offer& offer, std::string_view instance) {
    const Machine* machine = catalog.machine(instance);
    return machine != nullptr ? offer.provider == lower(machine->provider.value_or("")) &&
                                    names_instance(*machine, offer.instance_type)
                              : begins_instance(offer.instance_type, instance);
}

bool same_listing(const Offer& a, const Offer& b) {
    const auto stem = [](const Offer& offer) {
        const std::string_view name = offer.instance_type;
        return name.substr(0, name.rfind('x') + 1);
    };
    return a.accelerator == b.accelerator && a.provider == b.provider && a.kind == b.kind &&
           a.region == b.region && a.date == b.date && stem(a) == stem(b) &&
           stem(a).ends_with("x") &&
           std::abs(a.usd_per_accelerator_hour() - b.usd_per_accelerator_hour()) < 1e-6;
}

double rent_of(const Offer& offer, int count) {
    return std::ceil(static_cast<double>(count) / offer.count) * offer.usd_per_hour;
}

const Offer* cheapest_offer(const Catalog& catalog, const Query& query,
                            const Accelerator& accelerator, int count, int per_node,
                            const Machine* machine) {
    const std::string_view card = card_of(accelerator.id);
    count = cards_of(accelerator, count);
    per_node = cards_of(accelerator, per_node);
    const std::string current = current_since(catalog);
    const Offer* best = nullptr;
    Preference best_preference;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator != card || !suits(catalog, offer, query, machine) ||
            (offer.count < std::min(count, per_node) && !joins(accelerator, offer))) {
            continue;
        }
        const bool market = query.price_kind.empty() && offer.kind == PriceKind::marketplace;
        const Preference preference{market ? 1 : 0, offer.date < current, rent_of(offer, count)};
        if (best == nullptr || preference < best_preference) {
            best = &offer;
            best_preference = preference;
        }
    }
    return best;
}

std::string unobtainable(const Catalog& catalog, const Query& query, const Accelerator& accelerator,
                         int count, int per_node, bool whole) {
    const std::string_view card = card_of(accelerator.id);
    count = cards_of(accelerator, count);
    per_node = cards_of(accelerator, per_node);
    std::set<int> listed;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator != card || query.buy || !suits(catalog, offer, query, nullptr)) {
            continue;
        }
        // One box is one instance, whatever joins several of a rack.
        const bool machines = query.nodes == 1 ? offer.count >= count
                                               : offer.count >= std::min(count, per_node) ||
                                                     joins(accelerator, offer);
        if (offer.count == count || (machines && (whole || count % offer.count == 0))) {
            return {};
        }
        listed.insert(offer.count);
    }
    const bool may_buy = query.provider.empty() && query.region.empty() && query.price_kind.empty();
    const Accelerator* part = is_slice(accelerator) ? catalog.accelerator(card) : &accelerator;
    const auto bought = part != nullptr ? purchase_price(catalog, *part, used_wanted(query))
                                        : std::optional<PurchasePrice>();
    if (may_buy && bought && bought->current && sold_as(*part, count)) {
        return {};
    }
    if (!listed.empty()) {
        return fmt::format("no offer of {} on one machine is known, only of {}", count,
                           fmt::join(listed, ", "));
    }
    const std::string kind = query.price_kind.empty() ? "" : query.price_kind + " ";
    const std::string by = query.provider.empty() ? "" : " by " + query.provider;
    return fmt::format("no {}offer{} known{}", kind, by,
                       bought && may_buy && !bought->current
                           ? fmt::format("; its last price is of {}", bought->date)
                           : "");
}

bool same_family(const Accelerator& a, const Accelerator& b) {
    return std::ranges::any_of(a.families, [&](const std::string& family) {
        return std::ranges::find(b.families, family) != b.families.end();
    });
}

std::ptrdiff_t times_listed(const Catalog& catalog, const Accelerator& part) {
    std::vector<const Offer*> listings;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator == part.id &&
            (listings.empty() || !same_listing(*listings.back(), offer))) {
            listings.push_back(&offer);
        }
    }
    return std::ssize(listings);
}

int renters_of(const Catalog& catalog, const Accelerator& part) {
    std::set<std::string_view> providers;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator == card_of(part.id)) {
            providers.insert(offer.provider);
        }
    }
    return static_cast<int>(providers.size());
}

const Accelerator* most_listed(const Catalog& catalog, std::span<const Accelerator* const> forms) {
    const Accelerator* usual = nullptr;
    std::pair<int, std::ptrdiff_t> most{-1, -1};
    for (const Accelerator* form : forms) {
        // Many regions of one provider are one place to ask.
        const std::pair listed{renters_of(catalog, *form), times_listed(catalog, *form)};
        if (listed > most) {
            most = listed;
            usual = form;
        }
    }
    return usual;
}

std::optional<long> days_between(std::string_view from, std::string_view to) {
    constexpr std::size_t day_letters = 10;  // a time of the day may follow
    const auto begin = date_from(from.substr(0, day_letters));
    const auto end = date_from(to.substr(0, day_letters));
    return begin && end ? std::optional<long>((*end - *begin).count()) : std::nullopt;
}

std::string months_words(double months) {
    if (months < 1) {
        const double days = std::max(1.0, std::round(months * hours_of_a_month / 24));
        return fmt::format("{:.0f} day{}", days, days > 1 ? "s" : "");
    }
    return fmt::format("{} month{}", figure_words(months), months == 1 ? "" : "s");
}

std::string life_words(double years) {
    const double half_years = std::round(2 * years);
    const bool even = years >= 1 && std::abs(2 * years - half_years) < 1e-6;
    return even ? fmt::format("{:g} year{}", years, half_years == 2 ? "" : "s")
                : months_words(12 * years);
}

}  // namespace ridgeline
