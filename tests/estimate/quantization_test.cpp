// Bytes of quantised matrices against the tensors that each format stores, counted by hand from its
// published layout (GGUF: gguf_test.cpp).
#include "estimate/work/quantization.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

double stored(const std::string& name, double rows, double columns, bool twice = false) {
    const QuantFormat* format = quant_format(name);
    BOOST_REQUIRE_MESSAGE(format != nullptr, "no format " << name);
    return quantized_bytes(*format, rows, columns, twice);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(quantization)

// gate_proj of Llama-3.1-8B: 14336 x 4096 = 58,720,256 weights, 917,504 blocks of 64.
BOOST_AUTO_TEST_CASE(nf4_stores_codes_block_scales_and_a_table) {
    // Half a byte each, one fp32 absmax a block, 16 fp32 codes.
    BOOST_TEST(stored("nf4", 14336, 4096) == 29360128 + 917504 * 4 + 64);
    // Double: one byte of absmax a block, one fp32 for 256 of them (3584), one fp32 offset, codes.
    BOOST_TEST(stored("nf4", 14336, 4096, true) == 29360128 + 917504 + 3584 * 4 + 4 + 64);
    // A remainder has a scale of its own: 65 weights are 2 blocks, 33 bytes (32.5 here).
    BOOST_TEST(stored("nf4", 1, 65) == 32.5 + 2 * 4 + 64);
}

BOOST_AUTO_TEST_CASE(int8_has_one_scale_a_row) {
    BOOST_TEST(stored("int8", 14336, 4096) == 58720256 + 14336 * 4);
}

BOOST_AUTO_TEST_CASE(gptq_stores_packed_weights_zeros_scales_and_group_index) {
    // qweight [4096 / 8, 14336] int32, qzeros [32, 14336 / 8] int32, scales [32, 14336] fp16,
    // g_idx [4096] int32.
    const double expected = 512.0 * 14336 * 4 + 32.0 * 1792 * 4 + 32.0 * 14336 * 2 + 4096 * 4;
    BOOST_TEST(stored("gptq-int4", 14336, 4096) == expected);
    // AWQ has no index: the order of the columns is that of the weights.
    BOOST_TEST(stored("awq-int4", 14336, 4096) == expected - 4096 * 4);
}

BOOST_AUTO_TEST_CASE(microscaling_formats_have_a_scale_a_block_of_a_row) {
    // One expert matrix of gpt-oss: 5760 rows of 2880, blocks uint8 [90, 16], scales uint8 [90].
    BOOST_TEST(stored("mxfp4", 5760, 2880) == 5760.0 * 90 * (16 + 1));
    BOOST_TEST(stored("mxfp8", 5760, 2880) == 5760.0 * 90 * (32 + 1));
    // NVFP4: two weights a byte, one E4M3 scale for 16, two fp32 scales a matrix.
    BOOST_TEST(stored("nvfp4", 4096, 4096) == 8388608 + 4096 * 256 + 8);
}

BOOST_AUTO_TEST_CASE(fp8_scales_are_one_a_row_or_one_a_tile) {
    BOOST_TEST(stored("fp8", 7168, 2048) == 7168.0 * 2048 + 7168 * 4);
    // DeepSeek-V3: kv_a_proj_with_mqa is 576 x 7168: 5 x 56 tiles, the last row of tiles half full.
    BOOST_TEST(stored("fp8-block", 576, 7168) == 576.0 * 7168 + 5 * 56 * 4);
    // 7100 columns are 55.5 tiles.
    BOOST_TEST(stored("fp8-block", 576, 7100) == 576.0 * 7100 + 5 * 56 * 4);
}

BOOST_AUTO_TEST_SUITE_END()
