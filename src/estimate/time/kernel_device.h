#pragma once

#include "base/result.h"
#include "spec/accelerator.h"

namespace ridgeline {

/// A rate of arithmetic, and whether the catalog lacks it and its silicon's usual ratio stands in.
struct ArithmeticRate {
    FlopsPerSecond rate;
    bool assumed = false;
};

/// Rate outside the matrix units. fp16 and bf16 are taken to run as fp32 does. Where the catalog
/// has no fp64 rate, the ratio to fp32 that the architecture has. errors  no such units
///
/// source  CUDA C++ programming guide, table of arithmetic throughput (fp64 by capability); AMD
/// CDNA and RDNA instruction set guides
Result<ArithmeticRate> vector_rate(const Accelerator& part, ComputeType type);

/// Rate of matrix products: the dense peak of the type, else of the vector units for fp32 and fp64;
/// tf32 of parts that have bf16 and no figure for it is half of bf16, bf16 of parts without it what
/// `widened_share` leaves of fp32. errors  no such units
Result<ArithmeticRate> product_rate(const Accelerator& part, ComputeType type);

/// The type whose units multiply 16 bits of `type` on the part: fp32 where it has no others.
ComputeType product_units(const Accelerator& part, ComputeType type);

/// Integer operations a second, and whether they run beside the floating-point ones.
///
/// source  CUDA C++ programming guide: 64 a multiprocessor and clock from capability 7.0
struct IntegerRate {
    double lanes_per_second = 0;
    bool beside_floats = false;
};
IntegerRate integer_rate(const Accelerator& part);

/// Lanes that can start an instruction each second: 128 a multiprocessor and clock on NVIDIA parts,
/// the lanes of fp32 elsewhere; 0 where neither is known.
double issue_rate(const Accelerator& part);

/// How many times as long a mix of instructions takes whose arithmetic is in fp64: of those of
/// particles three in five compute with their numbers (assumed), the others find, compare, address
/// and exchange. errors  no rate
Result<double> instruction_time_in_fp64(const Accelerator& part);

/// So many cores of a CPU: their share of the rates, and no more bandwidth than they can ask for
/// (a core keeps about 12 lines in flight: 12 GB/s, assumed).
Accelerator some_cores(const Accelerator& part, double cores);

}  // namespace ridgeline
