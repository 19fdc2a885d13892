#include "estimate/stacks/sharding.h"

#include "base/dtype.h"

namespace ridgeline {

bool shards_weights(Sharding sharding) {
    return sharding == Sharding::fsdp || sharding == Sharding::hsdp || sharding == Sharding::zero3;
}
bool shards_gradients(Sharding sharding) {
    return shards_weights(sharding) || sharding == Sharding::zero2;
}
bool shards_states(Sharding sharding) {
    return shards_gradients(sharding) || sharding == Sharding::zero1;
}

double shard_share(const Plan& plan, bool sharded) {
    const int group = plan.shard_group > 0 ? plan.shard_group : plan.data;
    return sharded && plan.data > 1 ? 1.0 / group : 1;
}

bool plain_sgd(const Workload& workload, const SoftwareProfile& software) {
    return workload.optimizer == "sgd" && software.runtime.options.plain_sgd;
}

double zero_bucket_elements(const Plan& plan, const SoftwareProfile& software) {
    const bool sharded = shards_states(plan.sharding) && plan.sharding != Sharding::fsdp &&
                         plan.sharding != Sharding::hsdp;
    constexpr double of_deepspeed = 5e8;
    const bool automatic = plan.sharding == Sharding::zero3;
    const bool engine = software.runtime.runs_deepspeed(plan.sharding) && !automatic;
    const double stated = software.runtime.options.bucket_elements;
    return !sharded ? 0 : stated > 0 ? stated : engine ? of_deepspeed : 0;
}

// 8-bit and 4-bit states carry fp32 block scales (bitsandbytes: blocks of 256; torchao 4-bit:
// blocks of 128).
double state_bytes(const Workload& workload, const SoftwareProfile& software) {
    if (plain_sgd(workload, software)) {
        return 0;
    }
    double moment = bytes_per_element(workload.optimizer_state);
    if (workload.optimizer_state == DType::int8) {
        moment += 4.0 / 256;
    } else if (workload.optimizer_state == DType::int4 || workload.optimizer_state == DType::fp4) {
        moment += 4.0 / 128;
    }
    if (workload.optimizer == "sgd" || workload.optimizer == "lion" ||
        workload.optimizer == "muon" || workload.optimizer == "adagrad" ||
        workload.optimizer == "novograd") {
        return moment;
    }
    if (workload.optimizer == "adafactor") {
        return 0;  // factored: one row and one column vector a matrix
    }
    return 2 * moment;
}

}  // namespace ridgeline
