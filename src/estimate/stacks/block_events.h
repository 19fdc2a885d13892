#pragma once

#include "estimate/work/liveness.h"
#include "estimate/work/script.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// Writes what the passes of one block do, for walk_forward and walk_backward: its operators and
/// its tensors, as PyTorch's autograd takes and gives them.
class BlockEvents {
public:
    /// names  index in the script of the name of the block's first tensor, as `name_tensors` made
    /// it
    BlockEvents(ScriptWriter& writer, const Block& block, int names = -1);

    // What a walk calls.
    void take(int tensor);
    void give(int tensor);
    void take_gradient(int tensor);
    void give_gradient(int tensor) { release(gradient_at(tensor)); }
    void becomes_gradient(int tensor);
    void beside(int tensor);
    void work(const Operator& op, double workspace);

    /// Gradients of the unit's weights, flattened for the reduction where FSDP does.
    ///
    /// unit  bytes of the flat gradient
    void reduce(bool flattens, double unit);
    void give_weights();
    /// The gradients of the weights, which from now on are the caller's.
    [[nodiscard]] std::vector<TensorId> release_weights();
    /// A tensor by its name, which from now on is the caller's; nothing when there is none.
    [[nodiscard]] TensorId release_named(std::string_view name);
    void release_all();
    void release_gradients();
    /// The block is the one with the loss.
    [[nodiscard]] bool last() const { return block_.position == Block::Position::last; }
    TensorId& tensor_at(int tensor) { return tensors_[static_cast<std::size_t>(tensor)]; }
    TensorId& gradient_at(int tensor) { return gradients_[static_cast<std::size_t>(tensor)]; }

    int pinned = no_tensor;      ///< outlives its last reader
    std::vector<int> saved;      ///< so do these: what selective recomputation keeps
    bool holds_weights = false;  ///< gradients of adapters stay until the unit's are reduced
    bool makes_unkept = false;   ///< what an operator would keep it makes where nothing is kept too
    bool casts_loss = false;     ///< the gradient of the logits is cast when those in fp32 exist
    bool stops_early = false;    ///< recomputes up to the last tensor that is kept, no further
    bool holds_inputs = false;   ///< those of quantised products live as long as the layer's graph
    /// Norms and rotary positions are written out in the model's code, step by step, and each
    /// product takes a workspace of so many bytes and gives it back (torch from 2.9 on).
    bool written_out = false;
    double product_workspace = 0;
    bool forward = true;
    Phase phase = Phase::forward;  ///< of the operators that it writes
    /// Share of the positions that the loss reads: all but the last of each sample.
    double read_by_loss = 1;
    double adapter_cast = 1;     ///< bytes of an adapter's type for one of the layer's
    double compute = 2;          ///< bytes of an expanded weight's parameter
    double weight_gradient = 2;  ///< bytes of a parameter's gradient

private:
    [[nodiscard]] bool holds(int tensor) const;
    [[nodiscard]] double bytes_of(int tensor) const;
    [[nodiscard]] bool takes_apart(const Operator& op) const;
    TensorId made(double bytes, Category category = Category::transient);
    TensorId made_of(int tensor, double bytes);
    void loss(const Operator& op);
    [[nodiscard]] int whole_loss_input() const;
    void cast_loss(const Operator& op, double workspace);
    void renew(int tensor);
    void expand(const Operator& op);
    void add_adapter(const Operator& op);
    void adapter_back(const Operator& op);
    void take_pieces(const Operator& op, double workspace);
    void take_unkept(const Operator& op);
    [[nodiscard]] bool written(const Operator& op) const;
    void take_workspace();
    void make_output(const Operator& op);
    void norm(const Operator& op);
    void norm_back(const Operator& op);
    void rotary(const Operator& op);
    void give_pieces();
    void release(TensorId& handle);

    ScriptWriter& writer_;
    const Block& block_;
    int names_;
    std::vector<TensorId> tensors_;
    std::vector<TensorId> gradients_;
    std::vector<TensorId> pieces_;
    std::vector<TensorId> weights_;
    std::vector<Category> categories_;
    int being_made_ = no_tensor;  ///< by an operator that is written out
    int of_loss_ = no_tensor;     ///< what the loss keeps beside the logits
};

/// Names the tensors of a block in a script; returns the index of the first.
int name_tensors(ScriptWriter& writer, const Block& block);

}  // namespace ridgeline
