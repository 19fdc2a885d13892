#include "estimate/memory/communicators.h"

#include "estimate/memory/counters.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Stages of a pipeline lie farthest apart: a rank's neighbours are in its node where several
/// stages are.
int neighbours(const Plan& plan, const Cluster& cluster) {
    if (plan.pipeline <= 1) {
        return 0;
    }
    const int stages_of_node =
        std::min(plan.pipeline, cluster.per_node * plan.pipeline / std::max(1, cluster.count));
    const int both_sides = plan.pipeline > 2 ? 2 : 1;
    return std::clamp(stages_of_node - 1, 0, both_sides);
}

/// Ranks of the node that hold other experts, for each of which a rank has tokens.
int expert_peers(const Plan& plan, const Cluster& cluster) {
    const int of_node = std::max(1, cluster.per_node / std::max(1, plan.tensor));
    return std::max(0, std::min(plan.expert, of_node) - 1);
}

}  // namespace

Communicators communicators(const Workload& workload, const Cluster& cluster, const Plan& plan) {
    if (cluster.count <= 1) {
        return {};
    }
    if (workload.task != Task::train) {
        // Copies of a served model exchange nothing.
        const int ranks = plan.tensor * plan.pipeline * plan.context * plan.expert;
        return {.groups = ranks > 1 ? 1 : 0};
    }
    const int replicas = plan.data * plan.context;
    const bool shards = plan.shard_group > 1 && plan.shard_group < plan.data;
    const bool experts = plan.expert > 1;
    const int reducing = (plan.tensor > 1 ? 1 : 0) + (plan.context > 1 ? 1 : 0) +
                         (replicas > 1 ? 1 : 0) + (shards ? 1 : 0) +
                         (experts && replicas > plan.expert ? 1 : 0);
    const int others = (experts ? 1 : 0) + (plan.pipeline > 1 ? 1 : 0);
    const int all = reducing + others > 1 ? 1 : 0;
    return {.groups = std::max(1, reducing + all),
            .peers = neighbours(plan, cluster) + expert_peers(plan, cluster)};
}

double communication_bytes(const EstimateInput& input, const Plan& plan) {
    const Accelerator& part = *input.cluster.accelerator;
    const ContextCalibration* row = context_of(input.calibration, part);
    if (row == nullptr) {
        return 0;
    }
    const Communicators made = communicators(input.workload, input.cluster, plan);
    // Over PCIe a pair of ranks has a channel or two, over NVLink as many as it has links.
    const double peers = part.has_nvlink() ? made.peers : 0;
    return (made.groups * row->collective_mib + peers * row->peer_mib) * mebibyte.base();
}

}  // namespace ridgeline
