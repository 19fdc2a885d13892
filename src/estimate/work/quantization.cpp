// Block layouts of quantised weights. A row of a matrix is cut into blocks that share a scale; the
// last block of a row is padded in the GGUF types, whose rows must be whole blocks.
#include "estimate/work/quantization.h"

#include "spec/software_profile.h"
#include "spec/workload.h"

#include <array>
#include <cmath>

namespace ridgeline {
namespace {

constexpr std::string_view bnb =
    "bitsandbytes: 4-bit, block 64, fp32 absmax, code table of 16 fp32; double: 8-bit absmax in "
    "blocks "
    "of 256 with fp32, fp32 offset";
constexpr std::string_view gptq = "GPTQ: int4, group 128, fp16 scale, int4 zero point, int32 g_idx";
constexpr std::string_view awq = "AWQ: int4, group 128, fp16 scale, int4 zero point";
constexpr std::string_view mx = "OCP MX: block 32, one E8M0 scale";
constexpr std::string_view nv =
    "NVFP4: block 16, one FP8 E4M3 scale; fp32 scales of weight and input a tensor";
constexpr std::string_view ggml =
    "ggml block structs (ggml-common.h); base type of the file, see gguf.h";

constexpr QuantFormat gguf_type(std::string_view name, double block, double bytes) {
    return {.name = name,
            .bits = bytes * 8 / block,
            .block = block,
            .scale_bits = 0,
            .gguf = true,
            .source = ggml};
}

/// Weights of 16 bits in a file of ggml: a library multiplies them as they are.
constexpr QuantFormat gguf_half(std::string_view name) {
    QuantFormat format = gguf_type(name, 1, 2);
    format.dequantizes = false;
    return format;
}

constexpr QuantFormat of_bitsandbytes(std::string_view name) {
    return {.name = name,
            .bits = 4,
            .block = 64,
            .scale_bits = 32,
            .second_block = 256,
            .second_scale_bits = 32,
            .matrix_bits = 16 * 32,
            .second_matrix_bits = 32,
            .upcasts_rest = true,
            .source = bnb};
}

constexpr std::array<QuantFormat, 44> formats{{
    of_bitsandbytes("nf4"),
    of_bitsandbytes("fp4"),
    {.name = "int8",
     .bits = 8,
     .block = 0,
     .scale_bits = 32,
     .keeps_input = true,
     .upcasts_rest = true,
     .compute = ComputeType::int8,
     .dequantizes = false,
     .source = "bitsandbytes LLM.int8: one fp32 scale a row"},
    {.name = "int4", .bits = 4, .block = 128, .scale_bits = 16, .source = awq},
    // shift to int32 (4), to int8 (4 + 1), mask (1 + 1), difference with the gathered zeros (1 + 1
    // + 2), product with the gathered scales (2 + 3 + 2): 22 bytes a weight in about six kernels.
    {.name = "gptq-int4",
     .bits = 4,
     .block = 128,
     .scale_bits = 20,
     .column_bits = 32,
     .expanded_traffic = 22,
     .expansion_kernels = 6,
     .source = gptq},
    {.name = "awq-int4", .bits = 4, .block = 128, .scale_bits = 20, .source = awq},
    {.name = "fp8",
     .bits = 8,
     .block = 0,
     .scale_bits = 32,
     .compute = ComputeType::fp8,
     .dequantizes = false,
     .source = "FP8 E4M3 with one fp32 scale a row"},
    {.name = "fp8-block",
     .bits = 8,
     .block = 128,
     .scale_bits = 32,
     .block_rows = 128,
     .compute = ComputeType::fp8,
     .dequantizes = false,
     .source = "FP8 E4M3 with one fp32 scale a tile of 128 x 128 (deepseek-ai/DeepSeek-V3)"},
    {.name = "mxfp8",
     .bits = 8,
     .block = 32,
     .scale_bits = 8,
     .compute = ComputeType::mxfp8,
     .dequantizes = false,
     .source = mx},
    {.name = "mxfp4",
     .bits = 4,
     .block = 32,
     .scale_bits = 8,
     .compute = ComputeType::fp4,
     .source = mx},
    {.name = "nvfp4",
     .bits = 4,
     .block = 16,
     .scale_bits = 8,
     .matrix_bits = 2 * 32,
     .compute = ComputeType::fp4,
     .dequantizes = false,
     .source = nv},
    gguf_half("f16"),
    gguf_half("bf16"),
    gguf_type("q4_0", 32, 18),
    gguf_type("q4_1", 32, 20),
    gguf_type("q5_0", 32, 22),
    gguf_type("q5_1", 32, 24),
    gguf_type("q8_0", 32, 34),
    gguf_type("q2_k", 256, 84),
    gguf_type("q2_k_s", 256, 84),
    gguf_type("q3_k", 256, 110),
    gguf_type("q3_k_s", 256, 110),
    gguf_type("q3_k_m", 256, 110),
    gguf_type("q3_k_l", 256, 110),
    gguf_type("q4_k", 256, 144),
    gguf_type("q4_k_s", 256, 144),
    gguf_type("q4_k_m", 256, 144),
    gguf_type("q5_k", 256, 176),
    gguf_type("q5_k_s", 256, 176),
    gguf_type("q5_k_m", 256, 176),
    gguf_type("q6_k", 256, 210),
    gguf_type("iq1_s", 256, 50),
    gguf_type("iq1_m", 256, 56),
    gguf_type("iq2_xxs", 256, 66),
    gguf_type("iq2_xs", 256, 74),
    gguf_type("iq2_s", 256, 74),
    gguf_type("iq2_m", 256, 82),
    gguf_type("iq3_xxs", 256, 98),
    gguf_type("iq3_xs", 256, 110),
    gguf_type("iq3_s", 256, 110),
    gguf_type("iq3_m", 256, 110),
    gguf_type("iq4_nl", 32, 18),
    gguf_type("iq4_xs", 256, 136),
    gguf_type("mxfp4_moe", 32, 17),
}};

}  // namespace

const QuantFormat* quant_format(std::string_view name) {
    if (name.empty() || name == "none") {  // asked for every plan of a search
        return nullptr;
    }
    for (const QuantFormat& format : formats) {
        if (format.name == name) {
            return &format;
        }
    }
    return nullptr;
}

namespace {

/// FSDP flattens a unit's tensors, which must be of one type, and stores quantised weights in it: a
/// model that it shards is not prepared (TRL sft_trainer.py, is_sharded_qlora; PEFT's guide to
/// FSDP with QLoRA).
Upcast upcast_of(const Workload& workload, const SoftwareProfile& software) {
    const Plan& plan = workload.plan;
    const bool flattened =
        plan.data > 1 && (plan.sharding == Sharding::fsdp || plan.sharding == Sharding::hsdp);
    const Upcast usual = flattened ? Upcast::none : software.kernels.adapter.upcasts;
    return workload.lora ? workload.lora->upcasts.value_or(usual) : usual;
}

}  // namespace

bool upcasts_rest(const Workload& workload, const SoftwareProfile& software) {
    if (upcast_of(workload, software) == Upcast::none || workload.method != Method::qlora) {
        return false;
    }
    const QuantFormat* format = quant_format(workload.quantization.name);
    return format != nullptr && format->upcasts_rest;
}

bool upcasts_tables(const Workload& workload, const SoftwareProfile& software) {
    return upcast_of(workload, software) == Upcast::rest && upcasts_rest(workload, software);
}

bool widens_stream(const Workload& workload, const SoftwareProfile& software,
                   bool norms_keep_type) {
    return upcasts_tables(workload, software) ||
           (!norms_keep_type && upcasts_rest(workload, software));
}

double quantized_bytes(const QuantFormat& format, double rows, double columns,
                       bool double_quantization) {
    const double elements = rows * columns;
    const double once = format.matrix_bits + format.column_bits * columns;
    if (format.block == 0) {
        return (elements * format.bits + rows * format.scale_bits + once) / 8;
    }
    // bitsandbytes cuts the flat matrix, the others cut each row.
    const bool flat = format.second_block > 0;
    const double blocks =
        flat ? std::ceil(elements / format.block)
             : std::ceil(rows / format.block_rows) * std::ceil(columns / format.block);
    const double stored = format.gguf ? blocks * format.block : elements;
    double bits = stored * format.bits + once;
    if (double_quantization && flat) {
        const double outer = std::ceil(blocks / format.second_block);
        bits += blocks * 8 + outer * format.second_scale_bits + format.second_matrix_bits;
    } else {
        bits += blocks * format.scale_bits;
    }
    return bits / 8;
}

}  // namespace ridgeline
