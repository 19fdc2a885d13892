// What Inductor's backward graph of a whole layer holds where the feed-forward part runs back.
#include "estimate/stacks/compiled_layer.h"

#include "spec/software_profile.h"
#include "spec/workload.h"

namespace ridgeline {
namespace {

constexpr double half = 2;  ///< bytes of a 16-bit element; one of fp8 takes 1

double size_of(const Block& block, int tensor) {
    return tensor == no_tensor ? 0 : block.tensors[static_cast<std::size_t>(tensor)].size.base();
}

bool reads_gathered(const Block& block, const Operator& op) {
    return op.inputs[0] != no_tensor &&
           block.tensors[static_cast<std::size_t>(op.inputs[0])].name.starts_with("gather");
}

/// One product of the layer, at the instant when the gradients of gate and up are cast.
double product_bytes(const Block& block, const Operator& op) {
    const double input = op.gemm.m * op.gemm.k;
    const double output = op.gemm.m * op.gemm.n;
    if (op.name == "gate_proj" || op.name == "up_proj") {
        // Its input for the weight's gradient, transposed; its output; the gradient of that in both
        // layouts; the weight in the layout of the input's gradient.
        return input + half * output + 2 * output + op.gemm.n * op.gemm.k;
    }
    if (op.name == "down_proj") {
        // The gathered gradient of its output in both layouts; that of its input; its input,
        // transposed.
        return 2 * output + half * input + input;
    }
    if (op.name == "o_proj") {
        // Its output and the copy that is reduced and scattered: dead, and kept for the gradients
        // of gate's and up's inputs, which have their size.
        return 2 * half * output;
    }
    // Query, key and value: each has a transposed copy of the gathered input of its own.
    return reads_gathered(block, op) ? input : 0;
}

/// Queries, repeated keys and values, and the output. Keys and values of all context-parallel ranks
/// are gathered once for both passes, and two fp32 sums of the partial outputs stay.
double attention_bytes(const Block& block, const Operator& op, double ranks) {
    const double each = size_of(block, op.outputs[0]);
    return 4 * each + (ranks > 1 ? 2 * ranks * each + 2 * (4 / half) * each : 0);
}

}  // namespace

double compiled_float8_layer(const Block& block, const Workload& workload,
                             const SoftwareProfile& software) {
    const bool applies = block.position == Block::Position::layer && workload.compiled &&
                         software.runtime.compiles_layers() &&
                         workload.compute == ComputeType::fp8 && workload.plan.tensor > 1 &&
                         workload.plan.sequence_parallel;
    if (!applies) {
        return 0;
    }
    double sum = 0;
    bool dense = false;
    for (const Operator& op : block.operators) {
        if (op.role == Role::linear) {
            sum += product_bytes(block, op);
            dense = dense || op.name == "gate_proj";
        } else if (op.role == Role::attention) {
            sum += attention_bytes(block, op, workload.plan.context);
        }
    }
    // The stream: input, gradient of the output, the attention part's output; of the first and the
    // last the normalised shard in fp8, which is gathered.
    const double stream = size_of(block, block.input);
    return dense ? sum + 3 * stream + 2 * stream / half : 0;
}

}  // namespace ridgeline
