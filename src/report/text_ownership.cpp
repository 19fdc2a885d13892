#include "advise/hardware/offers.h"
#include "base/text.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/table.h"
#include "report/text_chart.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

constexpr std::size_t offers_shown = 10;

std::string purchase_line(const OwnershipAnswer& answer, const Style& style) {
    const double all = answer.inputs.price_usd * answer.cluster.count;
    std::string range;
    if (answer.price_low < answer.price_high) {
        range = fmt::format(" (${} to ${})", grouped(answer.price_low), grouped(answer.price_high));
    }
    std::string when;
    for (const UsedFigure& figure : answer.figures) {
        if (figure.id == "price_usd") {
            when = figure.given ? " (given)" : fmt::format(" of {}", figure.date);
        }
    }
    return paragraph("Price    ",
                     fmt::format("${} each{}{}, ${} in all; with server and network ${}",
                                 grouped(answer.inputs.price_usd), when, range, grouped(all),
                                 grouped(answer.cost.capex_usd * answer.cluster.count)),
                     style);
}

std::string parts_line(const OwnershipCost& cost, const Style& style) {
    std::string text = fmt::format("capital {}", hourly_usd(cost.capital));
    const auto add = [&](const char* name, double usd) {
        if (usd > 0) {
            text += fmt::format(", {} {}", name, hourly_usd(usd));
        }
    };
    add("interest", cost.financing);
    add("space", cost.space);
    add("spares", cost.spares);
    add("staff and support", cost.staff_and_support);
    add("energy while busy", cost.busy_energy);
    add("energy while idle", cost.idle_energy);
    return paragraph("Parts    ", text + "; in dollars an hour of one accelerator", style);
}

std::string by_utilization(const OwnershipAnswer& answer, const Style& style) {
    Table table(
        {">utilisation", ">$/h of work, each", ">range", ">all, " + life_words(answer.cost.years)});
    std::vector<double> shares(std::begin(shown_utilizations), std::end(shown_utilizations));
    if (answer.utilization) {
        shares = {*answer.utilization};
    }
    for (const double share : shares) {
        table.add({fmt::format("{:.0f} %", share * 100),
                   hourly_usd(answer.cost.per_delivered_hour(share)),
                   answer.low
                       ? fmt::format("{} to {}", hourly_usd(answer.low->per_delivered_hour(share)),
                                     hourly_usd(answer.high->per_delivered_hour(share)))
                       : "",
                   "$" + grouped(answer.cost.total_usd(share))});
    }
    return table.text(style);
}

std::string against_rent(const OwnershipAnswer& answer, const Style& style) {
    if (answer.rented.empty()) {
        return "No rental offer is listed for this part, so no break-even.\n";
    }
    Table table(
        {"rent instead", "instance", "kind", ">$/h each", ">price of", ">owning pays above"});
    const std::size_t shown =
        style.explain ? answer.rented.size() : std::min(offers_shown, answer.rented.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const RentedInstead& rented = answer.rented[i];
        table.add({rented.offer->provider,
                   rented.other != nullptr ? rented.other->id
                   : rented.instances > 1
                       ? fmt::format("{} x {}", rented.instances, rented.offer->instance_type)
                       : rented.offer->instance_type,
                   std::string(name_of(rented.offer->kind)),
                   hourly_usd(rented.usd_per_accelerator_hour), rented.offer->date,
                   break_even_words(rented.break_even)});
    }
    std::string out = table.text(style);
    if (shown < answer.rented.size()) {
        out += fmt::format("and {} more (--explain, --json)\n", answer.rented.size() - shown);
    }
    if (answer.oldest_rent_days) {
        out += fmt::format(
            "Rents are up to {} days old{}.\n", *answer.oldest_rent_days,
            *answer.oldest_rent_days > prices_stale_after_days ? ": stale, ask again" : "");
    }
    return out;
}

