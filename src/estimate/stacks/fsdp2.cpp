// A run with FSDP2 as a step script: torchtitan's (tests/oracle/torchtitan_flow.py runs the real
// one) and that of Transformers' Trainer (huggingface_flow.py with sharding=fsdp2).
#include "estimate/stacks/fsdp2.h"

#include "estimate/stacks/block_events.h"
#include "estimate/stacks/fsdp_units.h"
#include "estimate/stacks/kept_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

/// Moments in the order of a step.
struct Marks {
    int load, forward, head, backward, tables, update;
};

class Fsdp2 {
public:
    Fsdp2(const Rank& rank, double library)
        : rank_(rank),
          library_(library),
          units_(rank, writer_),
          trainer_(rank.software().runtime.kind == RuntimeKind::plain),
          tables_apart_(has_table_units(rank)) {
        for (const Block& block : rank.list) {
            live_.push_back(liveness(block));
            names_.push_back(name_tensors(writer_, block));
            kept_.push_back(kept_tensors(block, rank.plan().recompute, rank.software(),
                                         save_policy(rank.input)));
        }
    }

    Script write() {
        const Marks marks{writer_.name("load"),
                          writer_.name("forward"),
                          writer_.name("head and loss"),
                          writer_.name("backward"),
                          writer_.name("backward of the tables"),
                          writer_.name("optimizer step")};
        marks_ = marks;
        writer_.mark(marks_.load);
        units_.load();
        for (int step = 0; step < 2; ++step) {
            units_.give_gradients();
            for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
                units_.accumulates = micro > 0;
                pass();
            }
            optimize(step == 0);
        }
        return std::move(writer_).finish();
    }

private:
    /// Equal layers between their passes, a round each.
    struct Layers {
        std::size_t index;
        BlockEvents tensors;
        TensorId input = nothing;
        Tensors gathered{};
        Rounds rounds{};
    };

    void pass();
    TensorId first_forward(std::size_t index);
    void layers_forward(std::size_t index, TensorId& stream);
    void layers_forward(std::size_t index, int count, bool reshards, TensorId& stream);
    void layer_forward(Layers& layers, bool reshards, TensorId stream);
    TensorId last_block(std::size_t index, TensorId stream, BlockEvents& head);
    void layers_back(Layers& layers, TensorId& gradient);
    void layer_back(Layers& layers, TensorId gradient);
    void optimize(bool first);
    TensorId take(double bytes, Category category) {
        return writer_.take(Bytes::of_base(bytes), Stream::compute, category);
    }
    /// The BLAS library takes one for the forward and one for the backward pass, once.
    void take_workspace() {
        if (library_ > 0 && workspaces_++ < 2) {
            take(library_ / 2, Category::workspace);
        }
    }
    [[nodiscard]] bool recomputes() const { return rank_.plan().recompute != RecomputeMode::none; }
    [[nodiscard]] double repeats(std::size_t index) const { return rank_.stage.repeats[index]; }
    [[nodiscard]] BlockEvents tensors(std::size_t index) {
        BlockEvents made(writer_, rank_.list[index], names_[index]);
        made.compute = rank_.compute;
        made.weight_gradient = rank_.compute;
        made.holds_weights = true;
        made.casts_loss = true;
        made.makes_unkept = !trainer_;
        if (trainer_) {
            made.written_out = true;
            made.product_workspace = torch_workspaces(rank_.input.cluster.accelerator) / 2;
        }
        return made;
    }

    const Rank& rank_;
    double library_;
    int workspaces_ = 0;
    ScriptWriter writer_;
    FsdpUnits units_;
    Marks marks_{};
    bool trainer_;  ///< of Transformers: a tied table is a unit with the last norm, others are two
    bool tables_apart_;
    std::vector<Liveness> live_;
    std::vector<int> names_;  ///< of the blocks' tensors in the script
    std::vector<std::vector<int>> kept_;
    std::vector<Layers> layers_;
    int forwarded_ = 0;  ///< layers of this pass that have run forward
    Tensors root_;       ///< gathered parameters of the unit that stays
};

