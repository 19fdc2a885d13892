#pragma once

#include "base/result.h"
#include "spec/accelerator.h"
#include "spec/measurement.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// How the operator list counts bytes. The two folds of src/estimate own these formulas; the caller
/// hands them in, so that a fit and a prediction count alike.
struct OperatorCounts {
    /// Bytes of a product's operands and result, each moved once.
    std::function<Bytes(ComputeType, double m, double n, double k)> product_traffic;
    /// Operations of a product when every tile and every wave over so many units is full.
    std::function<Flops(double m, double n, double k, int units)> full_wave_work;
    /// Bytes of the pass that quantises m x k activations to the operand type.
    std::function<Bytes(ComputeType, double m, double k)> quantize_traffic;
    /// Bytes that a rank moves per byte of the buffer.
    std::function<double(Collective, int ranks)> bus_factor;
};

/// What could not be fitted, and why.
struct RefusedFit {
    std::string what;
    std::string reason;
    friend bool operator==(const RefusedFit&, const RefusedFit&) = default;
};

struct FitResult {
    std::vector<FittedProducts> products;
    std::vector<FittedCollective> collectives;
    std::vector<RefusedFit> refused;
};

/// Peaks and bandwidth of a catalog entry.
RateReference reference_of(const Accelerator& accelerator, const std::string& catalog_version);

/// From the points of kind `overlap`, of what a rank takes in the slowest case: the rate that a
/// product keeps while a collective runs beside it, which is also the share of the collective that
/// it hides. Empty where they are not there or the collective took longer than the product.
std::optional<double> rate_beside_collectives(const std::vector<MeasuredPoint>& points);

/// Fits every group of points: products by operand type, collectives by operation, ranks and nodes.
/// Points that are wrong, noisy or throttled are left out and counted.
///
/// quantizes  the products quantise their activations first (operators of a serving stack in fp8)
FitResult fit_points(const std::vector<MeasuredPoint>& points, const RateReference& reference,
                     const OperatorCounts& counts, bool quantizes = false);

/// Rows that answers rest on, of everything that a measurement fits or holds: products, streams,
/// the sustained rate, collectives. `source` names the measurement.
///
/// tier  measured, or published where the points come from others
Calibration rows_of(const MeasuredRun& measurement, Tier tier, const std::string& source);

}  // namespace ridgeline
