#pragma once

#include "spec/software_profile.h"
#include "spec/workload.h"

namespace ridgeline {

/// Whether data-parallel ranks each hold a part of the weights, of the gradients, of the optimizer
/// states.
bool shards_weights(Sharding sharding);
bool shards_gradients(Sharding sharding);
bool shards_states(Sharding sharding);

/// Share of a part that one data-parallel rank holds, where they shard it.
double shard_share(const Plan& plan, bool sharded);

/// Gradients that a stack's ZeRO reduces at a time; of DeepSpeed under a trainer its default
/// (zero/config.py), but in stage 3, whose bucket trainers of Transformers make hidden^2, too small
/// to count ("auto": transformers/integrations/deepspeed.py).
double zero_bucket_elements(const Plan& plan, const SoftwareProfile& software);

/// Bytes of optimizer state a trained parameter needs.
double state_bytes(const Workload& workload, const SoftwareProfile& software);
/// Stochastic gradient descent that keeps nothing: weights move by their gradients, in place.
bool plain_sgd(const Workload& workload, const SoftwareProfile& software);

/// Gradients that DistributedDataParallel exchanges at a time (torch, bucket_cap_mb).
inline constexpr double ddp_bucket_bytes = 25.0 * 1024 * 1024;

}  // namespace ridgeline
