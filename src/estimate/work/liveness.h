#pragma once

#include "estimate/work/operator.h"

#include <cstddef>
#include <vector>

namespace ridgeline {

/// Until when the tensors of a block live.
struct Liveness {
    std::vector<int> last_reader;   ///< operator that reads the tensor last; -1 none
    std::vector<int> first_keeper;  ///< earliest operator that keeps it; -1 none
    std::vector<char> residual;     ///< read or made by an addition to the stream

    [[nodiscard]] bool kept(int tensor) const {
        return first_keeper[static_cast<std::size_t>(tensor)] >= 0;
    }
};
Liveness liveness(const Block& block);

/// Bytes of tensor `tensor` of the block.
double size_at(const Block& block, int tensor);

/// Walks a forward pass and tells `visitor` in order: `take(tensor)` one is made, `work(bytes)` an
/// operator runs with so much workspace, `give(tensor)` one has been read for the last time. The
/// block's input lives when it begins.
///
/// keeps  what operators keep for the backward pass stays
template <typename Visitor>
void walk_forward(const Block& block, const Liveness& live, bool keeps, Visitor& visitor) {
    for (std::size_t i = 0; i < block.operators.size(); ++i) {
        const Operator& op = block.operators[i];
        const auto at = static_cast<int>(i);
        for (const int tensor : op.outputs) {
            // An operator may write into a tensor that exists (an adapter adds to the projection).
            bool made = tensor != no_tensor;
            for (std::size_t j = 0; made && j < i; ++j) {
                made = block.operators[j].outputs[0] != tensor;
            }
            if (made) {
                visitor.take(tensor);
            }
        }
        for (const int tensor : op.kept) {
            if (keeps && tensor != no_tensor &&
                live.first_keeper[static_cast<std::size_t>(tensor)] == at &&
                live.last_reader[static_cast<std::size_t>(tensor)] < 0 && tensor != op.outputs[0]) {
                visitor.take(tensor);
            }
        }
        visitor.work(op, op.workspace_forward.base());
        for (const int tensor : op.inputs) {
            const bool leaves = tensor == block.output && block.position != Block::Position::last;
            if (tensor == no_tensor || leaves) {
                continue;
            }
            if (live.last_reader[static_cast<std::size_t>(tensor)] == at &&
                !(keeps && live.kept(tensor))) {
                visitor.give(tensor);
            }
        }
    }
}

/// Walks a backward pass: what is kept and the gradient of the block's output live when it begins.
/// Beside the above: `take_gradient(tensor)`, `give_gradient(tensor)`, and `beside(tensor)` for a
/// second gradient of a tensor, which lives until the operator is done and is added to the first;
/// `becomes_gradient(tensor)`: a kept tensor is overwritten with its gradient.
template <typename Visitor>
void walk_backward(const Block& block, const Liveness& live, bool in_place_loss, Visitor& visitor) {
    std::vector<char> exists(block.tensors.size(), 0);
    if (block.output != no_tensor && block.position != Block::Position::last) {
        exists[static_cast<std::size_t>(block.output)] = true;
    }
    for (std::size_t r = block.operators.size(); r-- > 0;) {
        const Operator& op = block.operators[r];
        const bool in_pieces = op.role == Role::loss && (in_place_loss || op.gradient_in_pieces);
        const bool overwrites = op.in_place && op.role == Role::activation;
        // The gradient of a sum is the gradient of each term: one buffer.
        const bool passes_through = op.role == Role::residual || op.forward_traffic.base() == 0;
        for (const int tensor : op.inputs) {
            if (tensor == no_tensor || op.role == Role::embedding || in_pieces || passes_through) {
                continue;
            }
            const auto t = static_cast<std::size_t>(tensor);
            if (overwrites && live.first_keeper[t] == static_cast<int>(r)) {
                continue;  // below
            }
            if (exists[t] || live.residual[t]) {
                visitor.beside(tensor);
            } else {
                exists[t] = true;
                visitor.take_gradient(tensor);
            }
        }
        visitor.work(op, op.workspace_backward.base());
        for (const int tensor : op.outputs) {
            if (tensor == no_tensor || op.role == Role::adapter || passes_through) {
                continue;
            }
            char& gradient = exists[static_cast<std::size_t>(tensor)];
            if (gradient) {
                visitor.give_gradient(tensor);
            }
            gradient = false;
        }
        for (const int tensor : op.kept) {
            if (tensor == no_tensor ||
                live.first_keeper[static_cast<std::size_t>(tensor)] != static_cast<int>(r)) {
                continue;
            }
            if ((op.role == Role::loss && in_place_loss && tensor == op.inputs[0]) ||
                (overwrites && (tensor == op.inputs[0] || tensor == op.inputs[1]))) {
                exists[static_cast<std::size_t>(tensor)] = true;
                visitor.becomes_gradient(tensor);
                continue;
            }
            visitor.give(tensor);
        }
    }
}

}  // namespace ridgeline
