#include "spec/chip_support.h"

#include "base/lists.h"
#include "base/text.h"
#include "spec/matrix_types.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {

bool lacks_rocm(const Accelerator& part) {
    return part.vendor == "AMD" && part.kind != "cpu" && !part.software.empty() &&
           std::ranges::none_of(part.software,
                                [](const std::string& each) { return each.starts_with("ROCm"); });
}

std::string last_toolkit(const Accelerator& part) {
    const std::string first = part.software.empty() ? "" : part.software.front();
    return !first.empty() && has_digit(first.substr(first.size() - 1)) ? first : "";
}

bool spoils_half(const Accelerator& part) { return part.chip == "TU116" || part.chip == "TU117"; }

bool is_made_for(const SoftwareProfile& software, const Accelerator& part) {
    const ChipSupport& stack = software.chips;
    if (stack.makers.empty()) {
        return true;
    }
    // Gaudi is Intel's and has a stack of its own.
    const bool other = is_among("SynapseAI", part.software);
    const std::string_view maker = part.kind == "cpu" ? std::string_view("cpu")
                                   : other            ? std::string_view("Gaudi")
                                   : lacks_rocm(part) ? std::string_view("Vulkan")
                                                      : part.vendor;
    return is_among(maker, stack.makers);
}

namespace {

std::string makers_of(const ChipSupport& stack) {
    std::string words;
    for (const std::string& maker : stack.makers) {
        if (maker == "Vulkan") {
            continue;  // no maker: what runs where a maker's own stack does not
        }
        append(words, ", ", maker == "cpu" ? "host processors" : maker);
    }
    return words;
}

/// " needs compute capability 8.9, NVIDIA T4 has 7.5"; empty: it has that, or nothing is known.
std::string older_than(const Accelerator& part, double needed) {
    const double have = capability_of(part);
    return have <= 0 || have >= needed
               ? ""
               : fmt::format(" needs compute capability {:.1f}, {} has {:.1f}", needed, part.name,
                             have);
}

/// Whether a type is one that profiles name: by its beginning, or as a file of llama.cpp.
bool is_named(std::string_view stored, std::string_view name) {
    return name == "gguf" ? names_file_type(stored) : stored.starts_with(name);
}

/// Servers multiply weights in fp8 by torch._scaled_mm, whose ROCm kernels are those of chips with
/// units for it: gfx94, gfx95, gfx12 (vllm-project/vllm #31184, #52985; lemonade-sdk/vllm-rocm
/// #44). Kernels that widen fp8 and nvfp4 for older chips (Marlin) are CUDA's.
bool lacks_kernel(const SoftwareProfile& software, const Accelerator& part,
                  std::string_view stored) {
    if (!part.gfx_arch || software.runtime.kind != RuntimeKind::engine) {
        return false;
    }
    const bool fp8 = stored.starts_with("fp8") && lacks_matrix_type(part, ComputeType::fp8);
    return fp8 || stored.starts_with("nvfp4");
}

}  // namespace

std::string weights_conflict(const SoftwareProfile& software, const Accelerator& part,
                             std::string_view stored) {
    const ChipSupport& stack = software.chips;
    for (const std::string& unread : stack.cannot_read) {
        if (is_named(stored, unread)) {
            return fmt::format("{} does not read {} weights", software.shown_name(), stored);
        }
    }
    for (const auto& [type, least] : stack.least_of) {
        const std::string needs = is_named(stored, type) ? older_than(part, least) : "";
        if (!needs.empty()) {
            return fmt::format("{} with {} weights{}", software.shown_name(), stored, needs);
        }
    }
    return lacks_kernel(software, part, stored)
               ? fmt::format("{} has no kernel for {} weights on {}", software.shown_name(), stored,
                             part.name)
               : "";
}

std::string chip_conflict(const SoftwareProfile& software, const Accelerator& part,
                          std::string_view stored) {
    const ChipSupport& stack = software.chips;
    const std::string& name = software.shown_name();
    if (!is_made_for(software, part)) {
        return fmt::format("{} has no build for {} ({})", name, part.name,
                           lacks_rocm(part) ? "nor has ROCm" : "it runs on " + makers_of(stack));
    }
    const std::string needs = older_than(part, stack.least.value_or(0));
    return needs.empty() ? weights_conflict(software, part, stored) : name + needs;
}

ChipConflict chip_conflict(const WorkloadDocument& document, const SoftwareProfile& software,
                           const Accelerator& part) {
    std::string why = document.framework ? chip_conflict(software, part, "") : "";
    if (!why.empty()) {
        return {"--framework", std::move(why), "Name another stack, or none."};
    }
    why = weights_conflict(software, part, document.quantization.value_or(""));
    if (!why.empty()) {
        return {"--quantization", std::move(why), "Name weights that it reads, or another stack."};
    }
    why = compute_conflict(part, document.compute);
    if (!why.empty()) {
        return {"--compute", std::move(why), "Compute in bf16 or fp16."};
    }
    return {};
}

std::string compute_conflict(const Accelerator& part, std::optional<ComputeType> stated) {
    const bool narrow =
        stated == ComputeType::fp8 || stated == ComputeType::mxfp8 || stated == ComputeType::fp4;
    if (!narrow || !lacks_matrix_type(part, *stated)) {
        return "";
    }
    const bool fp4 = stated == ComputeType::fp4;
    return fmt::format("{} has no {} units: it cannot compute in {}; weights stored so are widened",
                       part.name, fp4 ? "fp4" : "fp8", fp4 ? "fp4" : "fp8");
}

}  // namespace ridgeline
