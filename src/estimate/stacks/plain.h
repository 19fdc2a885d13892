#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

namespace ridgeline {

/// Two steps of a run on one card, or of one rank that shares nothing of its weights: the Trainer
/// of Transformers and plain loops (tests/oracle/huggingface_flow.py runs the real ones).
///
/// library  of the BLAS workspaces
Script plain_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
