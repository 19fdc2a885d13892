#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/time/collective.h"

namespace ridgeline {

/// Parameters of one rank that data parallelism and the optimizer work on.
struct RankParameters {
    double dense = 0;  ///< resident, experts apart
    double expert = 0;
    double dense_trained = 0;  ///< with a gradient
    double expert_trained = 0;
    double layers = 1;  ///< units that are gathered or reduced one after another
};

/// Device time that the passes of one optimizer step leave for communication to hide behind.
struct Windows {
    double forward = 0;  ///< of one micro-batch
    double backward = 0;
    double micro_batches = 1;
};

/// Data-parallel communication of one optimizer step, seconds.
struct DataParallelTime {
    double total = 0;    ///< all collectives
    double exposed = 0;  ///< not hidden behind the passes
    Tier worst_tier = Tier::measured;
};

/// Ranks that hold copies of one weight shard's gradient: data x context.
int data_parallel_ranks(const Plan& plan);

/// Gradient reduction and weight gathering as the plan's sharding asks: all-reduce (none, ddp),
/// reduce -scatter and all-gather once a step (zero1) or once a micro-batch (zero2, zero3, fsdp,
/// hsdp).
DataParallelTime data_parallel_time(const EstimateInput& input, const LinkModel& links,
                                    const RankParameters& rank, const Windows& windows);

/// Optimizer step as the bytes it moves: gradients, states, master weights and weights of the
/// parameters that one rank updates, and the passes of gradient clipping. Seconds.
double optimizer_time(const EstimateInput& input, const RankParameters& rank);

/// Offloaded weights over the host link in every pass, and an offloaded optimizer: gradients out,
/// the update in the host's memory, weights back; of paged states what the device has no room for.
/// Nothing hides it. Seconds of one optimizer step.
double offload_time(const EstimateInput& input, const RankParameters& rank, double micro_batches);

/// A drive of one node, bytes a second.
struct DriveRates {
    double read = 0;
    double write = 0;
};

/// That of the storage that is stated, which writes as it reads where nobody knows better; else of
/// the drive that is assumed in the cluster's nodes.
DriveRates drive_rates(const EstimateInput& input);

/// What ZeRO-Infinity reads and writes of the drive of a node that its accelerators share, seconds
/// of one optimizer step: states and fp32 gradients of an offloaded optimizer both ways (DeepSpeed
/// deepspeed/runtime/swap_tensor/partitioned_optimizer_swapper.py), weights in every pass and once
/// back. Nothing hides it: the pipelined swapping is off unless it is asked for.
double drive_time(const EstimateInput& input, const RankParameters& rank, double micro_batches);

/// What offloaded activations leave visible: a stream of its own sends them to the host beside the
/// forward pass and fetches them beside the backward pass; what the link needs longer than a pass
/// is waited for. 0 when they stay on the device or the link is unknown.
///
/// kept  bytes of one micro-batch
double activation_offload_time(const EstimateInput& input, double kept, const Windows& windows);

}  // namespace ridgeline
