#include "estimate/memory/layer_tensors.h"

#include <algorithm>
#include <span>
#include <utility>

namespace ridgeline {
namespace {

/// What the loss keeps beside the logits that it reads.
int made_by_loss(const Operator& op) {
    const auto made = std::find_if(op.kept.begin(), op.kept.end(), [&op](int tensor) {
        return tensor != no_tensor && tensor != op.inputs[0];
    });
    return made == op.kept.end() ? no_tensor : *made;
}

}  // namespace

LayerTensors::LayerTensors(CachingAllocator& allocator, const Block& block)
    : allocator_(allocator),
      block_(block),
      tensors_(block.tensors.size(), nothing),
      gradients_(block.tensors.size(), nothing) {}

/// The loss reads a part of the positions: its tensors are of another size than the logits.
bool LayerTensors::takes_apart(const Operator& op) const {
    return op.role == Role::loss && read_by_loss < 1 && made_by_loss(op) != no_tensor;
}

double LayerTensors::bytes_of(int tensor) const {
    const bool of_loss =
        std::any_of(block_.operators.begin(), block_.operators.end(), [tensor](const Operator& op) {
            return op.role == Role::loss && tensor == made_by_loss(op);
        });
    return size_at(block_, tensor) * (of_loss ? read_by_loss : 1);
}

void LayerTensors::take(int tensor) {
    if (tensor_at(tensor) == nothing) {  // else it was saved: it is not computed again
        tensor_at(tensor) = allocator_.take(bytes_of(tensor));
    }
}

void LayerTensors::give(int tensor) {
    const bool stays = std::find(saved.begin(), saved.end(), tensor) != saved.end();
    if (tensor != pinned && !stays && !holds(tensor)) {
        release(tensor_at(tensor));
    }
}

void LayerTensors::take_gradient(int tensor) {
    const auto reads = [this, tensor](const Operator& op) {
        return takes_apart(op) && op.inputs[0] == tensor;
    };
    const bool whole = casts_loss && tensor == whole_loss_input();
    if (whole || std::any_of(block_.operators.begin(), block_.operators.end(), reads)) {
        return;  // made at the end of the loss
    }
    gradient_at(tensor) = allocator_.take(size_at(block_, tensor));
}

void LayerTensors::becomes_gradient(int tensor) {
    gradient_at(tensor) = std::exchange(tensor_at(tensor), nothing);
}

void LayerTensors::beside(int tensor) {
    pieces_.push_back(allocator_.take(size_at(block_, tensor)));
}

void LayerTensors::work(const Operator& op, double workspace) {
    if (op.role == Role::adapter) {
        forward ? add_adapter(op) : adapter_back(op);
    } else if (takes_apart(op)) {
        loss(op);
    } else if (casts_loss && !forward && op.role == Role::loss && whole_loss_input() != no_tensor) {
        cast_loss(op, workspace);
    } else if (forward && op.quantized) {
        expand(op);
    } else {
        if (forward && makes_unkept) {
            take_unkept(op);
        }
        take_pieces(op, workspace);
    }
    if (!forward && op.trains && op.parameters > 0) {
        weights_.push_back(allocator_.take(op.parameters * weight_gradient));
    }
    give_pieces();
    if (op.role == Role::adapter && !holds_weights) {
        give_weights();  // a unit of its own: reduced as soon as it is there
    }
}

void LayerTensors::reduce(bool flattens, double unit) {
    const Handle flat = flattens && !weights_.empty() ? allocator_.take(unit) : nothing;
    give_weights();
    if (flat != nothing) {
        allocator_.give(flat);
    }
}

void LayerTensors::release_all() {
    for (Handle& tensor : tensors_) {
        release(tensor);
    }
}

void LayerTensors::release_gradients() {
    for (Handle& gradient : gradients_) {
        release(gradient);
    }
}

bool LayerTensors::holds(int tensor) const {
    return holds_inputs && !forward &&
           (tensor == block_.input ||
            std::any_of(
                block_.operators.begin(), block_.operators.end(), [tensor](const Operator& op) {
                    return op.quantized && op.inputs[0] == tensor;
                }));
}

/// A tensor of the same size takes the place of tensor `tensor`.
void LayerTensors::renew(int tensor) {
    const Handle made = allocator_.take(size_at(block_, tensor));
    release(tensor_at(tensor));
    tensor_at(tensor) = made;
}

/// A quantised product expands its weight before it makes its output, which bitsandbytes' layer
/// copies before an adapter is added.
void LayerTensors::expand(const Operator& op) {
    release(tensor_at(op.outputs[0]));
    const Handle weight = allocator_.take(op.rows * op.columns * compute);
    take(op.outputs[0]);
    allocator_.give(weight);
    const bool adapted =
        std::any_of(block_.operators.begin(), block_.operators.end(), [&op](const Operator& other) {
            return other.role == Role::adapter && other.outputs[0] == op.outputs[0];
        });
    if (adapted) {
        renew(op.outputs[0]);
    }
}

/// PEFT: the product of B, that scaled, and the sum are each a tensor of the output's size in the
/// adapter's type, to which its input is cast.
void LayerTensors::add_adapter(const Operator& op) {
    const bool last = std::none_of(
        &op + 1, block_.operators.data() + block_.operators.size(), [](const Operator& other) {
            return other.kept[0] != no_tensor;
        });
    if (stops_early && last) {
        return;
    }
    const double bytes = size_at(block_, op.outputs[0]) * adapter_cast;
    if (adapter_cast > 1) {
        pieces_.push_back(allocator_.take(size_at(block_, op.inputs[0]) * adapter_cast));
    }
    const Handle product = allocator_.take(bytes);
    const Handle scaled = allocator_.take(bytes);
    allocator_.give(product);
    if (adapter_cast > 1) {
        pieces_.push_back(allocator_.take(bytes));
        allocator_.give(scaled);
        release(tensor_at(op.outputs[0]));
        take(op.outputs[0]);
        return;
    }
    renew(op.outputs[0]);
    allocator_.give(scaled);
}

/// The scaled gradient first, then those of the dropped-out input and of the input.
void LayerTensors::adapter_back(const Operator& op) {
    const double out = size_at(block_, op.outputs[0]) * adapter_cast;
    const double in = size_at(block_, op.inputs[0]) * adapter_cast;
    const Handle cast = adapter_cast > 1 ? allocator_.take(out) : nothing;
    allocator_.give(allocator_.take(out));
    release_piece(cast);
    if (adapter_cast > 1) {
        const Handle dropped = allocator_.take(in);
        pieces_.push_back(allocator_.take(in));
        allocator_.give(dropped);
        return;
    }
    pieces_.push_back(allocator_.take(in));
}

/// The loss reads all positions but the last of each sample, which are copied; its model may hand
/// over 16-bit logits. Back come gradients of the log-softmax and of the positions read, then of
/// all.
void LayerTensors::loss(const Operator& op) {
    const int made = made_by_loss(op);
    const double whole = size_at(block_, made);
    const double read = whole * read_by_loss;
    const bool upcasts = size_at(block_, op.inputs[0]) < whole;
    if (forward) {
        release(tensor_at(made));
        const Handle wide = upcasts ? allocator_.take(whole) : nothing;
        pieces_.push_back(allocator_.take(read));
        take(made);
        release_piece(wide);
        return;
    }
    const Handle first = allocator_.take(read);
    const Handle next = allocator_.take(read);
    allocator_.give(first);
    release(tensor_at(made));
    const Handle copy = allocator_.take(read);
    allocator_.give(next);
    const Handle wide = upcasts ? allocator_.take(whole) : nothing;
    if (upcasts) {
        allocator_.give(copy);
    }
    gradient_at(op.inputs[0]) = allocator_.take(size_at(block_, op.inputs[0]));
    release_piece(upcasts ? wide : copy);
}

/// What a loss reads whose gradient is made for all tokens at once.
int LayerTensors::whole_loss_input() const {
    const Operator& last = block_.operators.back();
    return last.role == Role::loss && !last.gradient_in_pieces ? last.inputs[0] : no_tensor;
}

/// Gradients of the log-softmax and of the fp32 logits, each whole; that of the logits is cast when
/// the first of them is free. Where the model returned fp32 logits the second is theirs.
void LayerTensors::cast_loss(const Operator& op, double workspace) {
    const int made = made_by_loss(op);
    const double whole = made == no_tensor ? workspace : size_at(block_, made);
    for (double left = workspace; left > 0; left -= whole) {
        pieces_.push_back(allocator_.take(whole));
    }
    if (pieces_.size() > 1) {
        allocator_.give(pieces_.front());
        pieces_.erase(pieces_.begin());
    }
    gradient_at(op.inputs[0]) = allocator_.take(size_at(block_, op.inputs[0]));
}

/// A workspace is of pieces no larger than the operator's tensors.
void LayerTensors::take_pieces(const Operator& op, double workspace) {
    double largest = op.quantized ? workspace : 0;
    for (const auto& list : {std::span<const int>(op.inputs),
                             std::span<const int>(op.outputs),
                             std::span<const int>(op.kept)}) {
        for (const int tensor : list) {
            largest = std::max(largest, tensor == no_tensor ? 0 : size_at(block_, tensor));
        }
    }
    for (double left = workspace; left > 0;) {
        const double piece = largest > 0 ? std::min(left, largest) : left;
        pieces_.push_back(allocator_.take(piece));
        left -= piece;
    }
}

/// What an operator would keep exists while it runs, though nothing keeps it.
void LayerTensors::take_unkept(const Operator& op) {
    for (const int tensor : op.kept) {
        if (tensor != no_tensor && tensor_at(tensor) == nothing) {
            pieces_.push_back(allocator_.take(size_at(block_, tensor)));
        }
    }
}

void LayerTensors::release_piece(Handle piece) {
    if (piece != nothing) {
        allocator_.give(piece);
    }
}

void LayerTensors::give_pieces() {
    for (const Handle piece : pieces_) {
        allocator_.give(piece);
    }
    pieces_.clear();
}

void LayerTensors::release(Handle& handle) {
    if (handle != nothing) {
        allocator_.give(handle);
    }
    handle = nothing;
}

void LayerTensors::give_weights() {
    for (const Handle weight : weights_) {
        allocator_.give(weight);
    }
    weights_.clear();
}

}  // namespace ridgeline
