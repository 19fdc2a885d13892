#pragma once

#include <array>

#include "spec/accelerator.h"
#include "spec/calibration.h"

namespace ridgeline {

/// One accelerator with the efficiencies that hold for it: every (operand type, operator class)
/// pair is resolved once (own calibration, else the same silicon, else the architecture, else the
/// stated assumption), so that a roofline evaluation is a table look-up.
struct DeviceModel {
    const Accelerator* accelerator = nullptr;
    std::array<std::array<Efficiency, operator_classes>, compute_types> efficiency;
    std::array<FlopsPerSecond, compute_types> peak;  ///< dense peak; the nearest wider type's where the part lacks it
    std::array<bool, compute_types> supported{};     ///< the part has matrix units for the type

    [[nodiscard]] const Efficiency& of(ComputeType type, OperatorClass operator_class) const {
        return efficiency[static_cast<std::size_t>(type)][static_cast<std::size_t>(operator_class)];
    }
};

/// Resolves the calibration of an accelerator. Never fails: what nobody measured is `assumed`.
DeviceModel device_model(const Accelerator& accelerator, const Calibration& calibration);

}  // namespace ridgeline
