#include "estimate/serving/gguf_block.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace ridgeline {
namespace {

using enum GgufBlock;

struct BlockSize {
    double weights;
    double bytes;
};
/// ggml block structs (ggml-common.h), in the order of GgufBlock.
constexpr std::array<BlockSize, static_cast<std::size_t>(count_)> block_sizes{{
    {1, 4},     {1, 2},    {1, 2},     {32, 18},   {32, 20},   {32, 22},   {32, 24},
    {32, 34},   {256, 84}, {256, 110}, {256, 144}, {256, 176}, {256, 210}, {256, 50},
    {256, 56},  {256, 66}, {256, 74},  {256, 82},  {256, 98},  {256, 110}, {32, 18},
    {256, 136}, {256, 54}, {256, 66},  {32, 17},
}};

const BlockSize& size_of(GgufBlock block) { return block_sizes[static_cast<std::size_t>(block)]; }

}  // namespace

RowWork gguf_row_work(GgufBlock block) {
    // A row more: what passes of 4 to 8 rows take longer, on RTX 3090 (ggml-org/llama.cpp #5434,
    // #15802), RX 6800 (#5351), P40 (#5434) and RX 7900 XTX (#26705): 3.1 to 3.6 of legacy types,
    // 4.2 of q2_k, 6.2 to 6.4 of q4_k. Unpacking: what is left of passes of 8 rows, and of single
    // rows of q2_k (10 to 17 in all) and q3_k (14 to 16) there, on RTX 3060 and on an M2.
    constexpr RowWork legacy{3.1, 3.1};
    switch (block) {
        case q2_k:
            return {9, 4.2};
        case q3_k:
            return {11, 4.2};
        case q4_k:
        case q5_k:
        case q6_k:
            return {1.5, 6.3};
        case iq1_s:
        case iq1_m:
        case iq2_xxs:
        case iq2_xs:
        case iq2_s:
        case iq3_xxs:
        case iq3_s:
            return {8, 2.8};  // by a table: iq3_s on RTX 3090, #8215
        case f32:
        case f16:
        case bf16:
            return {};
        default:
            return legacy;
    }
}

double gguf_bits(GgufBlock block) { return 8 * size_of(block).bytes / size_of(block).weights; }

GgufBlock gguf_block_of_rows(GgufBlock block, double columns) {
    const auto divides = [columns](GgufBlock type) {
        return std::fmod(columns, size_of(type).weights) == 0;
    };
    if (columns <= 0 || divides(block)) {
        return block;
    }
    GgufBlock other = q4_0;
    switch (block) {
        case q4_k:
            other = q5_0;
            break;
        case q5_k:
            other = q5_1;
            break;
        case q6_k:
            other = q8_0;
            break;
        case q2_k:
        case q3_k:
        case tq1_0:
        case tq2_0:
            other = q4_0;
            break;
        default:
            other = iq4_nl;
            break;
    }
    return divides(other) ? other : f16;
}

}  // namespace ridgeline
