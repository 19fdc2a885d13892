// A run with FSDP2 as a step script (tests/oracle/torchtitan_flow.py runs the real one).
#include "estimate/stacks/fsdp2.h"

#include "estimate/stacks/block_events.h"
#include "estimate/stacks/kept_tensors.h"
#include "estimate/stacks/passes.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

using Tensors = std::vector<TensorId>;

/// Moments in the order of a step.
struct Marks {
    int load, forward, head, backward, tables, update;
};

class Fsdp2 {
public:
    Fsdp2(const Rank& rank, double library)
        : rank_(rank),
          library_(library),
          tables_apart_(rank.software().runtime.options.tables == FsdpTables::separate) {
        for (const Block& block : rank.list) {
            live_.push_back(liveness(block));
            names_.push_back(name_tensors(writer_, block));
            kept_.push_back(kept_tensors(
                block, rank.plan().recompute, rank.software(), save_policy(rank.input)));
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
        load();
        for (int step = 0; step < 2; ++step) {
            for (const TensorId gradient : gradients_) {
                writer_.give(gradient);
            }
            gradients_.clear();
            for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
                pass();
                accumulates_ = true;
            }
            accumulates_ = false;
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

    void load();
    void pass();
    TensorId first_forward(std::size_t index);
    void layers_forward(std::size_t index, TensorId& stream);
    void layers_forward(std::size_t index, int count, bool reshards, TensorId& stream);
    void layer_forward(Layers& layers, bool reshards, TensorId stream);
    TensorId last_block(std::size_t index, TensorId stream, BlockEvents& head);
    void layers_back(Layers& layers, TensorId& gradient);
    void layer_back(Layers& layers, TensorId gradient);
    void optimize(bool first);
    void copy_out(std::size_t index, Tensors& held);
    void all_gather(double bytes, bool ahead);
    void gather(std::size_t index, Tensors& held, bool ahead) {
        all_gather(unit_bytes(index), ahead);
        copy_out(index, held);
    }
    [[nodiscard]] double unit_bytes(std::size_t index) const;
    /// Bytes of an operator's parameters as gathered; 0 for a weight that another operator owns.
    [[nodiscard]] double gathered_bytes(std::size_t index, const Operator& op) const;
    void reshard(Tensors& held);
    void reduce(double bytes, BlockEvents* tensors);
    TensorId take(double bytes, Category category) {
        return writer_.take(Bytes::of_base(bytes), Stream::compute, category);
    }
    TensorId take(double bytes, Stream stream, Category category) {
        return writer_.take(Bytes::of_base(bytes), stream, category);
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
        made.makes_unkept = true;
        return made;
    }
    [[nodiscard]] double trained_bytes(std::size_t index) const;

    const Rank& rank_;
    double library_;
    int workspaces_ = 0;
    ScriptWriter writer_;
    Marks marks_{};
    bool tables_apart_;
    std::vector<Liveness> live_;
    std::vector<int> names_;  ///< of the blocks' tensors in the script
    std::vector<std::vector<int>> kept_;
    std::vector<double> shards_;  ///< bytes of each trained parameter's shard
    std::vector<Layers> layers_;
    int forwarded_ = 0;  ///< layers of this pass that have run forward
    Tensors root_;       ///< gathered parameters of the unit that stays
    // Ids that hold what one unit hands to the next, or nothing.
    const TensorId reduced_ = writer_.place();  ///< input of the reduction that may still run
    const TensorId arrived_ = writer_.place();  ///< gathered unit that may still be copied out
    Tensors gradients_;                         ///< sharded
    bool accumulates_ = false;                  ///< into the gradients of an earlier micro-batch
};

void Fsdp2::load() {
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        for (double repeat = 0; repeat < repeats(i); ++repeat) {
            for (const Operator& op : rank_.list[i].operators) {
                if (op.parameters == 0 || (op.tied && rank_.stage.first)) {
                    continue;
                }
                const double stored = op.role == Role::adapter ? rank_.adapter : rank_.weight;
                const double bytes = op.parameters * stored / rank_.dense_group;
                take(bytes, Category::weight);
                if (op.trains) {
                    shards_.push_back(op.parameters * rank_.state / 2 / rank_.dense_group);
                }
            }
        }
    }
}

double Fsdp2::gathered_bytes(std::size_t index, const Operator& op) const {
    const bool layer = rank_.list[index].position == Block::Position::layer;
    const bool float8 = layer && op.role == Role::linear && gathers_float8(rank_);
    return op.tied && rank_.stage.first ? 0 : op.parameters * (float8 ? 1 : rank_.compute);
}

double Fsdp2::unit_bytes(std::size_t index) const {
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += gathered_bytes(index, op);
    }
    return bytes;
}

