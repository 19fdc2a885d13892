#include "base/order.h"
#include "report/procurement_report.h"
#include "report/roofline.h"
#include "report/svg.h"
#include "report/words.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// Charts of a procurement report: each says in words what it shows, for who cannot see it.

namespace ridgeline::report {

std::string memory_chart(const Option& option) {
    const MemoryEstimate& memory = option.estimate.memory;
    if (memory.peak_instant >= memory.instants.size()) {
        return {};
    }
    std::vector<Component> parts = memory.instants[memory.peak_instant].components;
    stable_order(parts.begin(), parts.end(),
                 [](const Component& a, const Component& b) { return a.size > b.size; });
    BarChart chart{
        .title = "Memory of one accelerator at its peak, GiB",
        .description = fmt::format("Components held at {}; {:.1f} of {:.1f} GiB are used in all.",
                                   memory.instants[memory.peak_instant].name,
                                   memory.process / gibibyte, memory.capacity / gibibyte),
        .unit = "GiB",
        .parts = {"size"},
        .bars = {}};
    const auto add = [&](std::string_view name, Bytes size) {
        if (size / gibibyte >= 0.005 * (memory.process / gibibyte)) {
            chart.bars.push_back(Bar{.label = std::string(name), .values = {size / gibibyte}});
        }
    };
    for (const Component& part : parts) {
        add(part.name, part.size);
    }
    add("allocator reserve", memory.reserved - memory.allocated);
    add("context and libraries", memory.process - memory.reserved);
    const double peak = memory.process / gibibyte;
    chart.bars.push_back(Bar{.label = "all together",
                             .values = {peak},
                             .low = peak * memory.band.low,
                             .high = peak * memory.band.high});
    chart.bars.push_back(Bar{.label = "capacity", .values = {memory.capacity / gibibyte}});
    return svg_of(chart);
}

std::string cost_chart(const Procurement& report) {
    BarChart chart{.title = "What the recommended hardware costs, by how it is had",
                   .description = "One bar for each way to pay; thin lines are ranges.",
                   .unit = "US dollars",
                   .parts = {"cost"},
                   .bars = {}};
    bool run = false;
    for (const WayToPay& way : report.ways) {
        Bar bar;
        bar.label = way.name == "owned" ? fmt::format("owned, {:.0f} % used", way.utilization * 100)
                                        : way.name;
        std::replace(bar.label.begin(), bar.label.end(), '_', ' ');
        bar.values = {way.usd_run.value_or(way.usd_per_hour)};
        bar.low = way.usd_run_low;
        bar.high = way.usd_run_high;
        run = run || way.usd_run.has_value();
        chart.bars.push_back(std::move(bar));
    }
    chart.title += run ? ": US dollars of the run" : ": US dollars an hour";
    return chart.bars.empty() ? std::string() : svg_of(chart);
}

Plot break_even_plot(const OwnershipAnswer& owned) {
    Plot plot{.title = "An hour of one accelerator: owned, by how busy it is, against rent",
              .description =
                  "The owned curve falls as utilisation rises; where it crosses a rent "
                  "line, owning begins to pay.",
              .x = {.label = "utilisation, %", .low = 0.0, .high = 100.0},
              .y = {.label = "US dollars an hour", .scale = Scale::logarithmic},
              .series = {}};
    Series own{.name = fmt::format("owned over {:g} years", owned.cost.years), .marks = false};
    for (int percent = 5; percent <= 100; percent += 5) {
        const double share = percent / 100.0;
        ChartPoint point{.x = 1.0 * percent, .y = owned.cost.per_delivered_hour(share)};
        if (owned.low) {
            point.low = owned.low->per_delivered_hour(share);
            point.high = owned.high->per_delivered_hour(share);
        }
        own.points.push_back(point);
    }
    plot.series.push_back(std::move(own));
    PriceKind last = PriceKind::marketplace;
    bool any = false;
    for (const RentedInstead& rented : owned.rented) {
        if (any && rented.offer->kind == last) {
            continue;
        }
        any = true;
        last = rented.offer->kind;
        std::string kind(name_of(rented.offer->kind));
        std::replace(kind.begin(), kind.end(), '_', ' ');
        const double usd = rented.usd_per_accelerator_hour;
        plot.series.push_back(
            Series{.name = fmt::format("{} {}", kind, rented.offer->provider),
                   .points = {ChartPoint{.x = 0, .y = usd}, ChartPoint{.x = 100, .y = usd}},
                   .line = true,
                   .marks = false});
    }
    return plot;
}

std::string roofline_chart(const Procurement& report) {
    if (!report.profile || report.profile->roofs.empty()) {
        return {};
    }
    const Option& best = report.advice.options.front();
    return svg_of(roofline_plot({.architecture = report.advice.architecture,
                                 .machines = {{.cluster = best.cluster,
                                               .workload = best.workload,
                                               .time = best.estimate.time,
                                               .profile = *report.profile,
                                               .problem = {}}}}));
}

std::string scaling_chart(const Procurement& report) {
    if (report.scaling.size() < 2) {
        return {};
    }
    const Accelerator& part = *report.advice.options.front().cluster.accelerator;
    Plot plot{.title = fmt::format("Work a second of more {}", part.name),
              .description =
                  "Throughput by number of accelerators, beside the straight line of "
                  "perfect scaling.",
              .x = {.label = "accelerators", .scale = Scale::logarithmic},
              .y = {.label = "tokens a second", .scale = Scale::logarithmic},
              .series = {}};
    if (report.advice.options.front().estimate.time.tokens_per_second <= 0) {
        plot.y.label = "samples a second";
    }
    Series real{.name = "estimated"};
    Series ideal{.name = "perfect scaling", .marks = false};
    const CountPoint& first = report.scaling.front();
    for (const CountPoint& point : report.scaling) {
        plot.x.ticks.push_back(point.count);
        real.points.push_back({.x = 1.0 * point.count, .y = point.work_per_s});
        ideal.points.push_back(
            {.x = 1.0 * point.count, .y = first.work_per_s * point.count / first.count});
    }
    plot.series = {std::move(real), std::move(ideal)};
    return svg_of(plot);
}

}  // namespace ridgeline::report
