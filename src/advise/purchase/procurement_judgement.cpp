#include "advise/hardware/offers.h"
#include "advise/purchase/procurement.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

// What would change the recommendation, and what may go wrong with it.

namespace ridgeline {
namespace {

const Option* runner_up(const Advice& advice) {
    const Option& best = advice.options.front();
    for (const Option& option : advice.options) {
        if (option.cluster.accelerator != best.cluster.accelerator && option.value) {
            return &option;
        }
    }
    return nullptr;
}

void price_flip(const Procurement& report, std::vector<Sensitivity>& list) {
    const Option& best = report.advice.options.front();
    const Option* second = runner_up(report.advice);
    if (second == nullptr || !best.value || *best.value <= 0 ||
        report.advice.query.objective != Objective::cost) {
        return;
    }
    const double distance = *second->value / *best.value - 1;
    list.push_back({"price of the recommended hardware",
                    fmt::format("+{:.0f} %", distance * 100),
                    fmt::format("{} costs the same: beyond that it is the better choice",
                                cards_words(second->cluster)),
                    {{"price_ratio", 1 + distance}}});
}

void time_range(const Procurement& report, std::vector<Sensitivity>& list) {
    const Option& best = report.advice.options.front();
    const TimeEstimate& time = best.estimate.time;
    if (time.mfu > 0) {
        list.push_back({"model FLOPs utilisation",
                        fmt::format("{:.0f} % to {:.0f} % instead of {:.0f} %",
                                    100 * time.mfu / time.band.high, 100 * time.mfu / time.band.low,
                                    100 * time.mfu),
                        fmt::format("time and cost of the run change by {:+.0f} % to {:+.0f} %",
                                    100 * (time.band.high - 1), 100 * (time.band.low - 1)),
                        {{"time_ratio_low", time.band.low}, {"time_ratio_high", time.band.high}}});
    }
    const auto& deadline = report.advice.query.deadline_s;
    if (deadline && time.total > Seconds{}) {
        const double worst = time.total / second * time.band.high;
        list.push_back({"time at the high end of its range",
                        format_duration(worst),
                        worst <= *deadline ? "the deadline is still kept"
                                           : fmt::format("the deadline of {} is missed by {}",
                                                         format_duration(*deadline),
                                                         format_duration(worst - *deadline)),
                        {{"total_s_high", worst}, {"deadline_s", *deadline}}});
    }
}

void memory_range(const Procurement& report, std::vector<Sensitivity>& list) {
    const MemoryEstimate& memory = report.advice.options.front().estimate.memory;
    const double worst = memory.process / gibibyte * memory.band.high;
    const double capacity = memory.capacity / gibibyte;
    list.push_back({"memory at the high end of its range",
                    format_gib(worst),
                    worst <= capacity
                        ? fmt::format("it still fits, {} to spare", format_gib(capacity - worst))
                        : fmt::format("it no longer fits, short by {}: try one step first",
                                      format_gib(worst - capacity)),
                    {{"high_gib", worst}, {"capacity_gib", capacity}}});
}

void tokens(const Procurement& report, std::vector<Sensitivity>& list) {
    const Option& best = report.advice.options.front();
    const TimeEstimate& time = best.estimate.time;
    const CostEstimate& cost = best.estimate.cost;
    const auto& stated = best.workload.duration_tokens;
    if (!stated || time.total <= Seconds{}) {
        return;
    }
    if (cost.usd_total > 0) {
        list.push_back({"tokens of the run",
                        "half or twice as many",
                        fmt::format("{} or {}", format_usd(cost.usd_total / 2),
                                    format_usd(cost.usd_total * 2)),
                        {{"usd_half", cost.usd_total / 2}, {"usd_double", cost.usd_total * 2}}});
    }
    if (const auto& budget = report.advice.query.budget_usd; budget && cost.usd_total > 0) {
        const double most = *stated * *budget / cost.usd_total;
        list.push_back({"budget",
                        format_usd(*budget),
                        fmt::format("pays for {} tokens at most", format_count(most)),
                        {{"tokens_within_budget", most}}});
    }
}

void utilization(const Procurement& report, std::vector<Sensitivity>& list) {
    if (!report.owned) {
        return;
    }
    for (const WayToPay& way : report.ways) {
        if (way.offer == nullptr || !way.break_even) {
            continue;
        }
        const double share = *way.break_even;
        list.push_back({fmt::format("utilisation over {:g} years, against {} rent",
                                    report.owned->cost.years, way.name),
                        share > 1 ? "any" : fmt::format("above {:.0f} %", share * 100),
                        share > 1 ? "renting stays cheaper however busy the hardware is"
                                  : fmt::format("buying is cheaper than {} from {}", way.name,
                                                way.offer->provider),
                        {{"break_even_utilization_ratio", share}}});
    }
    OwnershipInputs dear = report.owned->inputs;
    dear.usd_per_kwh *= 2;
    const double share = report.owned->utilization.value_or(0.6);
    const double change = ownership_cost(dear).per_delivered_hour(share) /
                              report.owned->cost.per_delivered_hour(share) -
                          1;
    list.push_back({"electricity",
                    "twice the price",
                    fmt::format("an owned hour costs {:.0f} % more", change * 100),
                    {{"owned_hour_ratio", 1 + change}}});
}

void estimate_risks(const Procurement& report, std::vector<Risk>& list) {
    const Option& best = report.advice.options.front();
    const MemoryEstimate& memory = best.estimate.memory;
    const bool tight = memory.process * memory.band.high > memory.capacity;
    list.push_back({"technical",
                    fmt::format("memory is estimated, {} to {} of {}",
                                format_gib(memory.process / gibibyte * memory.band.low),
                                format_gib(memory.process / gibibyte * memory.band.high),
                                format_gib(memory.capacity / gibibyte)),
                    tight ? "medium" : "low", "the run ends out of memory",
                    "run one step on a single rented node before ordering"});
    const TimeEstimate& time = best.estimate.time;
    list.push_back({"technical",
                    fmt::format("time is estimated, {:.2f} to {:.2f} times the figure",
                                time.band.low, time.band.high),
                    time.worst_tier == Tier::assumed ? "high" : "medium",
                    "cost and end of the run move with it",
                    "measure a hundred steps, then `ridgeline calibrate`"});
    for (const Finding& finding : best.findings) {
        if (finding.severity != Severity::info) {
            list.push_back({"technical", finding.message, "unknown",
                            "see the finding " + finding.rule,
                            "`ridgeline remedies` lists changes with what each gains"});
        }
    }
}

void price_risks(const Procurement& report, std::vector<Risk>& list) {
    const auto& offer = report.advice.options.front().estimate.cost.offer;
    const auto age = offer ? days_between(offer->date, report.date) : std::nullopt;
    if (age) {
        list.push_back({"cost",
                        fmt::format("the price of {} is {} days old", offer->provider, *age),
                        *age > prices_stale_after_days ? "high" : "medium",
                        "the ranking may change", "ask for a quote; --prices FILE takes it"});
    }
    for (const WayToPay& way : report.ways) {
        if (way.name == "spot") {
            list.push_back({"cost", "spot machines are taken back without much notice", "high",
                            "work since the last checkpoint is lost, the end moves",
                            "checkpoint often; keep on-demand for the last days"});
        }
    }
}

}  // namespace

std::vector<Sensitivity> sensitivities_of(const Procurement& report) {
    std::vector<Sensitivity> list;
    price_flip(report, list);
    time_range(report, list);
    memory_range(report, list);
    tokens(report, list);
    utilization(report, list);
    return list;
}

std::vector<Risk> risks_of(const Procurement& report) {
    std::vector<Risk> list;
    if (report.advice.options.empty()) {
        return list;
    }
    estimate_risks(report, list);
    price_risks(report, list);
    list.push_back({"schedule",
                    report.extras.lead_time_weeks
                        ? fmt::format("delivery takes {:g} weeks", *report.extras.lead_time_weeks)
                        : "the lead time is not known",
                    report.extras.lead_time_weeks ? "medium" : "unknown",
                    "the start moves; renting bridges it",
                    "ask the seller; --lead-time states it"});
    const Accelerator& part = *report.advice.options.front().cluster.accelerator;
    list.push_back(
        {"supply", fmt::format("the software stack is that of one vendor ({})", part.vendor), "low",
         "moving to another part means porting kernels", "keep to frameworks that run on several"});
    list.push_back({"supply",
                    fmt::format("{} is of {}: price-performance improves by about a quarter a year",
                                part.name, part.year),
                    "high", "what is bought loses value faster than the books say",
                    "short service life, or rent"});
    return list;
}

}  // namespace ridgeline
