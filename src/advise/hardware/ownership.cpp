#include "advise/hardware/ownership.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/listings.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace ridgeline {
namespace {

/// Takes figures from the user, else from the catalog, and keeps a list of what was taken.
class Figures {
public:
    Figures(const Catalog& catalog, const SiteFigures& own, std::vector<UsedFigure>& used)
        : catalog_(catalog), own_(own), used_(used) {}

    std::optional<double> given(std::string_view id) const {
        const auto at = own_.given.find(id);
        return at == own_.given.end() ? std::nullopt : std::optional(at->second);
    }

    /// The user's, else what holds at a desk.
    double take_at_a_desk(std::string id, double value, const char* meaning) {
        if (given(id)) {
            return take(id, value);
        }
        note(std::move(id), meaning, value, "", "assumed", "", false);
        return value;
    }

    double take(std::string_view id, double otherwise) {
        const OwnershipFigure* known = catalog_.ownership.figure(id);
        const auto own = given(id);
        if (!own && (known == nullptr || !known->value)) {
            return otherwise;
        }
        UsedFigure used{.id = std::string(id),
                        .meaning = known == nullptr ? std::string(id) : known->meaning,
                        .value = own ? *own : *known->value,
                        .unit = known == nullptr ? "" : known->unit,
                        .source = own ? "given" : known->source,
                        .date = own ? "" : known->date,
                        .given = own.has_value()};
        const double value = used.value;
        used_.push_back(std::move(used));
        return value;
    }

    void note(std::string id, std::string meaning, double value, std::string unit,
              std::string source, std::string date, bool given) {
        used_.push_back({std::move(id), std::move(meaning), value, std::move(unit),
                         std::move(source), std::move(date), given});
    }

private:
    const Catalog& catalog_;
    const SiteFigures& own_;
    std::vector<UsedFigure>& used_;
};

struct Price {
    double usd_each = 0, low = 0, high = 0;
    bool system = false;
    std::string dated{};                       ///< of when it is, where that is not of today
    bool only_new = false;                     ///< of new ones, where a used one is meant
    std::string age{};                         ///< of a price older than a year
    bool estimated = false, doubtful = false;  ///< doubtful: estimated, or of three years ago
};

Price stated(Figures& figures, std::string_view id, double usd, bool system) {
    figures.note("price_usd", fmt::format("price of one accelerator ({})", id), usd, "USD", "given",
                 "", true);
    return {usd, usd, usd, system};
}

/// The price of one accelerator: the user's, else the part's (of its machines as well).
/// wanted  of used ones, or of new ones, where such a price of today is known
std::optional<Price> price_of(const Cluster& cluster, const Catalog& catalog, Figures& figures,
                              std::optional<bool> wanted) {
    if (const auto system = figures.given("system_price_usd")) {
        return stated(figures, "system", *system / std::max(1, cluster.per_node), true);
    }
    if (const auto card = figures.given("card_price_usd")) {
        return stated(figures, "card", *card, false);
    }
    constexpr int months_of_year = 12, months_of_doubt = 36;
    auto bought = wanted ? purchase_price(catalog, *cluster.accelerator, wanted) : std::nullopt;
    bought = bought && bought->current ? bought : purchase_price(catalog, *cluster.accelerator);
    if (!bought) {
        return std::nullopt;
    }
    figures.note("price_usd",
                 fmt::format("price of one accelerator ({}, {}{})", bought->kind,
                             bought->used ? "used" : "new", bought->current ? "" : ", not current"),
                 bought->usd_each, "USD", bought->source, bought->date, false);
    const bool estimated = bought->kind.find("estimate") != std::string::npos;
    return Price{bought->usd_each,
                 bought->low,
                 bought->high,
                 bought->basis == PurchaseBasis::system,
                 bought->current ? "" : bought->date,
                 wanted == true && !bought->used,
                 bought->months_old > months_of_year ? dated_words(*bought) : "",
                 estimated,
                 !bought->current && (estimated || bought->months_old > months_of_doubt)};
}

bool all_at_a_desk(const Cluster& cluster) {
    return cluster.count <= cards_of_a_desk && stands_at_a_desk(*cluster.accelerator);
}

std::vector<RentedInstead> rented_instead(const Cluster& cluster, const Catalog& catalog,
                                          const Query& asked, const OwnershipCost& cost) {
    std::set<std::string> providers;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator == cluster.accelerator->id &&
            allowed_by(asked.provider, offer.provider)) {
            providers.insert(offer.provider);
        }
    }
    std::vector<RentedInstead> list;
    for (const std::string& provider : providers) {
        for (const auto& [kind, value] : price_kind_words()) {
            // What is reserved is weighed by itself, against the market where nobody lists it.
            const bool open = asked.price_kind.empty() || asked.price_kind == "purchase" ||
                              asked.price_kind == "reserved";
            if (!open && kind != asked.price_kind) {
                continue;
            }
            Query query = asked;
            query.provider = provider;
            query.price_kind = kind;
            const Offer* offer = cheapest_offer(catalog, query, *cluster.accelerator, cluster.count,
                                                cluster.per_node, cluster.machine);
            if (offer == nullptr) {
                continue;
            }
            const int instances = (cluster.count + offer->count - 1) / offer->count;
            const double each = instances * offer->usd_per_hour / cluster.count;
            list.push_back({offer, instances, each, cost.break_even(each)});
        }
    }
    if (list.empty() && cluster.count > 1 && cluster.count <= cards_of_a_desk) {
        // Nobody lists so many in one machine: each is rented for itself.
        const Offer* single = cheapest_offer(catalog, asked, *cluster.accelerator, 1, 1);
        if (single != nullptr) {
            const double each = single->usd_per_hour;
            list.push_back({single, cluster.count, each, cost.break_even(each)});
        }
    }
    const auto order = [since = current_since(catalog)](const RentedInstead& each) {
        return std::tuple(each.offer->kind, each.offer->date < since,
                          each.usd_per_accelerator_hour);
    };
    stable_order(list.begin(), list.end(), [&](const RentedInstead& a, const RentedInstead& b) {
        return order(a) < order(b);
    });
    return list;
}

}  // namespace

