#include "advise/purchase/procurement.h"

#include "advise/hardware/offers.h"
#include "advise/placement/placement.h"
#include "advise/search/search.h"
#include "estimate/money/long_run.h"
#include "estimate/time/device.h"
#include "spec/words.h"

#include <algorithm>
#include <set>

namespace ridgeline {
namespace {

constexpr double usual_utilization = 0.6;  // of the column "owned" where the buyer states none
constexpr int most_scale_points = 7;

std::optional<double> run_hours(const Option& option) {
    const Seconds total = option.estimate.time.total;
    return total > Seconds{} ? std::optional(total / hour) : std::nullopt;
}

CountPoint point_of(const Option& option) {
    CountPoint point;
    point.count = option.cluster.count;
    point.work_per_s = option.estimate.time.work_per_second();
    const CostEstimate& cost = option.estimate.cost;
    if (run_hours(option)) {
        point.total_s = option.estimate.time.total / second;
    }
    if (cost.offer) {
        point.usd = cost.usd_total > 0                ? std::optional(cost.usd_total)
                    : cost.usd_per_million_tokens > 0 ? std::optional(cost.usd_per_million_tokens)
                                                      : std::nullopt;
    }
    return point;
}

/// The accelerator of the best option at counts around it, whatever budget and deadline say.
std::vector<CountPoint> scaling_of(const Advice& advice, const Knowledge& knowledge) {
    const Option& best = advice.options.front();
    Query open = advice.query;
    open.budget_usd.reset();
    open.budget_usd_per_hour.reset();
    open.deadline_s.reset();
    open.max_accelerators.reset();
    open.exact_accelerators.reset();
    open.rack_kw.reset();
    open.method_open = false;
    open.all = true;
    open.workload.framework = best.workload.framework;  // counts compare on one stack alone
    const Search search = make_search(open, advice.architecture, knowledge);
    const Accelerator& part = *best.cluster.accelerator;
    const Candidate candidate{&part, *search.models};
    std::set<int> counts{best.cluster.count};
    for (int count = best.cluster.count; count > 1 && counts.size() < 4; count /= 2) {
        counts.insert(std::max(1, count / 2));
    }
    for (int count = best.cluster.count * 2; counts.size() < most_scale_points; count *= 2) {
        counts.insert(count);
    }
    std::vector<CountPoint> points;
    for (const int count : counts) {
        if (count == best.cluster.count) {
            points.push_back(point_of(best));
            continue;
        }
        const Trial trial = best_on(search, candidate, count);
        if (const auto* option = std::get_if<Option>(&trial.outcome)) {
            points.push_back(point_of(*option));
        }
    }
    return points;
}

/// The best option with what it was estimated from.
struct Bought {
    const Option& option;
    const SoftwareProfile& software;
    const Calibration& calibration;
    DeviceModel device;