std::string power_text(const OwnershipAnswer& answer, const Style& style) {
    const PowerPlan& power = answer.power;
    std::string text = fmt::format(
        "{:.1f} kW a machine at most, {:.1f} kW in all, {:.1f} kW on average with PUE {:g}; "
        "{} BTU/h of heat; ",
        power.node_kw, power.it_kw, power.facility_kw, answer.site.pue,
        grouped(power.btu_per_hour));
    text += power.nodes_per_rack > 0
                ? fmt::format("{} a rack of {:g} kW, {}; ", power.nodes_per_rack,
                              answer.site.rack_kw, counted_noun(power.racks, "rack"))
                : fmt::format("no rack of {:g} kW holds one; ", answer.site.rack_kw);
    text += fmt::format("{} of {:g} V {:g} A each; {} kWh a year at full use",
                        counted_noun(power.circuits_per_node, "feed"), answer.site.circuit_volts,
                        answer.site.circuit_amperes, grouped(power.kwh_per_year));
    if (power.tonnes_co2_per_year) {
        text += fmt::format(", {:.1f} t CO2", *power.tonnes_co2_per_year);
    }
    std::string out = paragraph("Power    ", text, style);
    if (answer.cap) {
        const PowerCap& cap = *answer.cap;
        std::string line = fmt::format(
            "at {:g} W compute-bound work takes {:.2f} times as long and {:.2f} times the energy "
            "at worst (model: clock with the cube root of power)",
            cap.watts, cap.time_factor, cap.energy_factor);
        if (cap.measured != nullptr) {
            line += fmt::format("; measured at {:g} of {:g} W: {:.2f} times ({}, {})",
                                cap.measured->cap_watts, cap.measured->default_watts,
                                cap.time_factor_measured, cap.measured->work, cap.measured->source);
        }
        out += paragraph("Capped   ", line, style);
    }
    return out;
}

std::string figures_text(const OwnershipAnswer& answer, const Style& style) {
    std::string out;
    if (style.explain) {
        out += "What it rests on\n";
        for (const UsedFigure& figure : answer.figures) {
            out += paragraph(
                "  ",
                fmt::format("{}: {:g} {} [{}{}{}]", figure.meaning, figure.value, figure.unit,
                            figure.source, figure.date.empty() ? "" : ", ", figure.date),
                style);
        }
    }
    std::string missing;
    for (const OwnershipFigure* figure : answer.left_out) {
        append(missing, ", ", figure->meaning);
    }
    if (!missing.empty()) {
        out += paragraph("",
                         "Not in it, as no source states it: " + missing +
                             ". `ridgeline own --help` names the flags.",
                         style);
    }
    if (answer.market != nullptr) {
        out += paragraph("",
                         fmt::format("Published ({}): ${:.2f} to ${:.2f} an hour for an owner, "
                                     "${:.2f} on a three-year contract [{}]",
                                     answer.market->date, answer.market->usd_per_hour_hyperscaler,
                                     answer.market->usd_per_hour_neocloud,
                                     answer.market->usd_per_hour_rental, answer.market->source),
                         style);
    }
    return out;
}

}  // namespace

std::string hourly_usd(double usd) {
    return usd >= 1000 ? "$" + grouped(usd)
           : usd >= 1  ? fmt::format("${:.2f}", usd)
                       : fmt::format("${:.3f}", usd);
}

std::string break_even_words(const std::optional<double>& utilization) {
    if (!utilization) {
        return "never";
    }
    return *utilization > 1 ? "never (>100 %)" : fmt::format("{:.0f} %", *utilization * 100);
}

std::string ownership_text(const OwnershipAnswer& answer, const Style& style) {
    std::string out = strong(cluster_line(answer.cluster), style) +
                      fmt::format(", owned for {}\n", life_words(answer.cost.years));
    out += purchase_line(answer, style) + parts_line(answer.cost, style) + "\n";
    out += by_utilization(answer, style) + "\n" + against_rent(answer, style) + "\n";
    if (style.explain) {
        out += plot_text(break_even_plot(answer), style) + "\n";
    }
    return out + power_text(answer, style) + figures_text(answer, style);
}

}  // namespace ridgeline::report
