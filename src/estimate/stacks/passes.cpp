#include "estimate/stacks/passes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {

void add_rounds(std::vector<TensorId>& ids, const Rounds& rounds) {
    const auto own =
        std::find_if(ids.begin(), ids.end(), [&rounds](TensorId id) { return id >= rounds.first; });
    const std::vector<TensorId> first(own, ids.end());
    ids.erase(own, ids.end());
    for (int round = rounds.count; round-- > 0;) {
        for (const TensorId id : first) {
            ids.push_back(id + rounds.moved(id, round));
        }
    }
}

Passes::Passes(const Rank& rank, Bytes library)
    : rank_(rank), adapter_cast_(rank.adapter / rank.compute), library_(library.base()) {
    for (const Block& block : rank.list) {
        live_.push_back(liveness(block));
        names_.push_back(name_tensors(writer_, block));
    }
}

Script Passes::write() {
    const int update = writer_.name("optimizer step");
    writer_.mark(writer_.name("load"));
    load();
    for (int pass = 0; pass < 2 && library_ > 0; ++pass) {
        take(library_ / 2, Category::workspace);
    }
    for (int number = 0; number < 2; ++number) {
        before_step(number == 0);
        for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
            accumulates_ = micro > 0;
            pass();
        }
        writer_.mark(update);
        step(number == 0);
    }
    return std::move(writer_).finish();
}

BlockEvents Passes::events(std::size_t block) {
    BlockEvents made(writer_, rank_.list[block], names_[block]);
    made.compute = rank_.compute;
    made.holds_weights = holds_adapters();
    made.adapter_cast = adapter_cast_;
    made.weight_gradient = rank_.workload().method == Method::full ? rank_.gradient : rank_.adapter;
    return made;
}

TensorId Passes::first_forward(std::size_t index) {
    BlockEvents made = events(index);
    walk_forward(rank_.list[index], live_[index], true, made);
    const TensorId stream = std::exchange(made.tensor_at(rank_.list[index].output), nothing);
    made.release_all();
    return stream;
}

/// The layers of a block; the first ones may be computed again on the way back.
void Passes::layers_forward(std::size_t index, TensorId& stream) {
    const int count = static_cast<int>(std::ceil(rank_.stage.repeats[index]));
    const bool all = rank_.plan().recompute == RecomputeMode::full;
    const int full = rank_.plan().full_recompute_layers;
    const int again = full < 0 ? (all ? count : 0) : std::clamp(full - forwarded_, 0, count);
    layers_forward(index, again, true, stream);
    layers_forward(index, count - again, false, stream);
    forwarded_ += count;
}

void Passes::layers_forward(std::size_t index, int count, bool again, TensorId& stream) {
    if (count == 0) {
        return;
    }
    const TensorId passing = writer_.place();
    writer_.carry(stream, passing);
    Layers layers{index, again, events(index)};
    layers.rounds = writer_.loop(count, [&] { layer_forward(layers, passing); });
    add_rounds(casts_, layers.rounds);
    layers_.push_back(std::move(layers));
    stream = passing;
}

/// `stream` is the id of a layer's input, then of its output.
void Passes::layer_forward(Layers& layers, TensorId stream) {
    const Block& block = rank_.list[layers.index];
    layers.input = writer_.place();
    writer_.carry(stream, layers.input);
    BlockEvents& layer = layers.tensors;
    layer.tensor_at(block.input) = layers.input;
    layer.pinned = layers.again ? block.input : no_tensor;
    for (std::size_t t = 0; layers.again && t < block.tensors.size(); ++t) {
        if (block.tensors[t].name == cast_weight) {
            layer.saved.push_back(static_cast<int>(t));  // until autocast ends
        }
    }
    walk_forward(block, live_[layers.index], !layers.again, layer);
    writer_.carry(std::exchange(layer.tensor_at(block.output), nothing), stream);
    if (layers.again) {
        layer.tensor_at(block.input) = nothing;  // the checkpoint
        for (const int cast : layer.saved) {
            casts_.push_back(std::exchange(layer.tensor_at(cast), nothing));
        }
        layer.release_all();
    }
}

void Passes::layers_back(Layers& layers, TensorId& gradient) {
    const TensorId passing = writer_.place();
    writer_.carry(gradient, passing);
    BlockEvents fresh = events(layers.index);
    BlockEvents& layer = layers.again ? fresh : layers.tensors;
    const Rounds rounds = writer_.loop(
        layers.rounds.count, [&] { layer_back(layers, layer, passing); }, layers.rounds, true);
    after_layers(rounds);
    gradient = passing;
}

/// Runs one layer back; `gradient` is the id of its output's, then of its input's.
void Passes::layer_back(const Layers& layers, BlockEvents& layer, TensorId gradient) {
    const Block& block = rank_.list[layers.index];
    // A reentrant checkpoint holds the layer's output and its gradient while the layer runs back.
    const bool reentrant = layers.again && rank_.software().runtime.options.reentrant_checkpoints;
    TensorId above_held = nothing;
    if (layers.again) {
        layer.tensor_at(block.input) = layers.input;
        layer.pinned = block.input;
        layer.stops_early = !reentrant;
        layer.phase = Phase::again;
        walk_forward(block, live_[layers.index], true, layer);
        if (!reentrant) {
            layer.give(block.output);
        }
    }
    if (reentrant) {
        layer.holds_inputs = rank_.software().runtime.quantized_keeps_input();
        above_held = take(size_at(block, block.output), Category::transient);
    }
    layer.forward = false;
    layer.pinned = no_tensor;
    layer.gradient_at(block.output) = gradient;
    walk_backward(block, live_[layers.index], false, layer);
    const TensorId below = layer.gradient_at(block.input);
    writer_.carry(below != nothing ? below : layer.gradient_at(block.output), gradient);
    after_backward(layer);
    layer.release_all();
    writer_.give(above_held);
}

void Passes::before_loss(BlockEvents& head) {
    if (rank_.workload().loss == LossMode::eager) {
        head.read_by_loss = 1 - 1.0 / rank_.workload().batch.sequence_length;
    }
}

/// The last norm, the head and the loss, forward and back. Returns the gradient of the last layer's
/// output.
TensorId Passes::head(std::size_t index, BlockEvents& events, TensorId stream) {
    const Block& block = rank_.list[index];
    events.tensor_at(block.input) = stream;
    before_loss(events);
    walk_forward(block, live_[index], true, events);
    events.pinned = held_logits_of(rank_, block);
    for (const TensorId cast : std::exchange(casts_, {})) {
        writer_.give(cast);
    }
    after_loss(events);
    events.forward = false;
    const bool in_place =
        rank_.software().kernels.loss.in_place && rank_.workload().loss != LossMode::eager;
    walk_backward(block, live_[index], in_place, events);
    return events.gradient_at(block.input);
}

void Passes::pass() {
    TensorId stream = nothing;
    std::size_t first = 0;
    writer_.mark(forward_);
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        if (block.tensors.empty()) {
            continue;  // a tower that text does not run through
        }
        if (block.position == Block::Position::first) {
            first = i;
            stream = first_forward(i);
        } else if (block.position == Block::Position::layer) {
            layers_forward(i, stream);
        } else {
            writer_.mark(head_);
            BlockEvents ends = events(i);
            TensorId gradient = head(i, ends, stream);
            writer_.mark(backward_);
            for (std::size_t l = layers_.size(); l-- > 0;) {
                layers_back(layers_[l], gradient);
            }
            layers_.clear();
            forwarded_ = 0;
            ends.release_all();
            after_backward(ends);
            tables_back(first, gradient);
        }
    }
}

}  // namespace ridgeline
