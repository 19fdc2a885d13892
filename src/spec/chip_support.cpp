#include "spec/chip_support.h"

#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

/// What a stack states of the chips that it runs on. Empty makers: any.
struct ChipLimits {
    std::string_view stack;  ///< id of profiles/software
    std::array<std::string_view, 5> makers = {};
    double least = 0;      ///< compute capability of NVIDIA's parts
    double least_fp8 = 0;  ///< for weights of 8 bits in floating point
    double least_fp4 = 0;  ///< for NVFP4 weights; 0: kernels that widen them run on older parts
};

// vLLM installation guide (7.0; V0 and V1); SGLang model_runner.py (7.5); TensorRT-LLM support
// matrix (Ampere and newer, FP8 from 8.9, NVFP4 on Blackwell); TensorRT support matrix; llama.cpp
// README, supported backends; Unsloth documentation, requirements (7.0; NVIDIA, AMD, Intel, Apple);
// torchtitan README (CUDA, ROCm, XPU); Megatron-LM README and AMD's ROCm fork; exllama READMEs
// (CUDA, ROCm). NVFP4 without its units: Marlin in vLLM (marlin_utils_fp4.py) and SGLang (#19652).
constexpr ChipLimits chip_limits[] = {
    {.stack = "vllm", .least = 7.0},
    {.stack = "sglang", .least = 7.5},
    {.stack = "trtllm", .makers = {"NVIDIA"}, .least = 8.0, .least_fp8 = 8.9, .least_fp4 = 10.0},
    {.stack = "tensorrt", .makers = {"NVIDIA"}},
    {.stack = "onnxruntime"},
    {.stack = "llama.cpp", .makers = {"NVIDIA", "AMD", "Intel", "Apple", "cpu"}},
    {.stack = "exllama", .makers = {"NVIDIA", "AMD"}},
    {.stack = "unsloth", .makers = {"NVIDIA", "AMD", "Intel", "Apple"}, .least = 7.0},
    {.stack = "torchtitan", .makers = {"NVIDIA", "AMD", "Intel", "cpu"}},
    {.stack = "megatron", .makers = {"NVIDIA", "AMD"}},
};

const ChipLimits* limits_of(const Profiles& profiles, const SoftwareProfile& software) {
    std::string id = software.id.substr(0, software.id.find('@'));
    for (int steps = 0; steps < 8 && !id.empty(); ++steps) {
        const auto* found = std::find_if(std::begin(chip_limits),
                                         std::end(chip_limits),
                                         [&](const auto& each) { return each.stack == id; });
        if (found != std::end(chip_limits)) {
            return found;
        }
        const SoftwareProfile* profile = profiles.software_profile(id);
        id = profile == nullptr ? "" : profile->inherits;
    }
    return nullptr;
}

bool made_for(const ChipLimits& stack, const Accelerator& part) {
    if (stack.makers.front().empty()) {
        return true;
    }
    const std::string_view maker = part.kind == "cpu" ? std::string_view("cpu") : part.vendor;
    // Gaudi is Intel's and has a stack of its own.
    const bool other =
        std::find(part.software.begin(), part.software.end(), "SynapseAI") != part.software.end();
    return !other &&
           std::find(stack.makers.begin(), stack.makers.end(), maker) != stack.makers.end();
}

std::string makers_of(const ChipLimits& stack) {
    std::string words;
    for (const std::string_view maker : stack.makers) {
        if (!maker.empty()) {
            words += (words.empty() ? "" : ", ") +
                     (maker == "cpu" ? std::string("host processors") : std::string(maker));
        }
    }
    return words;
}

}  // namespace

std::string chip_conflict(const Profiles& profiles,
                          const SoftwareProfile& software,
                          const Accelerator& part,
                          std::string_view stored) {
    const ChipLimits* stack = limits_of(profiles, software);
    if (stack == nullptr) {
        return "";
    }
    const std::string& name = software.shown_name();
    if (!made_for(*stack, part)) {
        return fmt::format(
            "{} has no build for {} (it runs on {})", name, part.name, makers_of(*stack));
    }
    const double have = capability_of(part);
    const bool fp8 = stored.starts_with("fp8");
    const bool fp4 = stored == "nvfp4";
    const double needed = fp8   ? std::max(stack->least, stack->least_fp8)
                          : fp4 ? std::max(stack->least, stack->least_fp4)
                                : stack->least;
    if (have <= 0 || have >= needed) {
        return "";
    }
    const bool of_weights = needed > stack->least;
    return fmt::format("{}{} needs compute capability {:.1f}, {} has {:.1f}",
                       name,
                       of_weights ? fmt::format(" with {} weights", stored) : "",
                       needed,
                       part.name,
                       have);
}

std::string compute_conflict(const Accelerator& part, std::optional<ComputeType> stated) {
    const bool narrow =
        stated == ComputeType::fp8 || stated == ComputeType::mxfp8 || stated == ComputeType::fp4;
    if (!narrow || !lacks_matrix_type(part, *stated)) {
        return "";
    }
    const bool fp4 = stated == ComputeType::fp4;
    return fmt::format("{} has no {} units: it cannot compute in {}; weights stored so are widened",
                       part.name,
                       fp4 ? "fp4" : "fp8",
                       fp4 ? "fp4" : "fp8");
}

}  // namespace ridgeline
