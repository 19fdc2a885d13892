#include "advise/placement/waiting.h"

#include "advise/plans/plans.h"
#include "advise/rules/rules.h"
#include "estimate/completed.h"
#include "estimate/estimate.h"
#include "estimate/serving/waiting.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

double served_rate(const Placement& placed) { return placed.estimate.time.requests_per_second; }

/// Estimates of a closed loop of which a part shares the cache while each of the others waits for
/// its turn, which comes as fast as requests end (Little's law). The time model lets more share it
/// where the card would hold them beyond the engine's share: what is stated or usual counts here.
Estimate estimate_of_part(const EstimateInput& input, const Workload& part, const Offer* offer,
                          MemoryEstimate memory) {
    const EstimateInput sharing = input.with(part);
    Estimate estimate =
        completed_estimate(sharing, offer, std::move(memory), estimate_time(sharing));
    TimeEstimate& time = estimate.time;
    const double others = input.workload.serving->concurrency - part.serving->concurrency;
    const double wait = time.requests_per_second > 0 ? others / time.requests_per_second : 0;
    time.ttft += Seconds::of_base(wait);
    if (time.load) {
        for (LoadSpread* spread : {&time.load->ttft, &time.load->end_to_end}) {
            for (double* each : {&spread->mean, &spread->p50, &spread->p90, &spread->p99}) {
                *each += wait;
            }
        }
    }
    return estimate;
}

/// Takes the requests that run for the whole load. false: it fits, or not one request does.
bool take_part(const Knowledge& knowledge, const SoftwareProfile& software, const Offer* offer,
               Placement& placed) {
    if (placed.estimate.memory.fits) {
        return false;
    }
    const Calibration& calibration = knowledge.profiles.calibration;
    const DeviceModel device = device_model(*placed.cluster.accelerator, calibration);
    const LinkModel links = link_model(placed.cluster, calibration);
    const EstimateInput input{.architecture = placed.architecture,
                              .workload = placed.workload,
                              .cluster = placed.cluster,
                              .software = software,
                              .device = device,
                              .calibration = calibration,
                              .links = &links};
    auto load = waiting_load(input);
    if (!load) {
        return false;
    }
    placed.estimate.memory = std::move(load->memory);
    const Serving& serving = *placed.workload.serving;
    const bool closed = serving.request_rate <= 0 && !serving.burst && !serving.trace;
    if (closed && load->card_holds_all && load->sharing < serving.concurrency) {
        Workload part = placed.workload;
        part.serving->concurrency = std::max(1.0, std::floor(load->sharing));
        placed.estimate = estimate_of_part(input, part, offer, placed.estimate.memory);
    }
    placed.findings = apply_rules({.architecture = placed.architecture,
                                   .workload = placed.workload,
                                   .cluster = placed.cluster,
                                   .estimate = placed.estimate,
                                   .catalog = knowledge.catalog,
                                   .software = &software});
    return true;
}

/// Where not one request has room, it is one that does not fit, not all of a load that would wait:
/// what is missing is told of it.
void need_of_one(const Knowledge& knowledge, const WorkloadDocument& document,
                 const Cluster& cluster, bool fits, Placement& placed) {
    const double copies = std::max(1, placed.workload.plan.data);
    if (fits || !placed.workload.serving || placed.workload.serving->concurrency <= copies) {
        return;
    }
    const double all = placed.workload.serving->concurrency;
    WorkloadDocument one = document;
    one.serving = *placed.workload.serving;
    one.serving->concurrency = copies;
    one.serving->request_rate = 0;
    one.micro_batch.reset();
    one.global_batch.reset();
    const auto alone = place(knowledge, one, placed.architecture, cluster, nullptr);
    if (alone && !alone->estimate.memory.fits) {
        placed.estimate.memory = alone->estimate.memory;
        placed.note += fmt::format("{}That is with one request: not one of the {:.0f} has room.",
                                   placed.note.empty() ? "" : " ", all);
    }
}

}  // namespace

void let_requests_wait(const Knowledge& knowledge, const WorkloadDocument& document,
                       const Cluster& cluster, const Offer* offer, Placement& placed) {
    if (placed.workload.task != Task::inference || placed.architecture.stacks.empty()) {
        return;
    }
    const auto software = software_named(knowledge.profiles, placed.workload.framework);
    if (!software || !(*software)->engine.lets_requests_wait()) {
        return;
    }
    const bool all_run = placed.estimate.memory.fits;
    bool fits = all_run || take_part(knowledge, **software, offer, placed);
    const PlanFreedom freedom = freedom_of(document);
    if (!freedom.shape || cluster.count < 2) {
        need_of_one(knowledge, document, cluster, fits, placed);
        return;
    }
    const Plan first = placed.workload.plan;
    for (const Workload& plan :
         enumerate_plans(placed.workload, placed.architecture, placed.cluster, freedom)) {
        if (plan.plan == first || plan.plan.context > 1) {
            continue;
        }
        WorkloadDocument stated = document;
        stated.framework = (*software)->id;
        stated.data = plan.plan.data;
        stated.tensor = plan.plan.tensor;
        stated.pipeline = plan.plan.pipeline;
        stated.context = plan.plan.context;
        auto other = place(knowledge, stated, placed.architecture, cluster, offer);
        if (!other || !take_part(knowledge, **software, offer, *other)) {
            continue;
        }
        const double least = served_rate(placed) * (all_run ? worth_waiting : 1);
        if (!fits || served_rate(*other) > least) {
            placed = std::move(*other);
            fits = true;
        }
    }
    need_of_one(knowledge, document, cluster, fits, placed);
}

}  // namespace ridgeline
