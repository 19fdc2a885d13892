#include "advise/answer.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cmath>

// Weights that answers assume where none were said, and figures in words.

namespace ridgeline {

std::string figure_words(double value) {
    if (value < 1000) {
        return fmt::format("{:.3g}", value);
    }
    const double scale = std::pow(10, std::floor(std::log10(value)) - 2);
    std::string digits = fmt::format("{:.0f}", std::round(value / scale) * scale);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string faster_words(const std::string& better, const std::string& other, double ratio) {
    return ratio < same_rate_within
               ? fmt::format("{} and {} are about as fast", better, other)
               : fmt::format("{} is {:.2g} times as fast as {}", better, ratio, other);
}

std::span<const std::string_view> usable_weights(const Architecture& architecture) {
    static constexpr std::string_view files[] = {"q8_0", "q6_k", "q5_k_m", "q4_k_m"};
    // Those in which diffusion models are handed on.
    static constexpr std::string_view images[] = {"fp8", "q4_k_m"};
    return architecture.kind == ModelKind::diffusion ? std::span<const std::string_view>(images)
                                                     : std::span<const std::string_view>(files);
}

bool takes_narrow_weights(const Architecture& architecture) {
    return !architecture.stacks.empty() || architecture.kind == ModelKind::diffusion;
}

bool leaves_weights_open(const WorkloadDocument& document, const Architecture& architecture) {
    const bool stored = document.quantization && *document.quantization != "none";
    const bool said = document.quantization && *document.quantization == "none" && document.compute;
    return document.task == Task::inference && !stored && !said && !document.compute &&
           takes_narrow_weights(architecture);
}

WorkloadDocument with_weights_that_fit(const WorkloadDocument& document,
                                       const Architecture& architecture,
                                       const std::function<bool(const WorkloadDocument&)>& fits) {
    if (!leaves_weights_open(document, architecture) || fits(document)) {
        return document;
    }
    for (const std::string_view type : usable_weights(architecture)) {
        WorkloadDocument narrower = document;
        narrower.quantization = std::string(type);
        if (fits(narrower)) {
            return narrower;
        }
    }
    return document;
}

}  // namespace ridgeline
