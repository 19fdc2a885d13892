#include "probes/cuda/operands.h"

namespace probes {

const std::vector<OperandType>& operand_types() {
    // Half a unit of the last place of a mantissa with so many bits.
    constexpr double e7 = 1.0 / (1 << 8);
    constexpr double e10 = 1.0 / (1 << 11);
    constexpr double e23 = 1.0 / (1 << 24);
    constexpr double e52 = 1.2e-16;
    constexpr double fast_accumulation = 1.0 / (1 << 14);  // fp8 with it keeps about 14 bits
    using enum Element;
    static const std::vector<OperandType> types = {
        {"bf16", bf16, bf16, 2, 2, e7, e23, 80},
        {"fp16", f16, f16, 2, 2, e10, e23, 70},
        {"fp8", e4m3, bf16, 1, 2, e7, fast_accumulation, 89},
        {"nvfp4", e2m1, bf16, 0.5, 2, e7, e23, 100},
        {"int8", i8, i32, 1, 4, 0, 0, 75},
        {"tf32", f32, f32, 4, 4, e23, e10, 80},
        {"fp32", f32, f32, 4, 4, e23, e23, 0},
        {"fp64", f64, f64, 8, 8, e52, e52, 0}};
    return types;
}

}  // namespace probes
