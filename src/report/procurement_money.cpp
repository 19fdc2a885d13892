#include "base/text.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/procurement_sections.h"
#include "report/svg.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// Sections on money, quantity, power, performance and network.

namespace ridgeline::report {
namespace {

constexpr std::size_t most_offers = 16;

std::string words_of(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string dollars_or_unknown(const std::optional<double>& usd) {
    return usd ? format_usd(*usd) : "unknown";
}

Grid ways_grid(const Procurement& report) {
    Grid grid{.caption = "The recommended hardware, by how it is had",
              .columns = {"way", "from", ">an hour", ">the run", ">range", ">price of",
                          ">owning pays above"}};
    for (const WayToPay& way : report.ways) {
        const bool rented = way.offer != nullptr;
        grid.rows.push_back(
            {rented ? words_of(way.name)
                    : fmt::format("owned, {:.0f} % used", way.utilization * 100),
             rented ? fmt::format("{} {} {}", way.offer->provider, way.offer->instance_type,
                                  way.offer->region)
                    : "",
             hourly_usd(way.usd_per_hour), way.usd_run ? format_usd(*way.usd_run) : "",
             way.usd_run ? fmt::format("{} to {}", format_usd(*way.usd_run_low),
                                       format_usd(*way.usd_run_high))
                         : "",
             rented ? way.offer->date : "", rented ? break_even_words(way.break_even) : ""});
    }
    return grid;
}

std::vector<std::string> run_cost_lines(const Procurement& report) {
    const CostEstimate& cost = report.advice.options.front().estimate.cost;
    std::vector<std::string> lines;
    if (cost.offer) {
        lines.push_back(fmt::format(
            "Rented whole: {} x {} ({} accelerators each), {} paid for and unused", cost.instances,
            cost.offer->instance_type, cost.offer->count, cost.idle_accelerators));
    }
    if (cost.usd_per_million_tokens > 0) {
        lines.push_back("A million tokens: " + hourly_usd(cost.usd_per_million_tokens));
    }
    if (cost.usd_per_sample > 0) {
        lines.push_back(fmt::format("A sample: ${:.3g}", cost.usd_per_sample));
    }
    const RunExtras& extras = report.extras;
    lines.push_back(extras.storage_usd ? "Storage: " + format_usd(*extras.storage_usd)
                                       : "Storage: not stated, not in the sum (--storage-tb, "
                                         "--storage-price)");
    lines.push_back(extras.egress_usd ? "Egress: " + format_usd(*extras.egress_usd)
                                      : "Egress: not stated, not in the sum (--egress-tb, "
                                        "--egress-price)");
    if (cost.usd_total > 0 && (extras.storage_usd || extras.egress_usd)) {
        lines.push_back("With both: " + format_usd(cost.usd_total + extras.storage_usd.value_or(0) +
                                                   extras.egress_usd.value_or(0)));
    }
    return lines;
}

Grid owning_grid(const OwnershipAnswer& owned) {
    const OwnershipCost& cost = owned.cost;
    Grid table{.caption = "Cost of owning, by how busy it is",
               .columns = {">utilisation", ">an hour of work, each", ">range of purchase prices",
                           ">all, over the life"}};
    for (const double share : shown_utilizations) {
        table.rows.push_back(
            {fmt::format("{:.0f} %", share * 100), hourly_usd(cost.per_delivered_hour(share)),
             owned.low ? fmt::format("{} to {}", hourly_usd(owned.low->per_delivered_hour(share)),
                                     hourly_usd(owned.high->per_delivered_hour(share)))
                       : "one price known",
             format_usd(cost.total_usd(share))});
    }
    return table;
}

Grid break_even_grid(const OwnershipAnswer& owned) {
    Grid offers{.caption = "Break-even against each rental offer",
                .columns = {"provider", "instance", "kind", ">each, an hour", ">price of",
                            ">owning pays above"}};
    for (std::size_t i = 0; i < std::min(most_offers, owned.rented.size()); ++i) {
        const RentedInstead& rented = owned.rented[i];
        offers.rows.push_back({rented.offer->provider,
                               rented.instances > 1 ? fmt::format("{} x {}", rented.instances,
                                                                  rented.offer->instance_type)
                                                    : rented.offer->instance_type,
                               words_of(std::string(name_of(rented.offer->kind))),
                               hourly_usd(rented.usd_per_accelerator_hour), rented.offer->date,
                               break_even_words(rented.break_even)});
    }
    return offers;
}

void add_ownership(const OwnershipAnswer& owned, PageSection& section) {
    const OwnershipCost& cost = owned.cost;
    section.blocks.emplace_back(Paragraph{fmt::format(
        "To buy: {} each, {} with server and network for all {}. Over {:g} years an hour of one "
        "accelerator is {} of capital, {} of space, {} of interest, spares, staff and support, "
        "and {} of energy while it works.",
        format_usd(owned.inputs.price_usd), format_usd(cost.capex_usd * owned.cluster.count),
        owned.cluster.count, cost.years, hourly_usd(cost.capital), hourly_usd(cost.space),
        hourly_usd(cost.financing + cost.spares + cost.staff_and_support),
        hourly_usd(cost.busy_energy))});
    section.blocks.emplace_back(owning_grid(owned));
    section.blocks.emplace_back(
        Picture{svg_of(break_even_plot(owned)),
                "Owning against renting; the band is that of purchase prices."});
    if (!owned.rented.empty()) {
        section.blocks.emplace_back(break_even_grid(owned));
    }
}

PageSection cost_section(const Procurement& report) {
    PageSection section{"Cost", {}};
    if (report.ways.empty()) {
        section.blocks.emplace_back(Paragraph{"No price is known."});
    } else {
        section.blocks.emplace_back(ways_grid(report));
        section.blocks.emplace_back(
            Picture{cost_chart(report), "Ways to pay side by side; spot may be taken back."});
    }
    section.blocks.emplace_back(Bullets{run_cost_lines(report)});
    if (report.owned) {
        add_ownership(*report.owned, section);
    } else {
        section.blocks.emplace_back(Paragraph{
            "No dated purchase price is known: --card-price or --system-price states one."});
    }
    return section;
}

PageSection schedule(const Procurement& report) {
    const Option& best = report.advice.options.front();
    PageSection section{"Quantity and schedule", {}};
    Bullets items;
    items.items.push_back(fmt::format("{} accelerators in {}", best.cluster.count,
                                      counted_noun(best.cluster.nodes(), "machine")));
    if (best.estimate.time.total > Seconds{}) {
        items.items.push_back("The run takes " +
                              duration_range(best.estimate.time.total, best.estimate.time.band));
    }
    items.items.push_back(report.extras.lead_time_weeks
                              ? fmt::format("Lead time: {:g} weeks", *report.extras.lead_time_weeks)
                              : "Lead time: unknown; ask the seller (--lead-time)");
    items.items.push_back("Spares: none counted unless --spares states a share a year");
    section.blocks.emplace_back(std::move(items));
    return section;
}

Grid power_grid(const Procurement& report) {
    const PowerPlan& power = report.power;
    const Site& site = report.site;
    Grid grid{.caption = "Power, heat and space", .columns = {"figure", ">value"}};
    const auto add = [&](const char* name, const std::string& value) {
        grid.rows.push_back({name, value});
    };
    add("One machine, at most", fmt::format("{:.1f} kW", power.node_kw));
    add("All machines, at most", fmt::format("{:.1f} kW", power.it_kw));
    add("All machines, on average while computing", fmt::format("{:.1f} kW", power.average_kw));
    add("The building, on average",
        fmt::format("{:.1f} kW (PUE {:g})", power.facility_kw, site.pue));
    add("Heat at the maximum", grouped(power.btu_per_hour) + " BTU/h");
    add("Machines in a rack",
        power.nodes_per_rack > 0 ? fmt::format("{} of {:g} kW", power.nodes_per_rack, site.rack_kw)
                                 : fmt::format("none: {:g} kW a rack is too little", site.rack_kw));
    add("Racks", power.racks > 0 ? std::to_string(power.racks) : "needs denser racks");
    add("Feeds a machine",
        fmt::format("{} of {:g} V {:g} A, without redundancy", power.circuits_per_node,
                    site.circuit_volts, site.circuit_amperes));
    add("Energy a year at full use", grouped(power.kwh_per_year) + " kWh");
    if (report.advice.options.front().estimate.time.total > Seconds{} && report.run_kwh) {
        add("Energy of the run, building", grouped(*report.run_kwh) + " kWh");
        if (report.run_energy_usd) {
            add("It costs", format_usd(*report.run_energy_usd));
        }
        add("CO2 of the run", report.run_co2_kg ? grouped(*report.run_co2_kg) + " kg"
                                                : std::string("unknown: --grid states gCO2/kWh"));
    }
    if (report.work_per_kwh > 0) {
        add(report.advice.options.front().estimate.time.tokens_per_second > 0
                ? "Tokens for each kWh of the machines"
                : "Samples for each kWh of the machines",
            grouped(report.work_per_kwh));
    }
    if (power.peak_tflops_per_watt > 0) {
        add("Peak a watt", fmt::format("{:.3f} TFLOP/s", power.peak_tflops_per_watt));
    }
    return grid;
}

PageSection power_section(const Procurement& report) {
    PageSection section{"Power, cooling and space", {}};
    section.blocks.emplace_back(power_grid(report));
    if (report.owned && report.owned->cap) {
        const PowerCap& cap = *report.owned->cap;
        section.blocks.emplace_back(Paragraph{fmt::format(
            "With a limit of {:g} W an accelerator, work bound by compute takes {:.2f} times as "
            "long and {:.2f} times the energy at worst.{}",
            cap.watts, cap.time_factor, cap.energy_factor,
            cap.measured == nullptr
                ? ""
                : fmt::format(" Measured at {:g} of {:g} W: {:.2f} times ({}).",
                              cap.measured->cap_watts, cap.measured->default_watts,
                              cap.time_factor_measured, cap.measured->work))});
    }
    section.blocks.emplace_back(Paragraph{
        "Plan feeds and cooling for the maximum and its transients, not for the average."});
    return section;
}

PageSection performance(const Procurement& report) {
    const Option& best = report.advice.options.front();
    PageSection section{"Performance and scaling", {}};
    Grid parts{.caption = "Where the time of a step goes",
               .columns = {"part", ">time", "bound by"}};
    for (const TimeComponent& part : best.estimate.time.components) {
        if (part.time > Seconds{}) {
            parts.rows.push_back({std::string(part.name), format_duration(part.time / second),
                                  std::string(name_of(part.bound))});
        }
    }
    section.blocks.emplace_back(std::move(parts));
    if (const std::string chart = roofline_chart(report); !chart.empty()) {
        section.blocks.emplace_back(
            Picture{chart, "The roofs of the accelerator and where the work lies below them."});
    }
    if (const std::string chart = scaling_chart(report); !chart.empty()) {
        section.blocks.emplace_back(Picture{chart, "More of the same accelerator."});
    }
    Grid counts{.caption = "The same work on other numbers of accelerators",
                .columns = {">accelerators", ">work a second", ">efficiency", ">time", ">cost"}};
    for (const CountPoint& point : report.scaling) {
        const CountPoint& first = report.scaling.front();
        counts.rows.push_back({std::to_string(point.count), grouped(point.work_per_s),
                               fmt::format("{:.0f} %", 100 * point.work_per_s / first.work_per_s *
                                                           first.count / point.count),
                               point.total_s ? format_duration(*point.total_s) : "",
                               point.total_s ? dollars_or_unknown(point.usd)
                               : point.usd   ? hourly_usd(*point.usd) + " a million tokens"
                                             : std::string("unknown")});
    }
    section.blocks.emplace_back(std::move(counts));
    return section;
}

PageSection network(const Procurement& report) {
    const Cluster& cluster = report.advice.options.front().cluster;
    PageSection section{"Network and storage", {}};
    Bullets items;
    if (cluster.per_node > 1) {
        items.items.push_back(fmt::format("Inside a machine: {}, {:.0f} GB/s one way each",
                                          cluster.intra.kind,
                                          cluster.intra.rate / gigabyte_per_second));
    }
    if (cluster.nodes() > 1) {
        items.items.push_back(
            fmt::format("Between machines: {}, {:.1f} GB/s one way each{}", cluster.inter.kind,
                        cluster.inter.rate / gigabyte_per_second,
                        cluster.inter.assumed ? ", assumed: nobody stated it" : ""));
    } else {
        items.items.push_back("One machine: no fabric is needed");
    }
    items.items.push_back(report.extras.storage_usd ? "Storage: as stated"
                                                    : "Storage: size and rate are not stated");
    section.blocks.emplace_back(std::move(items));
    return section;
}

}  // namespace

void add_money_sections(const Procurement& report, Page& page) {
    page.sections.push_back(cost_section(report));
    page.sections.push_back(schedule(report));
}

void add_site_sections(const Procurement& report, Page& page) {
    page.sections.push_back(power_section(report));
    page.sections.push_back(performance(report));
    page.sections.push_back(network(report));
}

}  // namespace ridgeline::report
