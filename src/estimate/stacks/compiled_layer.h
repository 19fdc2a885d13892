#pragma once

#include "estimate/work/operator.h"

namespace ridgeline {

/// Bytes alive at the highest instant of the backward graph of a compiled layer whose products run
/// in fp8 under sequence parallelism, when the layer is computed again whole: its input, its
/// output's gradient and all that Inductor's graph holds between them. 0 for other layers, whose
/// operators tell. From the code that Inductor (torch 2.6) and torchao 0.7 make of torchtitan's
/// block (tests/oracle/torchtitan_4d_flow.py).
double compiled_float8_layer(const Block& block, const Workload& workload,
                             const SoftwareProfile& software);

}  // namespace ridgeline
