#include "data/traced_sparse.h"

#include "data/torch_operators.h"

#include <algorithm>

namespace ridgeline {

SparseParts sparse_parts(const TracedCall& call) {
    SparseParts out;
    for (const TracedArgument& argument : call.inputs) {
        for (const TracedTensor& tensor : argument.tensors) {
            double elements = tensor.sparse ? 1 : 0;
            for (const double size : tensor.sizes) {
                elements *= size;
            }
            out.beside = std::max(out.beside, elements);
        }
    }
    if (call.name == "aten::_values" && out.beside > 0 && !call.outputs.empty() &&
        !call.outputs.front().tensors.empty()) {
        const TracedTensor& values = call.outputs.front().tensors.front();
        out.entries = values.elements;
        out.bytes = values.elements * bytes_of_type(values.type);
    }
    return out;
}

void hand_up(const SparseParts& inner, SparseParts& around) {
    around.entries = std::max(around.entries, inner.entries);
    around.bytes = std::max(around.bytes, inner.bytes);
}

void touch_entries(const SparseParts& parts, TracedOperator& op) {
    if (parts.beside <= 0 || parts.entries <= 0) {
        return;
    }
    // One is read with the other and written to it.
    double traffic = 3 * parts.bytes;
    if (op.m > 0) {
        const double columns = op.m * op.n * op.k * op.products / parts.beside;
        const double width = parts.bytes / parts.entries;
        op.flops = Flops::of_base(2 * parts.entries * columns);
        traffic = parts.bytes + (parts.entries * columns + op.m * op.n * op.products) * width;
        op.m = op.n = op.k = 0;
        op.products = 1;
    }
    op.operator_class = OperatorClass::embedding;
    op.traffic = Bytes::of_base(traffic);
}

}  // namespace ridgeline
