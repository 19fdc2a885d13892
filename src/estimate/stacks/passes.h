#pragma once

#include "estimate/stacks/block_events.h"
#include "estimate/stacks/rank.h"
#include "estimate/work/liveness.h"
#include "estimate/work/script.h"

#include <cstddef>
#include <vector>

namespace ridgeline {

/// Adds to the ids of one round of a loop, which end the list, those of its other rounds; the last
/// round's come first.
void add_rounds(std::vector<TensorId>& ids, const Rounds& rounds);

/// Writes the steps of a stack on one computing stream: layers forward, the head and its loss, the
/// layers back, as autograd runs them. A stack says by its hooks what it does around them.
class Passes {
public:
    /// library  of the BLAS workspaces, one for each pass
    Passes(const Rank& rank, Bytes library);
    virtual ~Passes() = default;
    Passes(const Passes&) = delete;
    Passes& operator=(const Passes&) = delete;

    /// Loading, and two steps of at most two micro-batches: the third is as the second.
    Script write();

protected:
    // The hooks of a stack.
    virtual void load() = 0;
    virtual void before_step(bool /*first*/) {}
    /// How the loss reads the logits.
    virtual void before_loss(BlockEvents& head);
    virtual void after_loss(BlockEvents& /*head*/) {}
    /// Whether the gradients of an adapter stay until those of its block are there.
    [[nodiscard]] virtual bool holds_adapters() const { return false; }
    /// The gradients of a block's weights are all made, of each of `layers` the same.
    virtual void after_backward(BlockEvents& block) = 0;
    /// The loop that after_backward was called in is closed.
    virtual void after_layers(const Rounds& /*rounds*/) {}
    /// The layers have run back: the table before them.
    virtual void tables_back(std::size_t /*block*/, TensorId gradient) { writer_.give(gradient); }
    virtual void step(bool first) = 0;

    [[nodiscard]] virtual BlockEvents events(std::size_t block);
    TensorId take(double bytes, Category category) {
        return writer_.take(Bytes::of_base(bytes), Stream::compute, category);
    }
    [[nodiscard]] const Liveness& live(std::size_t block) const { return live_[block]; }

    const Rank& rank_;
    ScriptWriter writer_;
    double adapter_cast_;       ///< bytes of what an adapter computes in, for one of the stream
    bool accumulates_ = false;  ///< into the gradients of an earlier micro-batch

private:
    /// Equal layers between their passes, a round each.
    struct Layers {
        std::size_t index;
        bool again;  ///< computed again on the way back
        BlockEvents tensors;
        TensorId input = nothing;
        Rounds rounds{};
    };

    void pass();
    [[nodiscard]] TensorId first_forward(std::size_t index);
    void layers_forward(std::size_t index, TensorId& stream);
    void layers_forward(std::size_t index, int count, bool again, TensorId& stream);
    void layer_forward(Layers& layers, TensorId stream);
    void layers_back(Layers& layers, TensorId& gradient);
    void layer_back(const Layers& layers, BlockEvents& layer, TensorId gradient);
    [[nodiscard]] TensorId head(std::size_t index, BlockEvents& events, TensorId stream);

    double library_;
    int forward_ = writer_.name("forward");
    int head_ = writer_.name("head and loss");
    int backward_ = writer_.name("backward");
    std::vector<Liveness> live_;
    std::vector<int> names_;  ///< of the blocks' tensors in the script
    std::vector<Layers> layers_;
    std::vector<TensorId> casts_;  ///< of weights, that autocast holds until the loss is made
    int forwarded_ = 0;            ///< layers of this pass that have run forward
};

}  // namespace ridgeline
