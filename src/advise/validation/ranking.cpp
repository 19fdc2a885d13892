#include "advise/validation/ranking.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace ridgeline {
namespace {

using Work = std::vector<const RankedRun*>;

bool same_model(const Measurement& a, const Measurement& b) {
    const Architecture& one = a.architecture;
    const Architecture& other = b.architecture;
    return one.stacks == other.stacks && one.vocabulary == other.vocabulary &&
           one.tied_embeddings == other.tied_embeddings;
}

bool same_work(const Measurement& a, const Measurement& b) {
    const auto key = [](const WorkloadDocument& w) {
        return std::tie(w.task, w.method, w.weights, w.compute, w.quantization, w.has_lora,
                        w.lora_rank, w.lora_targets, w.global_batch, w.sequence_length,
                        w.image_size);
    };
    return a.metric == b.metric && key(a.workload) == key(b.workload) && same_model(a, b);
}

bool same_plan(const WorkloadDocument& a, const WorkloadDocument& b) {
    const auto key = [](const WorkloadDocument& w) {
        return std::tie(w.data, w.tensor, w.pipeline, w.virtual_pipeline, w.context, w.expert,
                        w.sequence_parallel, w.sharding, w.shard_group, w.reshard_after_forward,
                        w.reduce_each_micro_batch, w.micro_batch, w.recompute,
                        w.full_recompute_layers, w.offload_optimizer, w.offload_parameters,
                        w.offload_activations);
    };
    return key(a) == key(b);
}

bool same_machine(const Measurement& a, const Measurement& b) {
    return a.accelerator == b.accelerator && a.count == b.count && a.per_node == b.per_node &&
           a.fabric == b.fabric;
}

std::vector<Work> works_of_runs(const std::vector<RankedRun>& runs) {
    std::vector<Work> works;
    for (const RankedRun& run : runs) {
        const auto same = std::find_if(works.begin(), works.end(), [&](const Work& work) {
            return same_work(work.front()->measurement, run.measurement);
        });
        if (same == works.end()) {
            works.push_back({&run});
        } else {
            same->push_back(&run);
        }
    }
    return works;
}

/// Pairs between two groups of near-duplicates.
struct Pairs {
    int all = 0;
    int right = 0;
};

}  // namespace

RankingSummary ranking_of(const std::vector<RankedRun>& runs) {
    RankingSummary summary;
    double groups = 0;
    double right = 0;
    for (const Work& work : works_of_runs(runs)) {
        std::map<std::pair<std::string, std::string>, Pairs> between;
        for (std::size_t i = 0; i < work.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Measurement& a = work[i]->measurement;
                const Measurement& b = work[j]->measurement;
                const bool same = same_machine(a, b) && same_plan(a.workload, b.workload);
                const auto [fast, slow] = std::minmax(a.measured, b.measured);
                if (same || slow <= fast * (1 + least_difference)) {
                    continue;
                }
                Pairs& pairs = between[std::minmax(a.group, b.group)];
                ++pairs.all;
                pairs.right +=
                    (a.measured < b.measured) == (work[i]->predicted < work[j]->predicted) ? 1 : 0;
            }
        }
        summary.works += between.empty() ? 0 : 1;
        for (const auto& [names, pairs] : between) {
            summary.pairs += pairs.all;
            summary.right += pairs.right;
            groups += 1;
            right += static_cast<double>(pairs.right) / pairs.all;
        }
    }
    summary.right_share = groups > 0 ? right / groups : 0;
    return summary;
}

}  // namespace ridgeline
