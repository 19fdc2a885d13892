// What a plan moves to the memory of the host.
#include "estimate/memory/amounts.h"
#include "estimate/memory/instants.h"

namespace ridgeline {

double host_bytes(const Rank& rank) {
    const Plan& plan = rank.plan();
    const StageParameters& p = rank.parameters;
    double bytes = 0;
    if (plan.offload_optimizer == OffloadTarget::cpu) {
        // The host updates: gradients arrive beside the states.
        const double state = rank.state + (rank.workload().master_weights ? 4 : 0);
        bytes += rank.trained_bytes(state + rank.gradient, state + rank.adapter,
                                    shards_states(plan.sharding));
    }
    if (plan.offload_parameters == OffloadTarget::cpu && shards_weights(plan.sharding)) {
        bytes += rank.trained_bytes(rank.weight, rank.adapter, true) +
                 ((p.frozen_plain + p.frozen_tables) * rank.weight + p.quantized_storage) /
                     rank.dense(true);
    }
    if (plan.offload_activations != OffloadTarget::nvme &&
        keeps_layers_on_host(plan, rank.software().support)) {
        bytes += layer_activations(rank).one_micro_batch * rank.stage.in_flight;
    }
    return bytes;
}

}  // namespace ridgeline
