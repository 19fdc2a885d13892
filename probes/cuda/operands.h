#pragma once

#include <vector>

namespace probes {

/// How an element lies in memory.
enum class Element { f64, f32, f16, bf16, e4m3, i8, i32, e2m1 };

/// What a memory stream does with its arrays.
enum class Pass { copy, triad, read, fill };

/// One operand type that products are measured in. No CUDA here: the plan of a run and its record
/// are tested without a device.
struct OperandType {
    const char* name;
    Element element;
    Element output;
    double operand_bytes;
    double result_bytes;
    double eps_out;        ///< rounding of the result
    double eps_sum;        ///< of the products' sum: the operands' for tf32, the accumulator's else
    int least_capability;  ///< 10 x major + minor of the first chip that has it
};

/// In the order in which they are measured: what training uses comes first.
const std::vector<OperandType>& operand_types();

}  // namespace probes
