#include "advise/placement/setting.h"

#include "advise/rules/rules.h"
#include "advise/stacks/usual.h"
#include "estimate/serving/disaggregation.h"
#include "estimate/uncertainty.h"
#include "spec/chip_support.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <string>
#include <utility>

// What an estimate on one cluster is made from, and what an answer shows beside it.

namespace ridgeline {
namespace {

/// Replicas parted into prompts and decode, as a plan to weigh against the one that is shown.
void add_disaggregation(Placement& answer, const EstimateInput& input) {
    // Slices of a card cannot send each other what they computed.
    const auto split = is_slice(*input.cluster.accelerator) ? std::nullopt : disaggregate(input);
    if (!split) {
        return;
    }
    const TimeEstimate& together = answer.estimate.time;
    answer.findings.push_back(
        {.rule = "disaggregated_serving",
         .severity = Severity::info,
         .message = fmt::format(
             "{} replicas for prompts and {} for decode would give {:.2f} requests/s "
             "(together {:.2f}), {:.0f} ms to the first token ({:.0f}) and {:.1f} "
             "ms a token ({:.1f}); a request's cache takes {:.1f} ms to send",
             split->prompt_replicas, split->decode_replicas, split->requests_per_second,
             together.requests_per_second, split->ttft / millisecond, together.ttft / millisecond,
             split->tpot / millisecond, together.tpot / millisecond, split->transfer / millisecond),
         .numbers = {{"prompt_replicas", split->prompt_replicas},
                     {"decode_replicas", split->decode_replicas},
                     {"requests_per_s", split->requests_per_second},
                     {"ttft_s", split->ttft / second},
                     {"tpot_s", split->tpot / second},
                     {"transfer_s", split->transfer / second}},
         .source = "arithmetic of the two phases; prompts wait as in an M/D/1 queue"});
}

}  // namespace

Result<const SoftwareProfile*> software_of(const Knowledge& knowledge,
                                           const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Accelerator& part, int accelerators) {
    if (document.framework) {
        return software_named(knowledge.profiles, *document.framework);
    }
    const auto usual =
        usual_software(knowledge.profiles, document, architecture, part, accelerators);
    if (usual.empty()) {
        return input_error("profiles/software", "no profile is usual for such work",
                           "One whose \"usual_for\" holds {} is for anything.");
    }
    return usual.front();
}

Result<void> check_chip(const WorkloadDocument& document, const SoftwareProfile& software,
                        const Cluster& cluster) {
    const auto [flag, why, remedy] = chip_conflict(document, software, *cluster.accelerator);
    return flag.empty() ? Result<void>() : input_error(std::string(flag), why, std::string(remedy));
}

Setting setting_of(const Knowledge& knowledge, const Architecture& architecture,
                   const Cluster& cluster, const SoftwareProfile& software,
                   std::shared_ptr<Models> models) {
    models = models ? models : std::make_shared<Models>(knowledge);
    return {architecture,
            cluster,
            software,
            knowledge.profiles.calibration,
            models,
            models->device(*cluster.accelerator),
            models->links(cluster)};
}

Placement answer_of(const Knowledge& knowledge, const Setting& setting,
                    const ResolvedWorkload& resolved, Estimate estimated) {
    const EstimateInput input = setting.input(resolved.workload);
    Placement answer;
    answer.estimate = std::move(estimated);
    answer.kept = kept_by_step(input);
    answer.provenance = cited(knowledge.catalog, provenance_of(input, answer.estimate));
    answer.architecture = setting.architecture;
    answer.workload = resolved.workload;
    answer.cluster = setting.cluster;
    answer.defaults = resolved.defaults;
    answer.findings = apply_rules({.architecture = answer.architecture,
                                   .workload = answer.workload,
                                   .cluster = answer.cluster,
                                   .estimate = answer.estimate,
                                   .catalog = knowledge.catalog,
                                   .software = &setting.software});
    if (answer.workload.task == Task::inference) {
        answer.ttft_band = band_for(input.calibration, serving_kind(input, "ttft"));
        answer.tpot_band = answer.estimate.time.above_floor(
            band_for(input.calibration, serving_kind(input, "tpot")));
        add_disaggregation(answer, input);
    }
    return answer;
}

}  // namespace ridgeline
