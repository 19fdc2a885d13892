#pragma once

#include "estimate/families/transformer/block_builder.h"

namespace ridgeline {

/// What the score-softmax-value core of a layer works on, on one rank.
struct AttentionCore {
    double heads = 0;     ///< query heads on this rank
    double kv_heads = 0;  ///< key and value heads on this rank
    double qk_dim = 0;
    double v_dim = 0;
    double cached = 0;  ///< elements of the cache that one key of one sample costs here
    bool causal = true;
    double window = 0;
    bool sinks = false;
    bool softmax_fp32 = true;
    bool bias = false;  ///< a trained bias for each head and pair of positions (T5)
    double softcap = 0;
    double relative_rows = 0;  ///< positions that queries and keys meet beside each other (DeBERTa)
    double keys = 0;  ///< keys of a sample where they are not the pass's (encoder); 0: those
};

/// Adds the core to the block. Returns its output [tokens, heads x v_dim].
///
/// q, k, v  its operands; rest: bytes of the fused product's buffer besides v, where v is a view
/// that keeps all of it.
int add_attention_core(BlockBuilder& builder, const AttentionCore& core, int q, int k, int v,
                       double rest = 0);

/// Multiplies attention's output by the sigmoid of `gate`, half of what the query projection made
/// (state_mixer.cpp, as models with states have it). Returns the product.
int add_attention_gate(BlockBuilder& builder, int context, int gate, double elements);

}  // namespace ridgeline