    [[nodiscard]] EstimateInput input(const Architecture& architecture) const {
        return {architecture, option.workload, option.cluster, software, device, calibration};
    }
};

std::optional<Bought> bought(const Option& option, const Knowledge& knowledge) {
    const SoftwareProfile* software =
        knowledge.profiles.software_profile(option.workload.framework);
    if (software == nullptr) {
        return std::nullopt;
    }
    const Calibration& calibration = knowledge.profiles.calibration;
    return Bought{option, *software, calibration,
                  device_model(*option.cluster.accelerator, calibration)};
}

/// What the run costs when it is paid that way; spot instances may be taken away, which lengthens
/// it.
WayToPay way_of(const Offer* offer, double usd_per_hour, const EstimateInput& input,
                const Option& option) {
    WayToPay way;
    way.name = offer != nullptr ? name_of(offer->kind) : "owned";
    way.offer = offer;
    way.usd_per_hour = usd_per_hour;
    const TimeEstimate& time = option.estimate.time;
    if (time.run) {
        const bool spot = offer != nullptr && offer->kind == PriceKind::spot;
        const LongRun run = long_run(input, time, time.run->steps, spot);
        way.usd_run = usd_per_hour * (run.total / hour);
        way.usd_run_low = usd_per_hour * (run.low / hour);
        way.usd_run_high = usd_per_hour * (run.high / hour);
    } else if (const auto hours = run_hours(option)) {
        way.usd_run = usd_per_hour * *hours;
        way.usd_run_low = *way.usd_run * time.band.low;
        way.usd_run_high = *way.usd_run * time.band.high;
    }
    return way;
}

/// Owned, and the cheapest offer of each kind.
std::vector<WayToPay> ways_of(const Procurement& report, const EstimateInput& input) {
    const Option& best = report.advice.options.front();
    std::vector<WayToPay> ways;
    if (!report.owned) {
        if (const auto& offer = best.estimate.cost.offer) {
            ways.push_back(way_of(&*offer, best.estimate.cost.usd_per_hour, input, best));
        }
        return ways;
    }
    std::set<PriceKind> seen;
    for (const RentedInstead& rented : report.owned->rented) {  // of each kind the cheapest first
        if (!seen.insert(rented.offer->kind).second) {
            continue;
        }
        WayToPay way =
            way_of(rented.offer, rented.usd_per_accelerator_hour * best.cluster.count, input, best);
        way.break_even = rented.break_even;
        ways.push_back(std::move(way));
    }
    const double share = report.owned->utilization.value_or(usual_utilization);
    WayToPay own = way_of(
        nullptr, report.owned->cost.per_delivered_hour(share) * best.cluster.count, input, best);
    own.utilization = share;
    ways.push_back(std::move(own));
    return ways;
}

/// What it costs by each way to pay, what the figures rest on, and the operators below the roofs.
void add_estimated(Procurement& report, const Knowledge& knowledge) {
    const Option& best = report.advice.options.front();
    const auto from = bought(best, knowledge);
    if (!from) {
        return;
    }
    const EstimateInput input = from->input(report.advice.architecture);
    report.ways = ways_of(report, input);
    report.provenance = cited(knowledge.catalog, provenance_of(input, best.estimate));
    report.profile = operator_profile(input, best.estimate.time);
}

RunExtras extras_of(const SiteFigures& figures, const Option* best) {
    const auto given = [&](std::string_view id) -> std::optional<double> {
        const auto at = figures.given.find(id);
        return at == figures.given.end() ? std::nullopt : std::optional(at->second);
    };
    RunExtras extras;
    extras.lead_time_weeks = given("lead_time_weeks");
    const double months = best != nullptr && run_hours(*best)
                              ? std::max(1.0, *run_hours(*best) / hours_of_a_month)
                              : 1;
    if (given("storage_tb") && given("storage_usd_per_tb_month")) {
        extras.storage_usd = *given("storage_tb") * *given("storage_usd_per_tb_month") * months;
    }
    if (given("egress_tb") && given("egress_usd_per_tb")) {
        extras.egress_usd = *given("egress_tb") * *given("egress_usd_per_tb");
    }
    return extras;
}

}  // namespace

Procurement procurement(Advice advice, const Knowledge& knowledge, const SiteFigures& figures) {
    Procurement report;
    report.advice = std::move(advice);
    report.date = knowledge.today;
    const Option* best = report.advice.options.empty() ? nullptr : &report.advice.options.front();
    report.extras = extras_of(figures, best);
    report.site = site_of(knowledge.catalog, figures, &report.site_figures);
    if (best != nullptr) {
        if (auto owned = own(best->cluster, knowledge.catalog, figures, report.advice.query,
                             knowledge.today)) {
            report.owned = std::move(*owned);
        }
        report.power = power_plan(best->cluster, report.site);
        report.run_kwh = best->estimate.cost.kwh * report.site.pue;
        if (report.owned) {
            report.run_energy_usd = *report.run_kwh * report.owned->inputs.usd_per_kwh;
        }
        if (best->estimate.cost.watts > 0) {
            report.work_per_kwh =
                best->estimate.time.work_per_second() * 3.6e6 / best->estimate.cost.watts;
            const auto& tokens = best->workload.duration_tokens;
            if (tokens && best->estimate.cost.kwh > 0) {
                // Checkpoints and repeated work take power too.
                report.work_per_kwh = *tokens / best->estimate.cost.kwh;
            }
        }
        if (report.site.grid_gco2_per_kwh) {
            report.run_co2_kg = *report.run_kwh * *report.site.grid_gco2_per_kwh / 1000;
        }
        report.scaling = scaling_of(report.advice, knowledge);
        add_estimated(report, knowledge);
        report.sensitivities = sensitivities_of(report);
    }
    report.risks = risks_of(report);
    return report;
}

}  // namespace ridgeline
