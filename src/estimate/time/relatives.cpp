#include "estimate/time/relatives.h"

#include "spec/matrix_types.h"
#include "spec/mig.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// The nearest older relative of an architecture; empty: none. What was added later wins.
std::string_view older_than(const Calibration& calibration, std::string_view architecture,
                            const Accelerator& part) {
    for (auto row = calibration.relatives.rbegin(); row != calibration.relatives.rend(); ++row) {
        if (row->architecture == architecture && capability_of(part) >= row->least_capability) {
            return row->older;
        }
    }
    return {};
}

}  // namespace

bool is_module_of_blackwell(const Accelerator& part) {
    constexpr double first_of_cards = 12;
    return part.architecture == "Blackwell" && capability_of(part) < first_of_cards;
}

std::string_view measured_architecture(const Calibration& calibration, const Accelerator& part,
                                       OperatorClass of) {
    const bool product = of == OperatorClass::gemm || of == OperatorClass::gemv ||
                         of == OperatorClass::grouped_gemm || of == OperatorClass::fused_experts;
    if (product || static_cast<int>(of) >= operator_classes) {
        return part.architecture;
    }
    const auto measured = [&](std::string_view architecture, bool own) {
        return std::ranges::any_of(calibration.kernels, [&](const KernelCalibration& row) {
            return row.operator_class == of &&
                   (row.architecture == architecture ||
                    (own && ((!row.chip.empty() && row.chip == part.chip) ||
                             row.accelerator == card_of(part.id))));
        });
    };
    std::string_view architecture = part.architecture;
    for (std::size_t steps = 0; !architecture.empty() && steps <= calibration.relatives.size();
         ++steps) {
        if (measured(architecture, steps == 0)) {
            return architecture;
        }
        architecture = older_than(calibration, architecture, part);
    }
    return part.architecture;
}

}  // namespace ridgeline