std::vector<RentedInstead> rented_other(const OwnershipAnswer& owned, const Cluster& other,
                                        const Catalog& catalog, const Query& query) {
    auto list = rented_instead(other, catalog, query, owned.cost);
    for (RentedInstead& each : list) {
        each.usd_per_accelerator_hour *= static_cast<double>(other.count) / owned.cluster.count;
        each.break_even = owned.cost.break_even(each.usd_per_accelerator_hour);
    }
    return list;
}

double use_of(const OwnershipAnswer& owned) {
    return std::max(owned.utilization.value_or(1), 1e-3);
}

double rented_hour(const RentedInstead& rent, double used) {
    return rent.usd_per_accelerator_hour / (rent.offer->kind == PriceKind::reserved ? used : 1);
}

const RentedInstead* least_rent(const OwnershipAnswer& owned) {
    const auto order = [used = use_of(owned)](const RentedInstead& each) {
        return std::pair(each.offer->kind == PriceKind::spot, rented_hour(each, used));
    };
    const RentedInstead* rent = nullptr;
    for (const RentedInstead& each : owned.rented) {
        rent = rent == nullptr || order(each) < order(*rent) ? &each : rent;
    }
    return rent;
}

namespace {

/// What a server and its hall cost, a computer in a room does not.
void fill_at_a_desk(const Catalog& catalog, const Cluster& cluster, Figures& figures,
                    OwnershipInputs& in) {
    // One that holds more than two is nowhere there.
    const double computer = cluster.count > cards_of_a_computer && in.price_usd > 0
                                ? computer_around(catalog, cluster.count)
                                : 0;
    in.server_cost_ratio = figures.take_at_a_desk(
        "server_cost_ratio", 1 + computer / std::max(1.0, in.price_usd * cluster.count),
        computer > 0 ? "the cards and a computer that holds them"
                     : "the card alone: the computer around it is there (a new one costs more)");
    in.idle_factor =
        figures.take_at_a_desk("idle_factor", 0, "it is off, or on anyway, while nothing runs");
    in.pue = figures.take_at_a_desk("pue", 1, "a room without cooling of its own");
    const OwnershipFigure* household = catalog.ownership.figure("usd_per_kwh_household");
    in.usd_per_kwh = household == nullptr || figures.given("usd_per_kwh")
                         ? figures.take("usd_per_kwh", 0)
                         : figures.take("usd_per_kwh_household", 0);
}

/// What is left of all that is paid at the end: the buyer's own figure; of a life cut short what
/// the trend of prices leaves of the accelerators, at most a straight line down to nothing at the
/// end of service; else nothing. Of servers and networks no source tells what they sell for:
/// nothing.
///
/// system  the price is that of a machine with all in it
double take_value_left(const Catalog& catalog, Figures& figures, const OwnershipInputs& in,
                       bool system) {
    const double years = in.years;
    const OwnershipFigure* service = catalog.ownership.figure("life_years");
    const OwnershipFigure* trend =
        catalog.ownership.figure("value_loss_orders_of_magnitude_per_year");
    const bool known = service != nullptr && service->value && trend != nullptr && trend->value;
    if (figures.given("residual_share") || !known || years >= *service->value) {
        return figures.take("residual_share", 0);
    }
    const OwnershipFigure* ratio = catalog.ownership.figure("server_cost_ratio");
    const double around =
        system && ratio != nullptr ? ratio->value.value_or(1) : in.server_cost_ratio;
    const double left = (1 - in.network_share) / around *
                        std::min(std::pow(10, -*trend->value * years), 1 - years / *service->value);
    figures.note("residual_share",
                 "value left at the end, of the accelerators alone: " + trend->meaning, left,
                 "share", trend->source, trend->date, false);
    return left;
}

/// Switches and cables as a share of the cluster's cost. One machine needs none. The catalog's
/// share is that of clusters of two layers, where each port of a machine takes three of switches
/// and two cables; the ports that one switch has take one of each.
double take_network_share(const Catalog& catalog, const Cluster& cluster, Figures& figures) {
    constexpr int ports = 64;  // of one NDR switch, an accelerator each (NVIDIA QM9700)
    const OwnershipFigure* large = catalog.ownership.figure("network_share");
    const bool given = figures.given("network_share").has_value();
    if (cluster.nodes() <= 1 && !given) {
        return 0;
    }
    if (given || large == nullptr || !large->value || cluster.count > ports) {
        return figures.take("network_share", 0);
    }
    const double cost = *large->value / (1 - *large->value) / 3;
    const double share = cost / (1 + cost);
    figures.note("network_share", "one switch, a third of the ports of: " + large->meaning, share,
                 "share", large->source, large->date, false);
    return share;
}

OwnershipInputs inputs_of(const Cluster& cluster, const Catalog& catalog, const Price& price,
                          Figures& figures) {
    const bool desk = all_at_a_desk(cluster);
    OwnershipInputs in;
    in.accelerators = cluster.count;
    in.price_usd = price.usd_each;
    if (desk) {
        fill_at_a_desk(catalog, cluster, figures, in);
    } else {
        in.server_cost_ratio = price.system ? 1 : figures.take("server_cost_ratio", 1);
        in.idle_factor = figures.take("idle_factor", 0);
        in.usd_per_kwh = figures.take("usd_per_kwh", 0);
    }
    in.network_share = take_network_share(catalog, cluster, figures);
    in.years = figures.take("life_years", 5);
    in.residual_share = take_value_left(catalog, figures, in, price.system);
    in.financing_rate = figures.take("financing_rate", 0);
    in.server_kw = node_power_of(cluster) / (1000.0 * watt) / std::max(1, cluster.per_node);
    in.load_factor = figures.take("load_factor", 0.75);
    // A workstation stands in a room that is there anyway.
    const bool room =
        desk || (!is_module(*cluster.accelerator) && is_consumer(*cluster.accelerator));
    in.colocation_usd_per_kw_month = !room || figures.given("colocation_usd_per_kw_month")
                                         ? figures.take("colocation_usd_per_kw_month", 0)
                                         : 0;
    in.spares_share_per_year = figures.take("spares_share_per_year", 0);
    in.staff_usd_per_year = figures.take("staff_usd_per_year", 0);
    in.support_usd_per_year = figures.take("support_usd_per_year", 0);
    return in;
}

}  // namespace

