#pragma once

#include "base/dtype.h"
#include "estimate/results.h"
#include "estimate/time/device.h"
#include "estimate/work/operator.h"

namespace ridgeline {

struct OperatorTime {
    Seconds time;
    Bound bound = Bound::memory;
    Tier tier = Tier::assumed;
};

/// Time of a kernel by the calibrated roofline
/// t = t0 + ((F / (a P))^p + (B / (b W))^p)^(1/p).
///
/// flops    operations of the kernel
/// traffic  bytes read and written
/// returns  the time and the side that is longer; never below F / P or B / W
OperatorTime roofline_time(const DeviceModel& device, ComputeType type,
                           OperatorClass operator_class, Flops flops, Bytes traffic);

/// The same from resolved terms.
OperatorTime roofline_time(const RooflineTerms& terms, Flops flops, Bytes traffic);

/// Time of a matrix product by its shape (tiles and waves of the machine included where the
/// calibration knows them), operands of `type`, 16-bit result.
///
/// weight_bytes  of the second operand as it is stored (quantised weights); < 0: in `type`
OperatorTime gemm_time(const DeviceModel& device, ComputeType type, const GemmShape& shape,
                       OperatorClass operator_class = OperatorClass::gemm,
                       double weight_bytes = -1);

/// Rows that a matrix unit takes at least: four warps of Hopper multiply 64 at once (wgmma of its
/// PTX). Elsewhere 1: rates of few rows were measured with their padding.
double least_rows(const DeviceModel& device, ComputeType type);

/// Rows of a tile of the instruction that a warp waits for (mma.sync), and the share of Hopper's
/// own rate that it reaches there (Luo et al. 2024, "Benchmarking and Dissecting the Nvidia Hopper
/// GPU Architecture via Microbenchmarking").
inline constexpr double synchronous_rows = 16;
inline constexpr double synchronous_share = 0.63;

/// Rows of which the units do the work for a product of `rows`. Grouped products (Triton's and
/// Marlin's kernels of experts) take smaller tiles for few tokens an expert, by mma.sync, as long
/// as that is faster.
double filled_rows(const DeviceModel& device, ComputeType type, OperatorClass operator_class,
                   double rows);

/// Operations of a product when every tile and every wave of tiles over `units` is full: the least
/// over the tiles that a library chooses from.
Flops full_wave_work(const GemmShape& shape, double units);

/// Factor on the operations of a product for tiles that reach over its edge and units that idle in
/// its last wave, as far as the calibration counts them; 1 where it does not.
double wave_factor(const RooflineTerms& terms, const GemmShape& shape);

/// Seconds of the pass that quantises the activations of a product; 0 where it has none.
double quantise_pass(const RooflineTerms& terms, ComputeType type, const GemmShape& shape);

/// Bytes of both operands and the result, each moved once; block scales of fp4 included.
Bytes gemm_traffic(ComputeType type, const GemmShape& shape);

}  // namespace ridgeline
