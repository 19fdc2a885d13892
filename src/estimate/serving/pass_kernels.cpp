// The kernels of a serving stack. Its decode runs from a captured graph, where the fixed time of a
// kernel is that of the stack (SoftwareProfile::kernel_gap), not the one of a kernel measured
// alone, so the calibrated t0 is taken out and the gap put in.
#include "estimate/serving/gguf.h"
#include "estimate/serving/pass_fold.h"
#include "estimate/time/host_time.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Clock at which the fixed time of a kernel is stated: that of H200 and B200, on which the
/// engines' own was found.
constexpr double stated_clock_mhz = 1970;

/// MHz; 0: unknown. Of Apple's parts, which state none, by their rate: a core adds and multiplies
/// 128 numbers a cycle.
double clock_of(const Accelerator& part) {
    const bool apple = part.architecture == "Apple GPU" && part.peak_vector_fp32 && part.units;
    return apple ? part.peak_vector_fp32->base() / (*part.units * 2 * 128) / 1e6
                 : part.boost_clock_mhz.value_or(0);
}

}  // namespace

/// Fixed time of a kernel over that of its stack: starting and ending one takes so many cycles.
double PassFold::kernel_pace() const {
    const Accelerator& part = *input.device.accelerator;
    const double clock = clock_of(part);
    const double cycles = clock > 0 ? stated_clock_mhz / clock : 1;
    // Stacks that join nothing launch from a stream where the part is older than captured graphs.
    const double host = host_pace(part);
    return fused || host <= 1 ? cycles : std::max(cycles, host);
}

/// A product or a norm that adds a vector, for which a stack that joins nothing runs a kernel of
/// its own (ggml: ggml_mul_mat, ggml_norm and ggml_mul are followed by ggml_add).
bool PassFold::has_bias(const Operator& op) const {
    if (op.role == Role::norm) {
        return tower().norm == NormType::layernorm;
    }
    const double multiplied = op.rows * op.columns * std::max(1.0, op.matrices);
    return is_product(op.role) && multiplied > 0 && op.parameters > multiplied;
}

/// Kernels around the products of a decode step of several sequences that go to a library in 16
/// bits: activations there and results back, and twice that with the softmax between (from
/// Turing on ggml has kernels of its own for few rows, and Metal multiplies fp32 as it is).
double PassFold::casts_around(const Operator& op) const {
    const std::string& architecture = input.device.accelerator->architecture;
    const bool library = decode && pass.samples > 1 && input.software.engine.half_accumulate &&
                         (architecture == "Pascal" || architecture == "Volta");
    if (!library) {
        return 0;
    }
    if (op.role == Role::attention) {
        return input.workload.attention == AttentionKernel::eager ? 4 : 0;
    }
    const bool packed = stored.quantized(op) && stored.format()->dequantizes;
    return is_product(op.role) && !(packed && op.gemm.m <= most_vector_rows) ? 2 : 0;
}

/// An activation without a gate, which the product before it applies to its sums.
bool PassFold::in_epilogue(const Operator& op) const {
    return input.software.engine.fuses_epilogues && op.role == Role::activation &&
           op.inputs[1] == no_tensor;
}

double PassFold::kernels_of(const Operator& op, bool moe) const {
    if (op.forward_kernels == 0) {
        return 0;
    }
    // What ggml joins begins with a norm of root mean squares or ends in a gate: models with layer
    // norms (Whisper, GPT-2) keep a kernel for each operator.
    if (input.software.engine.fuses_neighbours && few_rows() && tower().norm == NormType::rmsnorm) {
        switch (op.role) {
            case Role::router:
                return 2;  // product, choice
            case Role::dispatch:
                return 0.5;  // the outputs of a token's experts are weighed and added
            case Role::activation:
                // With the two products that it joins one kernel.
                return op.inputs[1] != no_tensor ? -1 : 0;
            default:
                return 1;
        }
    }
    if (!fused) {
        return op.forward_kernels + (has_bias(op) ? 1 : 0) + casts_around(op);
    }
    // With units for 4-bit experts, stacks run choice, products and activation of a mixture of
    // experts in two kernels; else each part has its own.
    const bool one_kernel = moe && native_format() && stored.format()->bits < 8;
    if (one_kernel && (op.role == Role::dispatch || op.role == Role::activation)) {
        return 0;
    }
    if (one_kernel && (op.role == Role::router || op.role == Role::expert_linear)) {
        return op.role == Role::router ? 1 : 0.5;
    }
    switch (op.role) {
        case Role::residual:
            return 0;
        case Role::activation:
            return in_epilogue(op) ? 0 : 1;
        case Role::rotary:
            return 0.5;  // q and k together
        case Role::attention:
            return tower().causal ? 2 : 1;  // append to the cache, which encoders lack; attend
        case Role::router:
            return 2;  // product, choice
        case Role::linear:
            // Marlin and AWQ cut sums into parts, which pass through memory one after another.
            return stored.quantized(op) &&
                           (by_marlin(*stored.format(), input.software) ||
                            by_awq_kernels(*stored.format(), input.software, op.gemm.m))
                       ? 2
                       : 1;
        default:
            return 1;
    }
}

}  // namespace ridgeline
