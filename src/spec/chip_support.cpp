#include "spec/chip_support.h"

#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

bool made_for(const ChipSupport& stack, const Accelerator& part) {
    if (stack.makers.empty()) {
        return true;
    }
    const std::string_view maker = part.kind == "cpu" ? std::string_view("cpu") : part.vendor;
    // Gaudi is Intel's and has a stack of its own.
    const bool other =
        std::find(part.software.begin(), part.software.end(), "SynapseAI") != part.software.end();
    return !other &&
           std::find(stack.makers.begin(), stack.makers.end(), maker) != stack.makers.end();
}

std::string makers_of(const ChipSupport& stack) {
    std::string words;
    for (const std::string& maker : stack.makers) {
        words += (words.empty() ? "" : ", ") + (maker == "cpu" ? "host processors" : maker);
    }
    return words;
}

}  // namespace

std::string chip_conflict(const SoftwareProfile& software,
                          const Accelerator& part,
                          std::string_view stored) {
    const ChipSupport& stack = software.chips;
    const std::string& name = software.shown_name();
    if (!made_for(stack, part)) {
        return fmt::format(
            "{} has no build for {} (it runs on {})", name, part.name, makers_of(stack));
    }
    const double have = capability_of(part);
    const std::optional<double> of_type = stored.starts_with("fp8") ? stack.least_fp8
                                          : stored == "nvfp4"       ? stack.least_fp4
                                                                    : std::nullopt;
    const double least = stack.least.value_or(0);
    const double needed = std::max(least, of_type.value_or(0));
    if (have <= 0 || have >= needed) {
        return "";
    }
    const bool of_weights = needed > least;
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
