#include "cli/placed.h"

#include "advise/offers.h"
#include "advise/plan_search.h"
#include "advise/plans.h"
#include "advise/query.h"
#include "advise/rules.h"
#include "cli/search_watch.h"
#include "estimate/estimate.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/disaggregation.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "estimate/uncertainty.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace ridgeline::cli {

namespace {

/// The stack that the document names, else the usual one for such work, as `advise` would take.
Result<const SoftwareProfile*> software_of(const World& world,
                                           const WorkloadDocument& document,
                                           int accelerators) {
    if (document.framework) {
        return software_named(world.profiles, *document.framework);
    }
    const auto usual = usual_software(world.profiles, document, accelerators);
    return usual.empty() ? software_named(world.profiles, "generic")
                         : Result<const SoftwareProfile*>(usual.front());
}

/// The parts of an estimate that do not depend on the plan.
struct Setting {
    const Architecture& architecture;
    const Cluster& cluster;
    const SoftwareProfile& software;
    const Calibration& calibration;
    DeviceModel device;
    LinkModel links;

    [[nodiscard]] EstimateInput input(const Workload& workload) const {
        return {.architecture = architecture,
                .workload = workload,
                .cluster = cluster,
                .software = software,
                .device = device,
                .calibration = calibration,
                .links = &links};
    }
};

Setting setting_of(const World& world,
                   const Architecture& architecture,
                   const Cluster& cluster,
                   const SoftwareProfile& software) {
    const Calibration& calibration = world.profiles.calibration;
    return {architecture,
            cluster,
            software,
            calibration,
            device_model(*cluster.accelerator, calibration),
            link_model(cluster, calibration)};
}

/// Replicas parted into prompts and decode, as a plan to weigh against the one that is shown.
void add_disaggregation(report::EstimateAnswer& answer, const EstimateInput& input) {
    // Slices of a card cannot send each other what they computed.
    const auto split = is_slice(*input.cluster.accelerator) ? std::nullopt : disaggregate(input);
    if (!split) {
        return;
    }
    const TimeEstimate& together = answer.estimate.time;
    answer.findings.push_back(
        {.rule = "disaggregated_serving",
         .severity = Severity::info,
         .message =
             fmt::format("{} replicas for prompts and {} for decode would give {:.2f} requests/s "
                         "(together {:.2f}), {:.0f} ms to the first token ({:.0f}) and {:.1f} "
                         "ms a token ({:.1f}); a request's cache takes {:.1f} ms to send",
                         split->prompt_replicas,
                         split->decode_replicas,
                         split->requests_per_second,
                         together.requests_per_second,
                         split->ttft / millisecond,
                         together.ttft / millisecond,
                         split->tpot / millisecond,
                         together.tpot / millisecond,
                         split->transfer / millisecond),
         .numbers = {{"prompt_replicas", split->prompt_replicas},
                     {"decode_replicas", split->decode_replicas},
                     {"requests_per_s", split->requests_per_second},
                     {"ttft_s", split->ttft / second},
                     {"tpot_s", split->tpot / second},
                     {"transfer_s", split->transfer / second}},
         .source = "arithmetic of the two phases; prompts wait as in an M/D/1 queue"});
}

report::EstimateAnswer answer_of(const World& world,
                                 const Setting& setting,
                                 const ResolvedWorkload& resolved,
                                 const Offer* offer) {
    const EstimateInput input = setting.input(resolved.workload);
    report::EstimateAnswer answer;
    answer.estimate = estimate(input, offer);
    answer.kept = kept_by_step(input);
    answer.provenance = provenance_of(input, answer.estimate);
    answer.architecture = setting.architecture;
    answer.workload = resolved.workload;
    answer.cluster = setting.cluster;
    answer.defaults = resolved.defaults;
    answer.findings = apply_rules({.architecture = answer.architecture,
                                   .workload = answer.workload,
                                   .cluster = answer.cluster,
                                   .estimate = answer.estimate,
                                   .catalog = world.catalog,
                                   .software = &setting.software});
    if (answer.workload.task == Task::inference) {
        answer.ttft_band = band_for(input.calibration, serving_kind(input, "ttft"));
        answer.tpot_band = band_for(input.calibration, serving_kind(input, "tpot"));
        add_disaggregation(answer, input);
    }
    return answer;
}

/// The fastest plan per sample that fits, else the one that needs the least memory; nothing when no
/// plan is legal. For serving, whose plans are few.
std::optional<Workload> best_serving_plan(const Setting& setting,
                                          const std::vector<Workload>& plans) {
    std::optional<Workload> fastest;
    std::optional<Workload> leanest;
    double best_time = 0;
    Bytes best_memory;
    for (const Workload& plan : plans) {
        if (!check_plan(setting.architecture, plan, setting.cluster)) {
            continue;
        }
        const EstimateInput input = setting.input(plan);
        const MemoryEstimate memory = estimate_memory(input);
        if (!leanest || memory.needed() < best_memory) {
            leanest = plan;
            best_memory = memory.needed();
        }
        if (memory.fits) {
            const double time = estimate_time(input).step / second / plan.batch.global;
            if (!fastest || time < best_time) {
                fastest = plan;
                best_time = time;
            }
        }
    }
    return fastest ? fastest : leanest;
}

/// The whole space of a training run.
PlanSearch search_training(const Setting& setting,
                           const Workload& workload,
                           const PlanFreedom& free,
                           bool front,
                           bool quiet) {
    SearchControl control{.comfortable = comfortable_share, .front = front};
    SearchWatch watch(quiet);
    watch.attach(control);
    return search_plans(
        setting.input(workload),
        whole_space(workload, setting.architecture, setting.software, setting.cluster, free),
        control);
}

}  // namespace

