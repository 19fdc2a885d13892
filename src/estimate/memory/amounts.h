#pragma once

#include "estimate/memory/rank.h"

namespace ridgeline {

/// Bytes that the layers of a stage keep for the backward pass, and need while one of them runs
/// back.
struct LayerActivations {
    double total = 0;                ///< kept by all layers of all micro-batches in flight
    double one_micro_batch = 0;      ///< kept by the layers of one micro-batch
    double last_kept = 0;            ///< kept by the layer whose backward pass runs first
    double last_full = 0;            ///< what that layer keeps without recomputation
    double backward_extra = 0;       ///< of that layer
    double backward_extra_last = 0;  ///< of that layer beside all gradients (BlockMemory)
    double forward_extra = 0;  ///< the most that a layer needs beside what it keeps to run forward
    double input = 0;          ///< residual stream of one layer
};

LayerActivations layer_activations(const Rank& rank);
/// Bytes that the blocks before or after the layers keep.
double end_kept(const Rank& rank, Block::Position position);
/// With full recomputation: what dispatchers of experts hold of layers whose backward pass is over.
/// Megatron-Core's remembers the routing weights of the last pass, whose graph holds the layer's
/// input and the gradient of it until the layer runs again (tests/oracle/megatron_steps.py).
double held_by_dispatchers(const Rank& rank);
/// Share of the gradients that exist before this step's backward pass has made any.
bool gradients_always(const Rank& rank);
/// Bytes of the 16-bit copies of fp32 weights that autocast holds until the loss is made, of layers
/// that keep none for their backward pass (autocast_mode.cpp, cached_cast).
double held_casts(const Rank& rank);
/// Elements of them: tokens x vocabulary of the rank.
double logit_count(const Rank& rank);
/// Bytes of the logits of earlier micro-batches that the pipeline's schedule holds.
double earlier_logits(const Rank& rank);
/// Bytes that are free at the loss and fit nothing of it, where samples have one length
/// (tests/oracle/allocator_replay.py finds the same sums):
/// - 16-bit logits freed before the loss runs back: of its fp32 tensors, twice their size, the
/// first
///   takes the place of the forward pass's copy, the second finds none;
/// - where the loop holds the last step's outputs while it makes the next: of the three fp32 blocks
/// of
///   that step's loss the new 16-bit logits split one, and the old ones' block is free too late, so
///   that of the new step's three one finds no block (tests/oracle/huggingface_flow.py, loop=loop);
/// - what a recomputed layer's forward pass took and gave back, in segments of their own sizes;
/// - between what layers with experts keep (RuntimeProfile::fragmentation_experts).
double hole_at_loss(const Rank& rank, const LayerActivations& layers);
/// Trained parameters of the unit with the tables before the layers.
double last_unit(const Rank& rank);
/// FSDP2 reduces the gradients of the tables before the layers when the layers are done.
bool reduces_tables_last(const Rank& rank);
/// Share of all gradients that exist when the backward pass of the first-run layer begins.
double head_gradient_share(const Rank& rank);
/// Share of all gradients that the tables before the layers get, when the layers are done.
double last_gradient_share(const Rank& rank);
/// Parameters of an embedding that trains and whose weight the head shares on this rank.
double tied_table(const Rank& rank);
/// Old bitsandbytes stores the input of a 4-bit product as an attribute of its autograd node, every
/// one that of an 8-bit product; it lives as long as the graph: a loop whose variable holds the
/// last loss until the next one is made has two sets of inputs at the head of a forward pass. They
/// are of one size where samples are cut or packed to one length; a length that is no multiple of
/// 64 is that of the longest of ragged samples, whose neighbours are short.
bool holds_last_inputs(const Rank& rank);

}  // namespace ridgeline