/// The unit that was gathered before stays until this one has arrived.
///
/// ahead  a forward pass: the unit before is still copied out
void Fsdp2::all_gather(double bytes, bool ahead) {
    const TensorId shard = take(bytes / rank_.dense_group, Stream::gather, Category::gathered);
    const TensorId whole = take(bytes, Stream::gather, Category::gathered);
    const int ranks = static_cast<int>(rank_.dense_group);
    writer_.collective(Collective::all_gather, Bytes::of_base(bytes), ranks, Stream::gather);
    writer_.wait(Stream::compute, Stream::gather);
    writer_.give(shard);
    writer_.give(arrived_);
    writer_.carry(ahead ? whole : nothing, arrived_);
    if (!ahead) {
        writer_.give(whole);
    }
}

void Fsdp2::copy_out(std::size_t index, Tensors& held) {
    for (const Operator& op : rank_.list[index].operators) {
        if (const double bytes = gathered_bytes(index, op); bytes > 0) {
            held.push_back(take(bytes, Category::gathered));
        }
    }
}

void Fsdp2::reshard(Tensors& held) {
    for (const TensorId handle : held) {
        writer_.give(handle);
    }
    held.clear();
}

double Fsdp2::trained_bytes(std::size_t index) const {
    const double each = bytes_per_element(rank_.software().runtime.options.reduce);
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += op.trains && !(op.tied && rank_.stage.first) ? op.parameters * each : 0;
    }
    return bytes;
}

/// The input of a unit's reduction lives until the next unit's is made; the gradients are copied
/// into it.
void Fsdp2::reduce(double bytes, BlockEvents* tensors) {
    writer_.give(reduced_);
    const bool apart = rank_.software().runtime.reduces_apart();
    TensorId input = nothing;
    if (bytes > 0) {
        input = take(bytes, apart ? Stream::reduce : Stream::compute, Category::reduced);
        const TensorId shard = take(bytes / rank_.dense_group, Stream::reduce, Category::gradient);
        const int ranks = static_cast<int>(rank_.dense_group);
        writer_.wait(Stream::reduce, Stream::compute);
        writer_.collective(
            Collective::reduce_scatter, Bytes::of_base(bytes), ranks, Stream::reduce);
        if (accumulates_) {
            writer_.give(shard);
        } else {
            gradients_.push_back(shard);
        }
    }
    writer_.carry(apart ? nothing : input, reduced_);
    writer_.give(apart ? input : nothing);
    if (tensors != nullptr) {
        tensors->give_weights();
    }
}

TensorId Fsdp2::first_forward(std::size_t index) {
    Tensors unit;
    if (tables_apart_) {
        gather(index, unit, true);
    } else {
        double bytes = 0;
        for (std::size_t i = 0; i < rank_.list.size(); ++i) {
            bytes += rank_.list[i].position != Block::Position::layer ? unit_bytes(i) : 0;
        }
        all_gather(bytes, true);
        for (std::size_t i = 0; i < rank_.list.size(); ++i) {
            if (rank_.list[i].position != Block::Position::layer) {
                copy_out(i, root_);
            }
        }
    }
    BlockEvents made = tensors(index);
    const Block& block = rank_.list[index];
    walk_forward(block, live_[index], true, made);
    const TensorId stream = std::exchange(made.tensor_at(block.output), nothing);
    made.release_all();
    reshard(unit);
    take_workspace();
    return stream;
}

