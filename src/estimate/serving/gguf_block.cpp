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
