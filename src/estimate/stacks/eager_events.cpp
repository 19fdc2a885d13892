// Operators that the model's code writes out: each of their steps is a kernel that makes a tensor.
#include "estimate/stacks/block_events.h"

#include <vector>

namespace ridgeline {

/// Norms that take a workspace on their way back are eager code; so are rotary positions. Autocast
/// casts the head's weight before there are logits.
bool BlockEvents::written(const Operator& op) const {
    const bool eager_norm = op.role == Role::norm && op.workspace_backward.base() > 0;
    return written_out && (eager_norm || op.role == Role::rotary || op.role == Role::head);
}

void BlockEvents::make_output(const Operator& op) {
    being_made_ = op.outputs[0];
    take(being_made_);
    being_made_ = no_tensor;
}

/// Of the fp32 copy its square and its product with the root, which is cast and scaled.
void BlockEvents::norm(const Operator& op) {
    const int output = op.outputs[0];
    const double wide = op.workspace_backward.base() / 2;
    writer_.give(made(wide));
    const TensorId product = made(wide);
    const bool casts = wide > size_at(block_, output) && !op.trains;
    const TensorId cast = casts ? made(size_at(block_, output)) : nothing;
    make_output(op);
    writer_.give(product);
    writer_.give(cast);
}

/// The gradient in fp32, of the product's factors, and of the square's and the mean's.
void BlockEvents::norm_back(const Operator& op) {
    const double wide = op.workspace_backward.base() / 2;
    const TensorId cast = made(wide);
    const TensorId root = made(wide);
    const TensorId input = made(wide);
    writer_.give(root);
    writer_.give(cast);
    std::vector<TensorId> square;
    for (int i = 0; i < 4; ++i) {
        square.push_back(made(wide));
    }
    for (const TensorId tensor : square) {
        writer_.give(tensor);
    }
    writer_.give(input);
}

/// q cos + rotated q sin: the halves are swapped in a copy.
void BlockEvents::rotary(const Operator& op) {
    const double bytes = size_at(block_, op.outputs[0]);
    const TensorId cosine = made(bytes);
    const TensorId half = made(bytes / 2);
    const TensorId rotated = made(bytes);
    writer_.give(half);
    const TensorId sine = made(bytes);
    writer_.give(rotated);
    make_output(op);
    writer_.give(cosine);
    writer_.give(sine);
}

}  // namespace ridgeline
