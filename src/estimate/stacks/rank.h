#pragma once

#include "estimate/input.h"
#include "estimate/stacks/block_memory.h"
#include "estimate/stacks/sharding.h"
#include "estimate/stacks/stage.h"
#include "estimate/work/operator.h"

#include <vector>

namespace ridgeline {

/// What one rank of one stage holds, by which stacks write its script. The references are to what
/// plans share that differ only in sharding, recomputation or offload
/// (estimate/memory/training_peak.h).
struct Rank {
    const EstimateInput& input;
    const OperatorList& list;
    const std::vector<BlockMemory>& blocks;
    const Stage& stage;
    const StageParameters& parameters;

    double dense_group = 1;  ///< ranks that share one copy of the dense states
    double expert_group = 1;
    double micro_batches = 1;

    // Per-parameter bytes.
    double weight = 2;
    double gradient = 2;
    double compute = 2;
    double adapter = 4;
    double state = 8;  ///< of the optimizer

    [[nodiscard]] const Workload& workload() const { return input.workload; }
    [[nodiscard]] const SoftwareProfile& software() const { return input.software; }
    [[nodiscard]] const Plan& plan() const { return input.workload.plan; }
    [[nodiscard]] double dense(bool sharded) const { return sharded ? dense_group : 1; }
    [[nodiscard]] double expert(bool sharded) const { return sharded ? expert_group : 1; }
    [[nodiscard]] double trained() const {
        return parameters.trained_dense + parameters.trained_expert + parameters.adapters;
    }
    /// Bytes of `bytes` for every trained parameter, divided where sharded.
    [[nodiscard]] double trained_bytes(double base, double adapters, bool sharded) const {
        return parameters.trained_dense * base / dense(sharded) +
               parameters.trained_expert * base / expert(sharded) +
               parameters.adapters * adapters / dense(sharded);
    }
};

/// FSDP or HSDP over more than one rank.
bool uses_fsdp(const Rank& rank);
/// The loop sums gradients of several micro-batches whole and reduces them once (no_sync).
/// DeepSpeed's engine reduces each, and the Trainer leaves no_sync out for it.
bool sums_whole_gradients(const Rank& rank);
/// Bytes of the cosines and sines of all positions that each layer holds.
double rotary_table_bytes(const Rank& rank);
/// The linear weights of layers are gathered in the type of their fp8 products. torchtitan asks for
/// it where data-parallel ranks shard the weights; a group of context-parallel ranks alone gathers
/// 16 bits. Grouped products of experts stay in 16 bits.
bool gathers_float8(const Rank& rank);
/// Whether the allocator's segments grow: where the stack asks for it and the device can. PyTorch
/// on ROCm builds without the driver's virtual memory (c10/cuda/CUDACachingAllocator.cpp,
/// PYTORCH_C10_DRIVER_API_SUPPORTED) and warns that the setting does nothing.
bool expandable_segments(const Rank& rank);
/// FSDP wraps the tables as units of their own: where a stack says so, and where accelerate shards
/// by parameter and they are not tied.
bool has_table_units(const Rank& rank);
/// Bytes of the logits as the head makes them for one micro-batch.
double logits_bytes(const Rank& rank);
/// Bytes of the logits that the loop holds while the layers run back.
double held_logits(const Rank& rank);
/// Those logits among the tensors of the block with the loss; no_tensor: it holds none.
int held_logits_of(const Rank& rank, const Block& block);
/// The sum of the gradients of a tied table is a third tensor: that of the head's product is a
/// transposed view, into which autograd does not add (torch input_buffer.cpp). A fused loss makes
/// one of its own.
bool sums_tied_apart(const Rank& rank);
/// Parameters of embeddings whose moments a trainer tells bitsandbytes to keep in 32 bits
/// (Transformers trainer.py, GlobalOptimManager). A stack whose quantised parts are those of
/// bitsandbytes is known by its k-bit preparation, a trainer by its dropped outputs.
double wide_states(const Rank& rank);
/// Bytes of the workspaces that torch takes from its allocator for the BLAS library, at its first
/// product of each pass: autograd's thread has a handle of its own (PyTorch
/// CublasHandlePool.cpp, 2.2 to 2.8: 4096 x 8 KiB each from Hopper on, else 4096 x 2 + 16 x 8 KiB).
/// 0 where the part's generation is unknown.
double torch_workspaces(const Accelerator* part);
/// A part whose libraries take larger workspaces.
bool hopper_or_later(const Accelerator& part);

}  // namespace ridgeline
