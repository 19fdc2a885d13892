#include "estimate/stacks/passes.h"

#include <algorithm>
#include <utility>

namespace ridgeline {

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

void Passes::layer_forward(std::size_t index, TensorId& stream) {
    const Block& block = rank_.list[index];
    const int full = rank_.plan().full_recompute_layers;
    const bool again = full >= 0 ? static_cast<double>(layers_.size()) < full
                                 : rank_.plan().recompute == RecomputeMode::full;
    BlockEvents layer = events(index);
    layer.tensor_at(block.input) = stream;
    layer.pinned = again ? block.input : no_tensor;
    walk_forward(block, live_[index], !again, layer);
    const TensorId before = stream;
    stream = std::exchange(layer.tensor_at(block.output), nothing);
    if (again) {
        layer.tensor_at(block.input) = nothing;  // the checkpoint
        layer.release_all();
    }
    layers_.push_back({index, before, again, std::move(layer)});
}

/// Runs one layer back; `gradient` is that of its output, then of its input.
void Passes::layer_back(Layer& kept, TensorId& gradient) {
    const Block& block = rank_.list[kept.index];
    BlockEvents fresh = events(kept.index);
    BlockEvents& layer = kept.again ? fresh : kept.tensors;
    // A reentrant checkpoint holds the layer's output and its gradient while the layer runs back.
    const bool reentrant = kept.again && rank_.parameters.quantized > 0;
    TensorId above_held = nothing;
    if (kept.again) {
        layer.tensor_at(block.input) = kept.input;
        layer.pinned = block.input;
        layer.stops_early = !reentrant;
        layer.phase = Phase::again;
        walk_forward(block, live_[kept.index], true, layer);
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
    walk_backward(block, live_[kept.index], false, layer);
    const TensorId below = layer.gradient_at(block.input);
    gradient = below != nothing ? below : layer.gradient_at(block.output);
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
    for (std::size_t t = 0; held_logits(rank_) > 0 && t < block.tensors.size(); ++t) {
        const bool wide = block.tensors[t].name == "loss.fp32_logits";
        if (wide ||
            (block.tensors[t].name == "logits" && !rank_.software().kernels.loss.holds_float())) {
            events.pinned = static_cast<int>(t);
        }
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
            for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
                layer_forward(i, stream);
            }
        } else {
            writer_.mark(head_);
            BlockEvents ends = events(i);
            TensorId gradient = head(i, ends, stream);
            writer_.mark(backward_);
            for (std::size_t l = layers_.size(); l-- > 0;) {
                layer_back(layers_[l], gradient);
            }
            layers_.clear();
            ends.release_all();
            after_backward(ends);
            tables_back(first, gradient);
        }
    }
}

}  // namespace ridgeline
