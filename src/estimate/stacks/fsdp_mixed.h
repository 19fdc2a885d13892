#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

namespace ridgeline {

/// Whether a script says what the rank does in a plain loop that accelerate shards: with version 1
/// of FSDP (`fsdp_mixed_script`) fully trained fp32 shards that are gathered in 16 bits, one
/// micro-batch a step; with version 2 (`fsdp2_script`) shards of any type, on the card or the host,
/// whose gradients are reduced after each micro-batch.
bool shards_mixed(const Rank& rank);

/// Two steps of a Trainer's run with FSDP1 on the computing stream (accelerate's preparation of a
/// model, accelerator.py): units are flattened on the device one by one, their 16-bit shards cast
/// to fp32 when all are there; the segments that this leaves serve the steps. What is gathered and
/// reduced lies in the pools of other streams.
///
/// library  of the BLAS workspaces, one for each pass
Script fsdp_mixed_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