TensorId Fsdp2::first_forward(std::size_t index) {
    Tensors unit;
    if (tables_apart_) {
        units_.gather(index, unit, true);
    } else {
        double bytes = 0;
        for (std::size_t i = 0; i < rank_.list.size(); ++i) {
            bytes += rank_.list[i].position != Block::Position::layer ? units_.unit_bytes(i) : 0;
        }
        units_.all_gather(bytes, true);
        for (std::size_t i = 0; i < rank_.list.size(); ++i) {
            if (rank_.list[i].position != Block::Position::layer) {
                units_.copy_out(i, root_);
            }
        }
    }
    BlockEvents made = tensors(index);
    const Block& block = rank_.list[index];
    walk_forward(block, live_[index], true, made);
    const TensorId stream = std::exchange(made.tensor_at(block.output), nothing);
    made.release_all();
    units_.reshard(unit);
    take_workspace();
    return stream;
}

/// The layers of a block; the last of all may stay gathered.
void Fsdp2::layers_forward(std::size_t index, TensorId& stream) {
    const int count = static_cast<int>(std::ceil(repeats(index)));
    const bool reshards = rank_.plan().reshard_after_forward;
    const int last = static_cast<int>(rank_.stage.layers) - 1 - forwarded_;
    const bool stays = reshards && !tables_apart_ && !trainer_ && last >= 0 && last < count;
    const int before = stays ? last : count;
    layers_forward(index, before, reshards, stream);
    if (stays) {
        layers_forward(index, 1, false, stream);
        layers_forward(index, count - before - 1, reshards, stream);
    }
    forwarded_ += count;
}

void Fsdp2::layers_forward(std::size_t index, int count, bool reshards, TensorId& stream) {
    if (count == 0) {
        return;
    }
    const TensorId passing = writer_.place();
    writer_.carry(stream, passing);
    Layers layers{index, tensors(index)};
    layers.rounds = writer_.loop(count, [&] { layer_forward(layers, reshards, passing); });
    layers_.push_back(std::move(layers));
    stream = passing;
}

/// `stream` is the id of a layer's input, then of its output.
void Fsdp2::layer_forward(Layers& layers, bool reshards, TensorId stream) {
    const Block& block = rank_.list[layers.index];
    BlockEvents& made = layers.tensors;
    layers.input = writer_.place();
    writer_.carry(stream, layers.input);
    units_.gather(layers.index, layers.gathered, true);
    made.tensor_at(block.input) = layers.input;
    if (recomputes()) {
        made.pinned = block.input;
        made.saved = kept_[layers.index];
    }
    walk_forward(block, live_[layers.index], !recomputes(), made);
    for (const int tensor : made.saved) {
        made.take(tensor);  // what no operator of the list makes: collectives' results
    }
    writer_.carry(std::exchange(made.tensor_at(block.output), nothing), stream);
    if (reshards) {
        units_.reshard(layers.gathered);
    }
}

void Fsdp2::layers_back(Layers& layers, TensorId& gradient) {
    const TensorId passing = writer_.place();
    writer_.carry(gradient, passing);
    const Rounds rounds = writer_.loop(
        layers.rounds.count, [&] { layer_back(layers, passing); }, layers.rounds, true);
    units_.add_gradients(rounds);
    gradient = passing;
}