Result<report::EstimateAnswer> place(const World& world,
                                     const WorkloadDocument& document,
                                     const Architecture& architecture,
                                     const Cluster& cluster,
                                     const Offer* offer) {
    const auto software = software_of(world, document, cluster.count);
    if (!software) {
        return tl::unexpected(software.error());
    }
    const auto resolved = resolve(document, architecture, **software, cluster.count);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    if (const auto legal = check_plan(architecture, resolved->workload, cluster); !legal) {
        return tl::unexpected(legal.error());
    }
    return answer_of(world, setting_of(world, architecture, cluster, **software), *resolved, offer);
}

Result<report::EstimateAnswer> place_best(const World& world,
                                          const WorkloadDocument& document,
                                          const Architecture& architecture,
                                          const Cluster& cluster,
                                          const Offer* offer,
                                          const SearchDetail& detail) {
    const auto software = software_of(world, document, cluster.count);
    if (!software) {
        return tl::unexpected(software.error());
    }
    auto resolved = resolve(document, architecture, **software, cluster.count);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    const Setting setting = setting_of(world, architecture, cluster, **software);
    const PlanFreedom free = freedom_of(document);
    std::optional<PlanSearch> search;
    std::optional<Workload> best;
    if (resolved->workload.task == Task::train && !architecture.stacks.empty()) {
        search = search_training(setting, resolved->workload, free, detail.front, detail.quiet);
        if (const auto& found = search->best ? search->best : search->leanest) {
            best = with_plan(resolved->workload, *found);
        }
    } else {
        auto plans = enumerate_plans(resolved->workload, architecture, cluster, free);
        if (free.shape && (*software)->spreads.pipeline && !(*software)->spreads.tensor) {
            std::erase_if(plans, [](const Workload& plan) { return plan.plan.tensor > 1; });
        }
        best = best_serving_plan(setting, plans);
    }
    if (!best) {
        return input_error("--plan",
                           fmt::format("no legal plan on {} accelerators", cluster.count),
                           "Give another count, or state the parallel sizes.");
    }
    resolved->workload = *best;
    report::EstimateAnswer answer = answer_of(world, setting, *resolved, offer);
    if (search) {
        answer.searched = search->searched;
        answer.front = std::move(search->front);
    }
    return answer;
}

OperatorProfile profile_of(const World& world, const report::EstimateAnswer& answer) {
    const auto software = software_named(world.profiles, answer.workload.framework);
    if (!software) {
        return {};
    }
    const Setting setting = setting_of(world, answer.architecture, answer.cluster, **software);
    return operator_profile(setting.input(answer.workload), answer.estimate.time);
}

const Offer* offer_for(const Catalog& catalog, const Cluster& cluster, std::string_view kind) {
    Query query;
    query.price_kind = kind;
    return cheapest_offer(catalog,
                          query,
                          *cluster.accelerator,
                          cluster.count,
                          cluster.per_node,
                          cluster.machine);
}

}  // namespace ridgeline::cli
