#include "data/traced_look_up.h"

#include "base/text.h"
#include "data/torch_operators.h"

#include <algorithm>

namespace ridgeline {
namespace {

double room_of(const TracedTensor& tensor) { return tensor.elements * bytes_of_type(tensor.type); }

/// What look-ups of rows that are summed by bags are made of (torch's embedding bags, FBGEMM's
/// fused tables).
struct LookedUp {
    double rows = 0;  ///< that are read
    double bags = 0;  ///< that they go to
    const TracedTensor* table = nullptr;
    const TracedTensor* summed = nullptr;
};

bool holds_places(const TracedTensor& tensor) {
    return tensor.type == "long" || contains(tensor.type, "int");
}

LookedUp looked_up(const TracedCall& call) {
    LookedUp out;
    for (const auto* arguments : {&call.inputs, &call.outputs}) {
        for (const TracedArgument& argument : *arguments) {
            for (const TracedTensor& tensor : argument.tensors) {
                if (holds_places(tensor)) {
                    out.bags = std::max(out.bags, std::min(out.rows, tensor.elements));
                    out.rows = std::max(out.rows, tensor.elements);
                } else if (out.table == nullptr || tensor.elements > out.table->elements) {
                    out.table = &tensor;
                }
            }
        }
    }
    // The summed rows are the output, or their gradient, which comes first in a backward pass.
    for (const auto* arguments : {&call.outputs, &call.inputs}) {
        if (out.summed != nullptr || arguments->empty() || arguments->front().tensors.empty()) {
            continue;
        }
        const TracedTensor& first = arguments->front().tensors.front();
        out.summed = &first != out.table && first.elements > 0 ? &first : nullptr;
    }
    return out;
}

}  // namespace

bool fill_look_up(const TracedCall& call, std::string_view name, TracedOperator& out) {
    if (!contains(name, "embedding") || name == "embedding" || contains(name, "dense_backward")) {
        return false;
    }
    const LookedUp found = looked_up(call);
    if (found.table == nullptr || found.summed == nullptr || found.bags <= 0 ||
        found.table->elements <= found.summed->elements) {
        return false;
    }
    const double width = found.table->sizes.size() > 1 ? found.table->sizes.back()
                                                       : found.summed->elements / found.bags;
    const double share = std::min(1.0, found.rows * width / found.table->elements);
    const bool back = contains(name, "backward");
    double traffic = (back ? 1 : 2) * room_of(*found.summed);
    for (const TracedArgument& argument : call.inputs) {
        for (const TracedTensor& tensor : argument.tensors) {
            // Tables, and states of their optimizer, which may keep one number for a row
            // (offsets of bags may be one more than those are).
            const bool by_row = tensor.on_card && !holds_places(tensor) &&
                                &tensor != found.summed &&
                                1.1 * tensor.elements * width >= found.table->elements;
            traffic += by_row ? share * room_of(tensor) * (back ? 2 : 1) : 0;
        }
    }
    out.operator_class = OperatorClass::embedding;
    out.traffic = Bytes::of_base(traffic);
    out.type = found.table->type == "c10::Half" ? ComputeType::fp16 : ComputeType::fp32;
    return true;
}

}  // namespace ridgeline