/// Runs one layer back; `gradient` is the id of its output's, then of its input's.
void Fsdp2::layer_back(Layers& layers, TensorId gradient) {
    const Block& block = rank_.list[layers.index];
    BlockEvents& held = layers.tensors;
    if (layers.gathered.empty()) {
        units_.gather(layers.index, layers.gathered, false);
    }
    if (recomputes()) {
        held.saved.clear();
        held.tensor_at(block.input) = layers.input;
        held.phase = Phase::again;
        held.stops_early = trainer_ && rank_.software().runtime.stops_recomputing();
        walk_forward(block, live_[layers.index], true, held);
        held.pinned = no_tensor;
        held.give(block.output);
    }
    held.forward = false;
    held.gradient_at(block.output) = gradient;
    walk_backward(block, live_[layers.index], false, held);
    TensorId& below = held.gradient_at(block.input);
    TensorId& above = held.gradient_at(block.output);
    const TensorId next = std::exchange(below != nothing ? below : above, nothing);
    held.release_all();
    held.release_gradients();
    units_.reshard(layers.gathered);
    units_.reduce(units_.trained_bytes(layers.index), &held);
    writer_.carry(next, gradient);
}

/// The head and the loss, forward and back. Returns the gradient of the last layer's output.
TensorId Fsdp2::last_block(std::size_t index, TensorId stream, BlockEvents& head) {
    const Block& block = rank_.list[index];
    Tensors unit;
    if (tables_apart_) {
        units_.gather(index, unit, true);
    }
    head.tensor_at(block.input) = stream;
    walk_forward(block, live_[index], true, head);
    head.pinned = held_logits_of(rank_, block);
    take_workspace();
    head.forward = false;
    const bool in_place =
        rank_.software().kernels.loss.in_place && rank_.workload().loss != LossMode::eager;
    walk_backward(block, live_[index], in_place, head);
    if (tables_apart_) {
        units_.reshard(unit);
        units_.reduce(units_.trained_bytes(index), &head);
    }
    const TensorId gradient = std::exchange(head.gradient_at(block.input), nothing);
    head.release_gradients();
    return gradient;
}

void Fsdp2::pass() {
    TensorId stream = nothing;
    std::size_t first = 0;
    writer_.mark(marks_.forward);
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        if (rank_.list[i].tensors.empty()) {
            continue;  // a tower that text does not run through
        }
        if (rank_.list[i].position == Block::Position::first) {
            first = i;
            stream = first_forward(i);
        } else if (rank_.list[i].position == Block::Position::layer) {
            layers_forward(i, stream);
        } else {
            writer_.mark(marks_.head);
            BlockEvents head = tensors(i);
            TensorId gradient = last_block(i, stream, head);
            writer_.mark(marks_.backward);
            for (std::size_t l = layers_.size(); l-- > 0;) {
                layers_back(layers_[l], gradient);
            }
            layers_.clear();
            forwarded_ = 0;
            writer_.mark(marks_.tables);
            BlockEvents table = tensors(first);
            Tensors unit;
            if (tables_apart_) {
                units_.gather(first, unit, false);
            }
            table.forward = false;
            table.gradient_at(rank_.list[first].output) = gradient;
            walk_backward(rank_.list[first], live_[first], false, table);
            if (rank_.parameters.shared_table > 0 && sums_tied_apart(rank_)) {
                writer_.give(
                    take(rank_.parameters.shared_table * rank_.compute, Category::gradient));
            }
            table.release_all();
            units_.reshard(unit);
            units_.reshard(root_);
            const double head_bytes = tables_apart_ ? 0 : units_.trained_bytes(i);
            units_.reduce(units_.trained_bytes(first) + head_bytes, &table);
            head.give_weights();
            head.release_all();
            units_.reduce(0, nullptr);
        }
    }
}

void Fsdp2::optimize(bool first) {
    writer_.mark(marks_.update);
    writer_.wait(Stream::compute, Stream::reduce);
    Tensors roots;
    for (const double bytes : units_.shards()) {
        for (int moment = 0; first && moment < 2; ++moment) {
            take(bytes, Category::state);
        }
    }
    if (rank_.workload().optimizer_implementation == OptimizerImplementation::foreach) {
        for (const double bytes : units_.shards()) {
            roots.push_back(take(bytes, Category::transient));
        }
    }
    units_.reshard(roots);
}

}  // namespace

Script fsdp2_script(const Rank& rank, Bytes library) { return Fsdp2(rank, library.base()).write(); }

}  // namespace ridgeline
