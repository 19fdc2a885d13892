#include "estimate/time/relatives.h"

#include "spec/matrix_types.h"
#include "spec/mig.h"

#include <algorithm>
#include <span>

namespace ridgeline {
namespace {

/// Lines of a maker's architectures, newest first. AMD's cards share one library of convolutions; modules with
/// Blackwell (compute capability 10) reach what any part does.
constexpr std::string_view cards_of_nvidia[] = {"Blackwell", "Ada Lovelace", "Ampere", "Turing", "Volta"};
constexpr std::string_view cards_of_amd[] = {"RDNA 4", "RDNA 3.5", "RDNA 3", "RDNA 2", "CDNA 3", "CDNA 2"};
constexpr std::string_view modules_of_amd[] = {"CDNA 4", "CDNA 3", "CDNA 2", "CDNA"};
constexpr std::string_view cards_of_intel[] = {"Xe2", "Xe-HPG"};
using Line = std::span<const std::string_view>;

/// From the part's own architecture on; empty: it is in no line.
Line older_than(const Accelerator& part) {
    if (is_module_of_blackwell(part)) {
        return {};
    }
    for (const Line line : {Line(cards_of_nvidia), Line(cards_of_amd), Line(modules_of_amd), Line(cards_of_intel)}) {
        const auto own = std::ranges::find(line, part.architecture);
        if (own != line.end()) {
            return line.subspan(static_cast<std::size_t>(own - line.begin()));
        }
    }
    return {};
}

}  // namespace

bool is_module_of_blackwell(const Accelerator& part) {
    constexpr double first_of_cards = 12;
    return part.architecture == "Blackwell" && capability_of(part) < first_of_cards;
}

std::string_view measured_architecture(const Calibration& calibration, const Accelerator& part, OperatorClass of) {
    const bool product =
        of == OperatorClass::gemm || of == OperatorClass::gemv || of == OperatorClass::grouped_gemm;
    if (product || static_cast<int>(of) >= operator_classes) {
        return part.architecture;
    }
    const auto measured = [&](std::string_view architecture, bool own) {
        return std::ranges::any_of(calibration.kernels, [&](const KernelCalibration& row) {
            return row.operator_class == of && (row.architecture == architecture ||
                                                (own && ((!row.chip.empty() && row.chip == part.chip) ||
                                                         row.accelerator == card_of(part.id))));
        });
    };
    for (const std::string_view architecture : older_than(part)) {
        if (measured(architecture, architecture == part.architecture)) {
            return architecture;
        }
    }
    return part.architecture;
}

}  // namespace ridgeline