Site site_of(const Catalog& catalog, const SiteFigures& own, std::vector<UsedFigure>* used) {
    std::vector<UsedFigure> unused;
    Figures figures(catalog, own, used != nullptr ? *used : unused);
    Site site;
    site.load_factor = figures.given("load_factor").value_or([&] {
        const OwnershipFigure* known = catalog.ownership.figure("load_factor");
        return known != nullptr && known->value ? *known->value : site.load_factor;
    }());
    site.pue = figures.take("pue", 1);
    site.rack_kw = figures.take("rack_kw", site.rack_kw);
    site.circuit_volts = figures.given("circuit_volts").value_or(site.circuit_volts);
    site.circuit_amperes = figures.given("circuit_amperes").value_or(site.circuit_amperes);
    if (figures.given("grid_gco2_per_kwh")) {
        site.grid_gco2_per_kwh = figures.take("grid_gco2_per_kwh", 0);
    }
    return site;
}

std::optional<double> capex_usd(const Cluster& cluster, const Catalog& catalog,
                                std::optional<bool> used_alone) {
    std::vector<UsedFigure> used;
    const SiteFigures nothing;
    Figures figures(catalog, nothing, used);
    const auto price = price_of(cluster, catalog, figures, used_alone);
    return price ? std::optional(
                       ownership_cost(inputs_of(cluster, catalog, *price, figures)).capex_usd *
                       cluster.count)
                 : std::nullopt;
}

