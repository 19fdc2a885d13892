#include "estimate/stacks/block_events.h"

#include "base/lists.h"

#include <algorithm>
#include <span>
#include <utility>

namespace ridgeline {
namespace {

/// What the loss keeps beside the logits that it reads.
int made_by_loss(const Operator& op) {
    const auto made = std::ranges::find_if(
        op.kept, [&op](int tensor) { return tensor != no_tensor && tensor != op.inputs[0]; });
    return made == op.kept.end() ? no_tensor : *made;
}

}  // namespace

int name_tensors(ScriptWriter& writer, const Block& block) {
    int first = -1;
    for (const Tensor& tensor : block.tensors) {
        const int name = writer.name(tensor.name);
        first = first < 0 ? name : first;
    }
    return first;
}

BlockEvents::BlockEvents(ScriptWriter& writer, const Block& block, int names)
    : writer_(writer),
      block_(block),
      names_(names),
      tensors_(block.tensors.size(), nothing),
      gradients_(block.tensors.size(), nothing),
      categories_(block.tensors.size(), Category::transient) {
    const bool last = block.position == Block::Position::last;
    for (const Operator& op : block.operators) {
        for (const int tensor : op.kept) {
            if (tensor != no_tensor) {
                categories_[static_cast<std::size_t>(tensor)] =
                    last ? Category::logits : Category::kept;
            }
        }
        if (op.role == Role::loss) {
            of_loss_ = made_by_loss(op);
        }
    }
}

TensorId BlockEvents::made(double bytes, Category category) {
    return writer_.take(Bytes::of_base(bytes), Stream::compute, category);
}

/// One of the block's own tensors.
TensorId BlockEvents::made_of(int tensor, double bytes) {
    return writer_.take(Bytes::of_base(bytes), Stream::compute,
                        categories_[static_cast<std::size_t>(tensor)],
                        names_ < 0 ? -1 : names_ + tensor);
}

/// The loss reads a part of the positions: its tensors are of another size than the logits.
bool BlockEvents::takes_apart(const Operator& op) const {
    return op.role == Role::loss && read_by_loss < 1 && made_by_loss(op) != no_tensor;
}

double BlockEvents::bytes_of(int tensor) const {
    return size_at(block_, tensor) * (tensor == of_loss_ ? read_by_loss : 1);
}

void BlockEvents::take(int tensor) {
    const bool waits = written_out && forward && tensor != being_made_ &&
                       std::ranges::any_of(block_.operators, [this, tensor](const Operator& op) {
                           return op.outputs[0] == tensor && written(op);
                       });
    if (!waits && tensor_at(tensor) == nothing) {  // else it was saved: it is not computed again
        tensor_at(tensor) = made_of(tensor, bytes_of(tensor));
    }
}

void BlockEvents::give(int tensor) {
    const bool stays = is_among(tensor, saved);
    if (tensor != pinned && !stays && !holds(tensor)) {
        release(tensor_at(tensor));
    }
}

void BlockEvents::take_gradient(int tensor) {
    const auto reads = [this, tensor](const Operator& op) {
        return takes_apart(op) && op.inputs[0] == tensor;
    };
    const bool whole = casts_loss && tensor == whole_loss_input();
    if (whole || std::ranges::any_of(block_.operators, reads)) {
        return;  // made at the end of the loss
    }
    gradient_at(tensor) = made(size_at(block_, tensor));
}

void BlockEvents::becomes_gradient(int tensor) {
    gradient_at(tensor) = std::exchange(tensor_at(tensor), nothing);
}

void BlockEvents::beside(int tensor) { pieces_.push_back(made(size_at(block_, tensor))); }

void BlockEvents::work(const Operator& op, double workspace) {
    if (op.role == Role::adapter && !op.in_place && op.inputs[0] != no_tensor &&
        op.outputs[0] != no_tensor) {
        forward ? add_adapter(op) : adapter_back(op);
    } else if (takes_apart(op)) {
        loss(op);
    } else if (casts_loss && !forward && op.role == Role::loss && whole_loss_input() != no_tensor) {
        cast_loss(op, workspace);
    } else if (written(op) && op.role == Role::norm) {
        forward ? norm(op) : norm_back(op);
    } else if (written(op) && op.role == Role::rotary && forward) {
        rotary(op);
    } else if (written(op) && op.role == Role::head && forward) {
        make_output(op);
    } else if (forward && op.quantized) {
        expand(op);
    } else {
        if (forward && makes_unkept) {
            take_unkept(op);
        }
        take_pieces(op, workspace);
    }
    if (!forward && op.trains && op.parameters > 0) {
        // Autocast's products make it in their own type; it is cast when they are done.
        const bool casts = op.gemm.m > 0 && op.role != Role::adapter && compute < weight_gradient;
        const TensorId product = casts ? made(op.parameters * compute) : nothing;
        weights_.push_back(made(op.parameters * weight_gradient, Category::gradient));
        writer_.give(product);
    }
    if (op.gemm.m > 0 && op.role != Role::adapter) {
        take_workspace();
    }
    writer_.run(op, forward ? phase : Phase::backward);
    give_pieces();
    if (op.role == Role::adapter && !holds_weights) {
        give_weights();  // a unit of its own: reduced as soon as it is there
    }
}

/// A product's, which is given back at once.
void BlockEvents::take_workspace() {
    if (product_workspace > 0) {
        writer_.give(made(product_workspace, Category::workspace));
    }
}

void BlockEvents::reduce(bool flattens, double unit) {
    const TensorId flat = flattens && !weights_.empty() ? made(unit, Category::reduced) : nothing;
    give_weights();
    if (flat != nothing) {
        writer_.give(flat);
    }
}

void BlockEvents::release_all() {
    for (TensorId& tensor : tensors_) {
        release(tensor);
    }
}

void BlockEvents::release_gradients() {
    for (TensorId& gradient : gradients_) {
        release(gradient);
    }
}

bool BlockEvents::holds(int tensor) const {
    return holds_inputs && !forward &&
           (tensor == block_.input ||
            std::ranges::any_of(block_.operators, [tensor](const Operator& op) {
                return op.quantized && op.inputs[0] == tensor;
            }));
}

/// A tensor of the same size takes the place of tensor `tensor`.
void BlockEvents::renew(int tensor) {
    const TensorId next = made_of(tensor, size_at(block_, tensor));
    release(tensor_at(tensor));
    tensor_at(tensor) = next;
}

/// A quantised product expands its weight before it makes its output, which bitsandbytes' layer
/// copies before an adapter is added.
void BlockEvents::expand(const Operator& op) {
    release(tensor_at(op.outputs[0]));
    const TensorId weight = made(op.rows * op.columns * compute);
    take(op.outputs[0]);
    writer_.give(weight);
    const bool adapted = std::ranges::any_of(block_.operators, [&op](const Operator& other) {
        return other.role == Role::adapter && !other.in_place && other.outputs[0] == op.outputs[0];
    });
    if (adapted) {
        renew(op.outputs[0]);
    }
}

/// PEFT: the product of B, that scaled, and the sum are each a tensor of the output's size in the
/// adapter's type, to which its input is cast.
void BlockEvents::add_adapter(const Operator& op) {
    const bool last =
        std::none_of(&op + 1, block_.operators.data() + block_.operators.size(),
                     [](const Operator& other) { return other.kept[0] != no_tensor; });
    if (stops_early && last) {
        return;
    }
    const double bytes = size_at(block_, op.outputs[0]) * adapter_cast;
    if (adapter_cast > 1 && !written_out) {  // else the cast is one of the block's tensors
        pieces_.push_back(made(size_at(block_, op.inputs[0]) * adapter_cast));
    }
    take_workspace();
    const TensorId product = made(bytes);
    take_workspace();
    const TensorId scaled = made(bytes);
    writer_.give(product);
    if (adapter_cast > 1) {
        pieces_.push_back(made(bytes));
        writer_.give(scaled);
        release(tensor_at(op.outputs[0]));
        take(op.outputs[0]);
        return;
    }
    renew(op.outputs[0]);
    writer_.give(scaled);
}

/// The scaled gradient first, then those of the dropped-out input and of the input.
void BlockEvents::adapter_back(const Operator& op) {
    const double out = size_at(block_, op.outputs[0]) * adapter_cast;
    const double in = size_at(block_, op.inputs[0]) * adapter_cast;
    const TensorId cast = adapter_cast > 1 ? made(out) : nothing;
    writer_.give(made(out));
    writer_.give(cast);
    if (adapter_cast > 1) {
        const TensorId dropped = made(in);
        pieces_.push_back(made(in));
        writer_.give(dropped);
        return;
    }
    pieces_.push_back(made(in));
}

/// The loss reads all positions but the last of each sample, which are copied; its model may hand
/// over 16-bit logits. Back come gradients of the log-softmax and of the positions read, then of
/// all.
void BlockEvents::loss(const Operator& op) {
    const int kept = made_by_loss(op);
    const double whole = size_at(block_, kept);
    const double read = whole * read_by_loss;
    const bool upcasts = size_at(block_, op.inputs[0]) < whole;
    if (forward) {
        release(tensor_at(kept));
        const TensorId wide = upcasts ? made(whole) : nothing;
        pieces_.push_back(made(read));
        take(kept);
        writer_.give(wide);
        return;
    }
    const TensorId first = made(read);
    const TensorId next = made(read);
    writer_.give(first);
    release(tensor_at(kept));
    const TensorId copy = made(read);
    writer_.give(next);
    const TensorId wide = upcasts ? made(whole) : nothing;
    if (upcasts) {
        writer_.give(copy);
    }
    gradient_at(op.inputs[0]) = made(size_at(block_, op.inputs[0]));
    writer_.give(upcasts ? wide : copy);
}

/// What a loss reads whose gradient is made for all tokens at once.
int BlockEvents::whole_loss_input() const {
    const Operator& last = block_.operators.back();
    return last.role == Role::loss && !last.gradient_in_pieces ? last.inputs[0] : no_tensor;
}

/// Gradients of the log-softmax and of the fp32 logits, each whole; that of the logits is cast when
/// the first of them is free. Where the model returned fp32 logits the second is theirs.
void BlockEvents::cast_loss(const Operator& op, double workspace) {
    const int kept = made_by_loss(op);
    const double whole = kept == no_tensor ? workspace : size_at(block_, kept);
    for (double left = workspace; left > 0; left -= whole) {
        pieces_.push_back(made(whole));
    }
    if (pieces_.size() > 1) {  // a cast follows, when the log-softmax's node is done
        writer_.give(pieces_.front());
        pieces_.erase(pieces_.begin());
        if (kept != no_tensor) {
            release(tensor_at(kept));
        }
    }
    gradient_at(op.inputs[0]) = made(size_at(block_, op.inputs[0]));
}

/// A workspace is of pieces no larger than the operator's tensors.
void BlockEvents::take_pieces(const Operator& op, double workspace) {
    double largest = op.quantized ? workspace : 0;
    for (const auto& list : {std::span<const int>(op.inputs), std::span<const int>(op.outputs),
                             std::span<const int>(op.kept)}) {
        for (const int tensor : list) {
            largest = std::max(largest, tensor == no_tensor ? 0 : size_at(block_, tensor));
        }
    }
    for (double left = workspace; left > 0;) {
        const double piece = largest > 0 ? std::min(left, largest) : left;
        pieces_.push_back(made(piece));
        left -= piece;
    }
}

/// What an operator would keep exists while it runs, though nothing keeps it.
void BlockEvents::take_unkept(const Operator& op) {
    for (const int tensor : op.kept) {
        if (tensor != no_tensor && tensor_at(tensor) == nothing) {
            pieces_.push_back(made(size_at(block_, tensor)));
        }
    }
}

void BlockEvents::give_pieces() {
    for (const TensorId piece : pieces_) {
        writer_.give(piece);
    }
    pieces_.clear();
}

void BlockEvents::release(TensorId& handle) { writer_.give(std::exchange(handle, nothing)); }

std::vector<TensorId> BlockEvents::release_weights() { return std::exchange(weights_, {}); }

TensorId BlockEvents::release_named(std::string_view name) {
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
        if (block_.tensors[t].name == name) {
            return std::exchange(tensors_[t], nothing);
        }
    }
    return nothing;
}

void BlockEvents::give_weights() {
    for (const TensorId weight : weights_) {
        writer_.give(weight);
    }
    weights_.clear();
}

}  // namespace ridgeline