/// The layers of a block; the last of all may stay gathered.
void Fsdp2::layers_forward(std::size_t index, TensorId& stream) {
    const int count = static_cast<int>(std::ceil(repeats(index)));
    const bool reshards = rank_.plan().reshard_after_forward;
    const int last = static_cast<int>(rank_.stage.layers) - 1 - forwarded_;
    const bool stays = reshards && !tables_apart_ && last >= 0 && last < count;
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
    gather(layers.index, layers.gathered, true);
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
        reshard(layers.gathered);
    }
}

void Fsdp2::layers_back(Layers& layers, TensorId& gradient) {
    const TensorId passing = writer_.place();
    writer_.carry(gradient, passing);
    const Rounds rounds = writer_.loop(
        layers.rounds.count, [&] { layer_back(layers, passing); }, layers.rounds, true);
    add_rounds(gradients_, rounds);
    gradient = passing;
}

/// Runs one layer back; `gradient` is the id of its output's, then of its input's.
void Fsdp2::layer_back(Layers& layers, TensorId gradient) {
    const Block& block = rank_.list[layers.index];
    BlockEvents& held = layers.tensors;
    if (layers.gathered.empty()) {
        gather(layers.index, layers.gathered, false);
    }
    if (recomputes()) {
        held.saved.clear();
        held.tensor_at(block.input) = layers.input;
        held.phase = Phase::again;
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
    reshard(layers.gathered);
    reduce(trained_bytes(layers.index), &held);
    writer_.carry(next, gradient);
}

/// The head and the loss, forward and back. Returns the gradient of the last layer's output.
TensorId Fsdp2::last_block(std::size_t index, TensorId stream, BlockEvents& head) {
    const Block& block = rank_.list[index];
    Tensors unit;
    if (tables_apart_) {
        gather(index, unit, true);
    }
    head.tensor_at(block.input) = stream;
    walk_forward(block, live_[index], true, head);
    for (std::size_t t = 0; held_logits(rank_) > 0 && t < block.tensors.size(); ++t) {
        const bool wide = block.tensors[t].name == "loss.fp32_logits";
        if (wide ||
            (block.tensors[t].name == "logits" && !rank_.software().kernels.loss.holds_float())) {
            head.pinned = static_cast<int>(t);
        }
    }
    take_workspace();
    head.forward = false;
    const bool in_place =
        rank_.software().kernels.loss.in_place && rank_.workload().loss != LossMode::eager;
    walk_backward(block, live_[index], in_place, head);
    if (tables_apart_) {
        reshard(unit);
        reduce(trained_bytes(index), &head);
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
                gather(first, unit, false);
            }
            table.forward = false;
            table.gradient_at(rank_.list[first].output) = gradient;
            walk_backward(rank_.list[first], live_[first], false, table);
            table.release_all();
            reshard(unit);
            reshard(root_);
            reduce(trained_bytes(first) + (tables_apart_ ? 0 : trained_bytes(i)), &table);
            head.give_weights();
            head.release_all();
            reduce(0, nullptr);
        }
    }
}

void Fsdp2::optimize(bool first) {
    writer_.mark(marks_.update);
    writer_.wait(Stream::compute, Stream::reduce);
    Tensors roots;
    for (const double bytes : shards_) {
        for (int moment = 0; first && moment < 2; ++moment) {
            take(bytes, Category::state);
        }
    }
    if (rank_.workload().optimizer_implementation == OptimizerImplementation::foreach) {
        for (const double bytes : shards_) {
            roots.push_back(take(bytes, Category::transient));
        }
    }
    reshard(roots);
}

}  // namespace

Script fsdp2_script(const Rank& rank, Bytes library) {
    return Fsdp2(rank, library.base()).write();
}

}  // namespace ridgeline
