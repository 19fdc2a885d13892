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

/// Instructions that a kernel of rows and a matrix issues for a weight, in lanes of the units'
/// schedulers, waits included: to unpack it once, and for each row that it is multiplied with.
struct RowWork {
    double unpack = 0;
    double row = 0;
};

/// What ggml's kernels of up to eight rows (vecdotq.cuh, mul_mat_vec_q; Metal's are shaped alike)
/// issue for a weight of this type. Types of few bits take more: shifts and masks for each group of
/// a word, and scales of 16 weights that are picked out of bytes. Source: gguf_block.cpp
RowWork gguf_row_work(GgufBlock block);

/// The type that takes the place of one whose blocks do not divide a row of so many columns.
/// Source: llama.cpp src/llama-quant.cpp
GgufBlock gguf_block_of_rows(GgufBlock block, double columns);

}  // namespace ridgeline
