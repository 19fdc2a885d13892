#pragma once

#include "spec/accelerator.h"
#include "spec/calibration.h"

#include <array>

namespace ridgeline {

/// The operator formula with its divisions done: t = t0 + ((F f)^p + (B w)^p)^(1/p).
struct RooflineTerms {
    double seconds_per_flop = 0;  ///< 1 / (a P)
    double seconds_per_byte = 0;  ///< 1 / (b W)
    double overhead = 0;          ///< t0, seconds
    double exponent = 2;
    double wave_share = 0;                 ///< as in Efficiency
    double quantize_seconds_per_byte = 0;  ///< 0: no pass over the activations
    int tile_m = 0;
    int tile_n = 0;
    int units = 0;  ///< SMs or CUs; 0: unknown
    Tier tier = Tier::assumed;
};

/// One accelerator with the efficiencies that hold for it: every (operand type, operator class)
/// pair is resolved once (own calibration, else the same silicon, else the architecture, else the
/// stated assumption), so that a roofline evaluation is a table look-up.
struct DeviceModel {
    const Accelerator* accelerator = nullptr;
    /// Of the Calibration, which must outlive the model; null: none applies.
    std::array<std::array<const KernelCalibration*, operator_classes>, compute_types> rows{};
    std::array<std::array<RooflineTerms, operator_classes>, compute_types> terms;
    std::array<FlopsPerSecond, compute_types>
        peak;  ///< dense peak; the nearest wider type's where the part lacks it
    std::array<ComputeType, compute_types> runs_as{};  ///< the type that the products really run in
    std::array<bool, compute_types> supported{};  ///< the part states a dense peak for the type
    /// `terms` as a training step sees them: rows marked `training` win.
    std::array<std::array<RooflineTerms, operator_classes>, compute_types> training_terms;
    double sustained_rate = 1;      ///< SustainedCalibration::matrix_rate
    double beside_collectives = 1;  ///< SustainedCalibration::beside_collectives
    /// AttentionCalibration rates, forward and backward, by generation.
    std::array<std::array<double, 2>, flash_generations> attention_rate{{{1, 1}, {1, 1}, {1, 1}}};

    [[nodiscard]] Efficiency of(ComputeType type, OperatorClass operator_class) const;
    [[nodiscard]] const RooflineTerms& terms_of(ComputeType type,
                                                OperatorClass operator_class) const {
        return terms[static_cast<std::size_t>(type)][static_cast<std::size_t>(operator_class)];
    }
    [[nodiscard]] FlopsPerSecond peak_of(ComputeType type) const {
        return peak[static_cast<std::size_t>(type)];
    }
};

/// Resolves the calibration of an accelerator, both of which must outlive it. Never fails: what
/// nobody measured is `assumed`, and without any matching row the part runs at peak with no
/// overhead (tier assumed).
///
/// The row that wins is the nearest in this order: the part itself, its chip, its architecture with
/// the same operand type; the same three with any type; rows for any part. Of equal rows the later
/// wins. Fractions above 1 (a clock above the specified boost) count as 1.
DeviceModel device_model(const Accelerator& accelerator, const Calibration& calibration);

/// The efficiency of one class of kernels on a part, by the same rule; for classes that no model
/// has.
Efficiency kernel_efficiency(const Calibration& calibration, const Accelerator& accelerator,
                             ComputeType type, OperatorClass operator_class);

/// The terms of an efficiency on a part whose units do `peak` operations.
RooflineTerms roofline_terms(const Efficiency& efficiency, const Accelerator& accelerator,
                             FlopsPerSecond peak);

/// The operand type that a part without units for `type` computes in: the nearest wider type that
/// has a peak (fp8 weights on a part without fp8 run as bf16), or `type` when none has.
ComputeType nearest_supported(const Accelerator& accelerator, ComputeType type);

/// Rate of products of `type` over those of the type that they are computed in; 1 but for bf16 on
/// NVIDIA parts before compute capability 8.0, whose kernels widen each operand to fp32 in integer
/// units, beside the multiply-adds that they hold up.
///
/// source  zzc0721/torch-performance-test-data, database.md (torch.matmul): bf16 over fp32 on
///         V100 SXM2 (0.74), P40 (0.52) and RTX 2070 (0.56), the geometric mean
double widened_share(const Accelerator& accelerator, ComputeType type);

}  // namespace ridgeline
