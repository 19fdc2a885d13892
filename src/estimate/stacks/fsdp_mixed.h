#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

namespace ridgeline {

/// Whether `fsdp_mixed_script` says what the rank does: a plain loop whose layers FSDP1 shards,
/// fully trained with fp32 shards that are gathered in 16 bits, one micro-batch a step.
bool shards_mixed(const Rank& rank);

/// Two steps of a Trainer's run with FSDP1 on the computing stream (accelerate's preparation of a
/// model, accelerator.py): units are flattened on the device one by one, their 16-bit shards cast
/// to fp32 when all are there; the segments that this leaves serve the steps. What is gathered and
/// reduced lies in the pools of other streams.
///
/// library  of the BLAS workspaces, one for each pass
Script fsdp_mixed_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
