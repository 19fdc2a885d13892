#include "base/order.h"
#include "base/text.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/procurement_sections.h"
#include "report/table.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// Sections 1 to 6 and the order of all: what is asked, what it needs, what is recommended.

namespace ridgeline::report {
namespace {

constexpr std::size_t rejections_shown = 24;

std::string money_of(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    return !cost.offer          ? "unknown"
           : cost.usd_total > 0 ? format_usd(cost.usd_total)
           : cost.usd_per_million_tokens > 0
               ? hourly_usd(cost.usd_per_million_tokens) + " a million tokens"
               : hourly_usd(cost.usd_per_hour) + " an hour";
}

std::string time_of(const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    if (option.workload.task == Task::inference) {
        return format_duration(time.tpot / second) + " a token";
    }
    return time.total > Seconds{} ? format_duration(time.total / second)
                                  : format_duration(time.step / second) + " a step";
}

PageSection need(const Procurement& report) {
    const Query& query = report.advice.query;
    Bullets items;
    items.items.push_back(fmt::format("Model: {}", report.advice.architecture.name.empty()
                                                       ? query.model_text
                                                       : report.advice.architecture.name));
    if (!report.advice.options.empty()) {
        const Option& best = report.advice.options.front();
        items.items.push_back(
            fmt::format("Work: {}", workload_line(report.advice.architecture, best.workload)));
        if (best.workload.task == Task::inference && best.workload.serving) {
            items.items.push_back(fmt::format("Load: {:g} at a time, {} tokens in, {} out",
                                              1.0 * best.workload.serving->concurrency,
                                              best.workload.serving->input_tokens,
                                              best.workload.serving->output_tokens));
        } else {
            items.items.push_back(fmt::format("Batch: {} sequences of {} tokens a step",
                                              best.workload.batch.global,
                                              best.workload.batch.sequence_length));
        }
        if (best.workload.duration_tokens) {
            items.items.push_back(
                fmt::format("Length: {} tokens", format_count(*best.workload.duration_tokens)));
        }
    }
    items.items.push_back(fmt::format("Ranked by: {}", name_of(query.objective)));
    PageSection section{"Statement of need", {}};
    section.blocks.emplace_back(std::move(items));
    section.blocks.emplace_back(Paragraph{"The question, as flags that ask the same:"});
    section.blocks.emplace_back(CodeBlock{"ridgeline advise " + flags_of(query)});
    return section;
}

PageSection conditions(const Procurement& report) {
    const Query& query = report.advice.query;
    Bullets items;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) {
            items.items.push_back(fmt::format("{}: {}", name, value));
        }
    };
    add("Budget", query.budget_usd
                      ? format_usd(*query.budget_usd) + (query.buy ? " to buy" : " for the run")
                      : "");
    add("Rent", query.budget_usd_per_hour
                    ? format_usd(*query.budget_usd_per_hour) + " an hour at most"
                    : "");
    add("Deadline", query.deadline_s ? format_duration(*query.deadline_s) : "");
    add("Fewest accelerators",
        query.min_accelerators ? std::to_string(*query.min_accelerators) : "");
    add("Most accelerators", query.max_accelerators ? std::to_string(*query.max_accelerators) : "");
    add("Exactly", query.exact_accelerators ? std::to_string(*query.exact_accelerators) : "");
    add("Vendor", query.vendor);
    add("Provider", query.provider);
    add("Region", query.region);
    add("Power of one machine", query.rack_kw ? fmt::format("{:g} kW", *query.rack_kw) : "");
    for (const std::string& feature : query.require) {
        add("Required", feature);
    }
    if (items.items.empty()) {
        items.items.push_back("None was stated.");
    }
    return {"Conditions and constraints", {std::move(items)}};
}

