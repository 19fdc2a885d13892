#include "advise/answers/answer.h"
#include "advise/answers/rents.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// What hardware draws, and what its electricity comes to.

namespace ridgeline {

double usd_of_kwh(const Reading& reading, const Catalog& catalog, bool home) {
    const OwnershipFigure* tariff =
        catalog.ownership.figure(home ? "usd_per_kwh_household" : "usd_per_kwh");
    return reading.usd_per_kwh.value_or(tariff != nullptr ? tariff->value.value_or(0) : 0);
}

bool asks_for_energy(const Reading& reading) {
    const bool period = asks(reading, "per_month") || reading.deadline_s || reading.months ||
                        reading.usd_per_kwh || reading.hours_per_day;
    return asks(reading, "energy") || (asks(reading, "power") && period);
}

std::string carbon_words(const Reading& reading, double kwh) {
    // Ember, Global Electricity Review 2025: the world's mean of 2024.
    constexpr double grams_of_the_world = 473;
    const double grams = reading.grid_gco2_per_kwh.value_or(grams_of_the_world);
    return fmt::format("{} kg of CO2, at {}{:g} g a kWh{}", figure_words(kwh * grams / 1000),
                       reading.grid_gco2_per_kwh ? "" : "the world's mean of ", grams,
                       reading.grid_gco2_per_kwh ? " as told" : " [assumed]");
}

namespace {

/// A computer is no server: its cards, and what the board and the processor around them take.
PowerPlan power_at_home(const Cluster& cluster, const Site& site) {
    PowerPlan plan = power_plan(cluster, site);
    const double cards = cluster.count * (cluster.accelerator->tdp / watt);
    const bool whole = is_one_computer(*cluster.accelerator);
    plan.it_kw = (cards + (whole ? 0 : watts_around_cards)) / 1000;
    plan.average_kw = plan.it_kw * site.load_factor;
    plan.facility_kw = plan.average_kw * site.pue;
    return plan;
}

}  // namespace

Answer reply_energy(const Reading& reading, const Cluster& cluster, const Catalog& catalog) {
    Site site = site_of(catalog, {}, nullptr);
    // A desktop's cards stand in a room that nobody cools for them, and pay what a household pays.
    const bool home = stands_at_a_desk(*cluster.accelerator) && cluster.count <= cards_of_a_desk;
    site.pue = reading.pue > 0 ? reading.pue : home ? 1 : site.pue;
    const PowerPlan plan = home ? power_at_home(cluster, site) : power_plan(cluster, site);
    const double usd_per_kwh = usd_of_kwh(reading, catalog, home);
    const double share = reading.hours_per_day.value_or(24) / 24;
    const double hours = reading.months       ? *reading.months * hours_of_a_month
                         : reading.deadline_s ? *reading.deadline_s / 3600
                                              : hours_of_a_month;
    const double kwh = plan.facility_kw * hours * share;
    const double most = kwh / std::max(site.load_factor, 1e-9);
    const double cards = cluster.count * (cluster.accelerator->tdp / watt) / 1000 * hours * share;
    Answer reply;
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    reply.values = {{"energy", std::min(cards, kwh), kwh, most, "kWh", ""},
                    {"power", {}, plan.average_kw, plan.it_kw, "kW", ""}};
    const std::string period = reading.months || reading.deadline_s
                                   ? "in " + format_duration(hours * 3600)
                                   : std::string("a month");
    reply.headline = fmt::format(
        "{} ({:.0f} W{}, TDP): {}{} kWh {} ({} to {})", cards_words(cluster),
        cluster.accelerator->tdp / watt, cluster.count > 1 ? " each" : "",
        asks(reading, "carbon") ? carbon_words(reading, kwh) + "; " : "", figure_words(kwh), period,
        figure_words(std::min(cards, kwh)), figure_words(most));
    if (usd_per_kwh > 0) {
        reply.values.push_back({"cost", std::min(cards, kwh) * usd_per_kwh, kwh * usd_per_kwh,
                                most * usd_per_kwh, "USD", ""});
        reply.headline += fmt::format(
            ", {} ({} to {}) of electricity at ${:.3g} a kWh{}",
            money_words(reading, kwh * usd_per_kwh), format_usd(std::min(cards, kwh) * usd_per_kwh),
            format_usd(most * usd_per_kwh), usd_per_kwh,
            reading.usd_per_kwh ? "" : " (the catalog's; yours: \"0.30 per kwh\")");
    }
    reply.headline += fmt::format(
        "; busy {:g} hours a day the machine draws {} kW of at most {} kW{}.", 24 * share,
        figure_words(plan.average_kw), figure_words(plan.it_kw),
        home ? std::string()
             : fmt::format(", cooling and losses make it {:.2g} times as much", site.pue));
    if (!reading.model.empty()) {
        reply.headline += fmt::format(
            " That is what it draws in that time, whatever it runs: whether it holds {} "
            "is not judged here.",
            reading.model);
    }
    return reply;
}

}  // namespace ridgeline
