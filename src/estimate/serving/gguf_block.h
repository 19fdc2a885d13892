#pragma once

namespace ridgeline {

/// Block types of ggml that weights are stored in.
enum class GgufBlock {
    f32,
    f16,
    bf16,
    q4_0,
    q4_1,
    q5_0,
    q5_1,
    q8_0,
    q2_k,
    q3_k,
    q4_k,
    q5_k,
    q6_k,
    iq1_s,
    iq1_m,
    iq2_xxs,
    iq2_xs,
    iq2_s,
    iq3_xxs,
    iq3_s,
    iq4_nl,
    iq4_xs,
    tq1_0,
    tq2_0,
    mxfp4,
    count_
};

/// Bits of one weight, scales included.
double gguf_bits(GgufBlock block);
/// The type that takes the place of one whose blocks do not divide a row of so many columns.
/// Source: llama.cpp src/llama-quant.cpp
GgufBlock gguf_block_of_rows(GgufBlock block, double columns);

}  // namespace ridgeline
