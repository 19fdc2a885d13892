#include "advise/hardware/desk.h"
#include "advise/rules/rule.h"
#include "estimate/work/quantization.h"
#include "spec/chip_support.h"
#include "spec/matrix_types.h"
#include "spec/words.h"

#include <fmt/format.h>

// What the software stack can do on a part: CUDA compute capability, ROCm.

namespace ridgeline::rule {
namespace {

/// Compute capabilities of Hopper and of modules of Blackwell, which FlashAttention-3 and cuDNN's
/// kernels of its speed are made for.
constexpr double first_of_flash3 = 9;
constexpr double first_after_flash3 = 11;

bool uses(const RuleContext& c, std::string_view format) {
    return c.workload.quantization.name.find(format) != std::string::npos;
}

bool lacks(const RuleContext& c, ComputeType type) {
    return !c.cluster.accelerator->peak(type).has_value();
}

/// Files of quantised weights are widened by an engine of their own, on whatever chip.
bool runs_files(const RuleContext& c) { return names_file_type(c.workload.quantization.name); }

}  // namespace

Found bf16_units(const RuleContext& c) {
    if (c.workload.compute != ComputeType::bf16 || !lacks(c, ComputeType::bf16) || runs_files(c)) {
        return {};
    }
    return finding(
        "bf16_units", Severity::warning,
        fmt::format("{} has no bf16 matrix units (compute capability {:.1f}, 8.0 needed): "
                    "use fp16{}",
                    c.cluster.accelerator->name, capability_of(*c.cluster.accelerator),
                    c.workload.task == Task::train ? " with loss scaling" : ""),
        {{"compute_capability", capability_of(*c.cluster.accelerator)}, {"needed", 8.0}},
        "catalog: peaks");
}

Found fp8_units(const RuleContext& c) {
    const bool wanted = c.workload.compute == ComputeType::fp8 ||
                        c.workload.compute == ComputeType::mxfp8 || uses(c, "fp8");
    if (!wanted || !lacks(c, ComputeType::fp8)) {
        return {};
    }
    return finding(
        "fp8_units", Severity::warning,
        fmt::format("{} has no fp8 units (NVIDIA needs compute capability 8.9): fp8 weights "
                    "save memory there but are widened before each product",
                    c.cluster.accelerator->name),
        {{"compute_capability", capability_of(*c.cluster.accelerator)}, {"needed", 8.9}},
        "catalog: peaks");
}

Found fp4_units(const RuleContext& c) {
    const QuantFormat* format = quant_format(c.workload.quantization.name);
    const bool wanted = c.workload.compute == ComputeType::fp4 ||
                        (format != nullptr && format->compute == ComputeType::fp4);
    if (!wanted || !lacks(c, ComputeType::fp4)) {
        return {};
    }
    return finding(
        "fp4_units", Severity::warning,
        fmt::format("{} has no fp4 units (NVIDIA needs compute capability 10.0): weights "
                    "are widened before each product",
                    c.cluster.accelerator->name),
        {{"compute_capability", capability_of(*c.cluster.accelerator)}, {"needed", 10.0}},
        "catalog: peaks");
}

Found flash_attention_support(const RuleContext& c) {
    const double have = capability_of(*c.cluster.accelerator);
    if (c.workload.attention != AttentionKernel::flash || have <= 0 ||
        have >= flash_attention_capability) {
        return {};
    }
    return finding(
        "flash_attention_support", Severity::warning,
        fmt::format("flash attention 2 needs compute capability 8.0, this part has {:.1f}: "
                    "the framework falls back to another kernel",
                    have),
        {{"compute_capability", have}, {"needed", flash_attention_capability}},
        "flash-attention README, requirements");
}

// Clips are mostly attention: who has the release before waits half as long again, which no flag
// but the stack's date tells.
Found attention_of_older_release(const RuleContext& c) {
    const double have = capability_of(*c.cluster.accelerator);
    if (c.software == nullptr || c.software->older.empty() || c.workload.batch.frames < 2 ||
        have < first_of_flash3 || have >= first_after_flash3) {
        return {};
    }
    const SoftwareProfile& before = c.software->older.back();
    if (c.software->kernels.attention.generation != FlashGeneration::flash3 ||
        before.kernels.attention.generation == FlashGeneration::flash3) {
        return {};
    }
    return finding("attention_of_older_release", Severity::info,
                   fmt::format("attention is that of {} from {} on; of older ones ask with "
                               "--framework {}",
                               c.software->shown_name(), c.software->from, before.id),
                   {{"compute_capability", have}}, "profiles/software: releases");
}

Found rocm_stack(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    if (part.vendor != "AMD" || part.kind == "cpu") {
        return {};
    }
    if (lacks_rocm(part)) {
        const bool files = runs_files(c);
        return finding("rocm_stack", files ? Severity::info : Severity::warning,
                       fmt::format("ROCm has no build for it ({}): llama.cpp runs by Vulkan{}",
                                   part.gfx_arch.value_or(part.architecture),
                                   files ? "" : ", PyTorch by DirectML on Windows alone"),
                       {{"supported_data_centre_part", 0.0}}, "catalog: software");
    }
    const bool matrix_units = part.architecture.rfind("CDNA", 0) == 0;
    const bool four_bit = c.workload.method == Method::qlora;
    std::string message = fmt::format("needs the ROCm builds of the stack ({})",
                                      part.gfx_arch.value_or(part.architecture));
    message += four_bit ? "; 4-bit training needs the ROCm port of bitsandbytes" : "";
    message += matrix_units || !is_consumer(part)
                   ? ""
                   : "; consumer parts are outside the usual support matrix";
    return finding("rocm_stack", matrix_units ? Severity::info : Severity::warning,
                   std::move(message), {{"supported_data_centre_part", matrix_units ? 1.0 : 0.0}},
                   "catalog: software");
}

Found old_generation(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const double have = capability_of(part);
    constexpr double cuda_12 = 5.0;  // what builds of llama.cpp are made by
    if (have <= 0 || have >= 7.0 || (runs_files(c) && have >= cuda_12)) {
        return {};
    }
    const std::string last = last_toolkit(part);
    const std::string ends =
        last.empty() ? "" : fmt::format(", {} is the last that compiles for it", last);
    return finding(
        "old_generation", Severity::warning,
        have < cuda_12
            ? fmt::format("compute capability {:.1f}{}: releases of PyTorch and llama.cpp have "
                          "no build for it, an old one or one of your own is needed",
                          have, ends)
            : fmt::format("compute capability {:.1f} has no tensor cores{}, and vLLM and current "
                          "PyTorch builds want 7.0 or more",
                          have, ends),
        {{"compute_capability", have}, {"needed", 7.0}}, "vLLM installation guide");
}

Found half_precision(const RuleContext& c) {
    const bool recurrent = c.architecture.network && c.architecture.network->type == "recurrent";
    const bool network = c.architecture.network || c.architecture.kind == ModelKind::diffusion;
    if (!network || recurrent ||  // whose products have no such kernels
        c.workload.compute != ComputeType::fp16 || !spoils_half(*c.cluster.accelerator)) {
        return {};
    }
    return finding("half_precision", Severity::warning,
                   fmt::format("convolutions in fp16 give NaN on {}, black or green pictures: "
                               "compute in fp32 (--no-half, --force-fp32)",
                               c.cluster.accelerator->name),
                   {}, "pytorch/pytorch #58123");
}

}  // namespace ridgeline::rule