PageSection requirement(const Procurement& report) {
    const Option& best = report.advice.options.front();
    const MemoryEstimate& memory = best.estimate.memory;
    PageSection section{"Derivation of the requirement", {}};
    section.blocks.emplace_back(Paragraph{fmt::format(
        "On {}, the peak of one accelerator is {} ({} to {}) of {} that the driver shows, {}. "
        "Plan: {}.",
        cluster_line(best.cluster), format_gib(memory.process / gibibyte),
        format_gib(memory.process / gibibyte * memory.band.low),
        format_gib(memory.process / gibibyte * memory.band.high),
        format_gib(memory.capacity / gibibyte),
        memory.verdict == FitVerdict::barely ? fmt::format("barely ({})", text_of(memory.barely_by))
        : memory.headroom() >= Bytes{} ? format_gib(memory.headroom() / gibibyte) + " to spare"
                                       : "short",
        plan_line(best.workload))});
    section.blocks.emplace_back(
        Picture{memory_chart(best), "Memory by component, with the range of the sum."});
    Grid grid{.caption = "Memory at the peak", .columns = {"component", ">GiB", "formula"}};
    if (memory.peak_instant < memory.instants.size()) {
        for (const Component& part : memory.instants[memory.peak_instant].components) {
            if (part.size / gibibyte >= 0.005) {
                grid.rows.push_back({std::string(part.name),
                                     fmt::format("{:.2f}", part.size / gibibyte),
                                     std::string(part.formula)});
            }
        }
    }
    grid.rows.push_back({"allocator reserve",
                         fmt::format("{:.2f}", (memory.reserved - memory.allocated) / gibibyte),
                         "reserved - allocated"});
    grid.rows.push_back({"context and libraries",
                         fmt::format("{:.2f}", (memory.process - memory.reserved) / gibibyte),
                         "process - reserved"});
    section.blocks.emplace_back(std::move(grid));
    return section;
}

Grid options_grid(const Advice& advice) {
    Grid grid{
        .caption = "Hardware that can do it, best first",
        .columns = {">#", "hardware", "plan", ">memory", ">time", ">rent", ">cost", ">power"}};
    for (const Option& option : advice.options) {
        const CostEstimate& cost = option.estimate.cost;
        grid.rows.push_back(
            {std::to_string(option.rank), cards_words(option.cluster), plan_line(option.workload),
             fmt::format("{:.0f} of {:.0f} GiB", option.estimate.memory.process / gibibyte,
                         option.estimate.memory.capacity / gibibyte),
             time_of(option), cost.offer ? hourly_usd(cost.usd_per_hour) + "/h" : "unknown",
             money_of(option),
             cost.watts > 0 ? fmt::format("{:.1f} kW", cost.watts / 1000) : "unknown"});
    }
    return grid;
}

Grid rejected_grid(const std::vector<Rejection>& all) {
    Grid grid{
        .caption = "Rejected, with the reason: of each accelerator the count that comes nearest",
        .columns = {"accelerator", ">count", "reason", "why"}};
    for (std::size_t i = 0; i < std::min(all.size(), rejections_shown); ++i) {
        const Rejection& each = all[i];
        std::string why = each.message;
        if (!each.would_fit_if.empty()) {
            why += "; would fit with " + each.would_fit_if.front();
        }
        grid.rows.push_back(
            {each.accelerator, std::to_string(each.count), each.reason, std::move(why)});
    }
    return grid;
}

PageSection alternatives(const Procurement& report) {
    PageSection section{"Alternatives considered", {}};
    const std::vector<Rejection> rejections = nearest_rejections(report.advice);
    for (Grid grid : {options_grid(report.advice), rejected_grid(rejections)}) {
        if (!grid.rows.empty()) {
            section.blocks.emplace_back(std::move(grid));
        }
    }
    if (rejections.size() > rejections_shown) {
        section.blocks.emplace_back(
            Paragraph{fmt::format("And {} more accelerators that miss by more: `--format json` "
                                  "lists them.",
                                  rejections.size() - rejections_shown)});
    }
    if (std::string also; !report.advice.outranked.empty()) {
        for (const std::string& part : report.advice.outranked) {
            append(also, ", ", part);
        }
        section.blocks.emplace_back(Paragraph{"These do it too and rank below: " + also + "."});
    }
    section.blocks.emplace_back(Paragraph{
        "Doing nothing costs nothing and gives nothing; buying instead of renting is compared "
        "under Cost."});
    return section;
}