Result<OwnershipAnswer> own(const Cluster& cluster, const Catalog& catalog, const SiteFigures& own,
                            const Query& query, std::string_view today) {
    OwnershipAnswer answer;
    answer.cluster = cluster;
    Figures figures(catalog, own, answer.figures);
    const auto price = price_of(cluster, catalog, figures, used_wanted(query));
    if (!price) {
        return input_error(cluster.accelerator->id, "no dated purchase price is in the catalog",
                           "Give --card-price or --system-price.");
    }
    answer.purchases = catalog.ownership.recent_purchases(cluster.accelerator->id);
    answer.price_low = price->low;
    answer.price_high = price->high;
    answer.price_dated = price->dated;
    answer.price_age = price->age;
    answer.price_estimated = price->estimated;
    answer.price_doubtful = price->doubtful;
    answer.price_of_system = price->system;
    answer.only_new = price->only_new;
    answer.at_a_desk = all_at_a_desk(cluster);
    answer.inputs = inputs_of(cluster, catalog, *price, figures);
    if (answer.at_a_desk) {
        SiteFigures at_desk = own;
        at_desk.given.insert_or_assign("pue", answer.inputs.pue);
        answer.site = site_of(catalog, at_desk, nullptr);
    } else {
        answer.site = site_of(catalog, own, &answer.figures);
    }
    answer.inputs.pue = answer.site.pue;
    answer.cost = ownership_cost(answer.inputs);
    if (price->low < price->high) {
        OwnershipInputs end = answer.inputs;
        end.price_usd = price->low;
        answer.low = ownership_cost(end);
        end.price_usd = price->high;
        answer.high = ownership_cost(end);
    }
    for (const OwnershipFigure& figure : catalog.ownership.figures) {
        const bool taken = own.given.contains(figure.id) ||
                           (figure.id == "residual_share" && answer.inputs.residual_share > 0);
        if (!figure.value && !taken && figure.id != "usd_per_kwh_europe") {
            answer.left_out.push_back(&figure);
        }
    }
    answer.rented = rented_instead(cluster, catalog, query, answer.cost);
    if (answer.rented.empty() && !query.price_kind.empty()) {
        Query any = query;
        any.price_kind.clear();
        answer.rented = rented_instead(cluster, catalog, any, answer.cost);
        answer.kind_unlisted = answer.rented.empty() ? "" : query.price_kind;
    }
    for (const RentedInstead& rented : answer.rented) {
        if (const auto age = days_between(rented.offer->date, today)) {
            answer.oldest_rent_days = std::max(*age, answer.oldest_rent_days.value_or(0));
        }
    }
    for (const MarketRate& rate : catalog.ownership.market) {
        if (rate.accelerator == cluster.accelerator->id) {
            answer.market = &rate;
        }
    }
    answer.power = power_plan(cluster, answer.site);
    if (const auto cap = figures.given("power_cap_w")) {
        answer.cap = power_cap(*cluster.accelerator, *cap, catalog.ownership.power_caps);
    }
    answer.utilization = figures.given("utilization");
    return answer;
}

}  // namespace ridgeline