PageSection recommendation(const Procurement& report) {
    PageSection section{"Recommendation and justification", {}};
    const Option& best = report.advice.options.front();
    section.blocks.emplace_back(
        Paragraph{fmt::format("{}, {}: {} and {}.", cluster_line(best.cluster),
                              plan_line(best.workload), time_of(best), money_of(best)),
                  true});
    Bullets why;
    for (const std::string& reason : best.why) {
        why.items.push_back(reason);
    }
    section.blocks.emplace_back(std::move(why));
    if (report.advice.options.size() > 1) {
        const Option& second = report.advice.options[1];
        section.blocks.emplace_back(
            Paragraph{fmt::format("Runner-up: {}, {} and {}.", cluster_line(second.cluster),
                                  time_of(second), money_of(second))});
    }
    return section;
}

PageSection nothing(const Procurement& report) {
    PageSection section{"Recommendation", {}};
    section.blocks.emplace_back(Paragraph{"Nothing fits the conditions.", true});
    Bullets misses;
    for (const Rejection& miss : report.advice.near_misses) {
        misses.items.push_back(
            fmt::format("{} x {}: {}", miss.count, miss.accelerator, miss.message));
    }
    section.blocks.emplace_back(std::move(misses));
    return section;
}

void add_facts(const Procurement& report, Page& page) {
    if (report.advice.options.empty()) {
        page.facts.emplace_back("Recommendation", "nothing fits");
        return;
    }
    const Option& best = report.advice.options.front();
    const MemoryEstimate& memory = best.estimate.memory;
    page.facts.emplace_back("Recommendation", cards_words(best.cluster));
    page.facts.emplace_back("Memory", fmt::format("{:.0f} of {:.0f} GiB", memory.process / gibibyte,
                                                  memory.capacity / gibibyte));
    page.facts.emplace_back("Time", time_of(best));
    page.facts.emplace_back("Cost, rented", money_of(best));
    if (report.owned) {
        page.facts.emplace_back("Price to buy",
                                format_usd(report.owned->cost.capex_usd * best.cluster.count));
    }
    page.facts.emplace_back("Power", fmt::format("{:.1f} kW", report.power.it_kw));
}

}  // namespace

std::vector<Rejection> nearest_rejections(const Advice& advice) {
    std::vector<Rejection> list = advice.near_misses;
    const auto same = [](const std::string& id) {
        return [id](const Rejection& have) { return have.accelerator == id; };
    };
    const auto known = static_cast<std::ptrdiff_t>(list.size());
    for (const Rejection& each : advice.rejections) {
        const bool fits = std::ranges::any_of(advice.options, [&](const Option& option) {
            return option.cluster.accelerator->id == each.accelerator;
        });
        const bool outranked = std::ranges::binary_search(advice.outranked, each.accelerator);
        if (fits || outranked ||
            std::any_of(list.begin(), list.begin() + known, same(each.accelerator))) {
            continue;
        }
        const auto at = std::find_if(list.begin() + known, list.end(), same(each.accelerator));
        if (at == list.end()) {
            list.push_back(each);
        } else if (each.excess < at->excess) {
            *at = each;
        }
    }
    stable_order(list.begin() + known, list.end(),
                 [](const Rejection& a, const Rejection& b) { return a.excess < b.excess; });
    return list;
}

Page procurement_page(const Procurement& report, const Stamp& stamp) {
    Page page;
    page.title = report.title;
    page.subtitle = fmt::format("{}{}{}; ridgeline {}, catalog {}, prices of {}", report.author,
                                report.author.empty() ? "" : ", ", report.date, stamp.version,
                                stamp.catalog_version, stamp.prices_date);
    add_facts(report, page);
    page.sections.push_back(need(report));
    page.sections.push_back(conditions(report));
    if (report.advice.options.empty()) {
        page.sections.push_back(nothing(report));
        page.sections.push_back(alternatives(report));
    } else {
        page.sections.push_back(requirement(report));
        page.sections.push_back(alternatives(report));
        page.sections.push_back(recommendation(report));
        add_money_sections(report, page);
        add_site_sections(report, page);
        add_judgement_sections(report, page);
    }
    add_closing_sections(report, stamp, page);
    return page;
}

}  // namespace ridgeline::report
