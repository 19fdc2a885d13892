// A run with FSDP1 as a step script (tests/oracle/fsdp_qlora_flow.py runs the real one).
#include "estimate/stacks/fsdp1.h"

#include "estimate/stacks/block_events.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

/// torch.distributed: module states are broadcast in buckets that close at this size.
constexpr double broadcast_bucket = 250.0 * 1024 * 1024;

class Fsdp1 {
public:
    Fsdp1(const Rank& rank, double library) : rank_(rank), library_(library) {
        for (const Block& block : rank.list) {
            live_.push_back(liveness(block));
            names_.push_back(name_tensors(writer_, block));
        }
    }

    Script write() {
        writer_.mark(writer_.name("load"));
        load();
        for (int pass = 0; pass < 2 && library_ > 0; ++pass) {
            take(library_ / 2, Category::workspace);
        }
        for (int step = 0; step < 2; ++step) {
            for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
                pass();
            }
            optimize(step == 0);
        }
        return std::move(writer_).finish();
    }

private:
    void load();
    void wrap(const std::vector<double>& parameters, bool on_host, double table = 0);
    void broadcast(const std::vector<double>& tensors, std::vector<TensorId>& held);
    void hold_scales();
    void hold_scales_of(const Operator& op, const QuantFormat& format);
    void pass();
    void layer_back(
        std::size_t index, TensorId input, TensorId& gradient, bool again, BlockEvents* kept);
    void optimize(bool first);
    TensorId take(double bytes, Category category) {
        return writer_.take(Bytes::of_base(bytes), Stream::compute, category);
    }
    [[nodiscard]] double group() const {
        return shards_weights(rank_.plan().sharding) ? rank_.dense_group : 1;
    }
    [[nodiscard]] BlockEvents tensors(std::size_t index) {
        BlockEvents made(writer_, rank_.list[index], names_[index]);
        made.compute = rank_.compute;
        made.adapter_cast = rank_.adapter / rank_.compute;
        made.weight_gradient =
            rank_.workload().method == Method::full ? rank_.gradient : rank_.adapter;
        return made;
    }

    const Rank& rank_;
    double library_ = 0;
    ScriptWriter writer_;
    int forward_ = writer_.name("forward");
    int backward_ = writer_.name("backward");
    int update_ = writer_.name("optimizer step");
    std::vector<Liveness> live_;
    std::vector<int> names_;       ///< of the blocks' tensors in the script
    std::vector<double> trained_;  ///< bytes of each trained unit's shard
};

/// Tensors are sent to the other ranks in flat copies; one tensor alone is sent as it is.
void Fsdp1::broadcast(const std::vector<double>& tensors, std::vector<TensorId>& held) {
    double bucket = 0;
    int members = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        bucket += tensors[i];
        ++members;
        if (bucket >= broadcast_bucket || i + 1 == tensors.size()) {
            if (members > 1) {
                held.push_back(take(bucket, Category::buffer));
            }
            bucket = 0;
            members = 0;
        }
    }
}

/// FSDP1 wraps a unit: its parameters move to the device one by one, are sent to the other ranks in
/// buckets after the unit's buffers, copied into one flat parameter, and the shard of that is
/// copied out. The buckets are still in use by the communication stream when the shard is made.
void Fsdp1::wrap(const std::vector<double>& parameters, bool on_host, double table) {
    std::vector<TensorId> held;
    for (const double bytes : parameters) {
        held.push_back(take(bytes, Category::weight));
    }
    std::vector<double> sent;
    if (table > 0) {
        take(table / 2, Category::weight);
        take(table / 2, Category::weight);
        sent.assign(2, table / 2);
    }
    if (rank_.parameters.quantized > 0) {
        broadcast(sent, held);  // in fp32, the parameters are not
        sent.clear();
    }
    sent.insert(sent.end(), parameters.begin(), parameters.end());
    broadcast(sent, held);
    const double whole = std::accumulate(parameters.begin(), parameters.end(), 0.0);
    const TensorId flat = take(whole, Category::weight);
    if (group() > 1) {
        const TensorId shard = take(whole / group(), Category::weight);
        writer_.give(flat);
        if (on_host) {
            held.push_back(shard);
        }
    }
    for (const TensorId handle : held) {
        writer_.give(handle);
    }
}

/// Scales are made when the weights are quantised, before anything is wrapped.
void Fsdp1::hold_scales() {
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    for (std::size_t i = 0; format != nullptr && i < rank_.list.size(); ++i) {
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            for (const Operator& op : rank_.list[i].operators) {
                if (op.quantized) {
                    hold_scales_of(op, *format);
                }
            }
        }
    }
}

void Fsdp1::hold_scales_of(const Operator& op, const QuantFormat& format) {
    const double bytes = quantized_bytes(
        format, op.rows, op.columns, rank_.workload().quantization.double_quantization);
    take((bytes - op.rows * op.columns * format.bits / 8) * op.matrices, Category::weight);
}

void Fsdp1::load() {
    const bool on_host = rank_.plan().offload_parameters != OffloadTarget::none;
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    hold_scales();
    std::vector<double> root;
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        const bool layer = block.position == Block::Position::layer;
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            std::vector<double> unit;
            std::vector<double> norms;  // the last of a layer's modules
            for (const Operator& op : block.operators) {
                if (op.parameters == 0 || (op.tied && rank_.stage.first)) {
                    continue;
                }
                if (op.role == Role::adapter) {
                    const double a = op.rows * op.columns;
                    for (const double part : {a, op.parameters - a}) {
                        wrap({part * rank_.adapter}, on_host);
                        trained_.push_back(part * rank_.adapter / group());
                    }
                    continue;
                }
                const double bytes = op.quantized && format != nullptr
                                         ? op.rows * op.columns * op.matrices * format->bits / 8
                                         : op.parameters * rank_.weight;
                (layer && op.role == Role::norm ? norms : unit).push_back(bytes);
            }
            unit.insert(unit.end(), norms.begin(), norms.end());
            if (layer) {
                wrap(unit, on_host, rotary_table_bytes(rank_));
            } else {
                root.insert(root.end(), unit.begin(), unit.end());
            }
        }
    }
    wrap(root, on_host);
    if (rank_.workload().method == Method::full) {
        const double bytes = rank_.trained_bytes(rank_.weight, rank_.weight, true);
        trained_.assign(1, bytes);
    }
}

/// Runs one layer back; `gradient` is that of its output, then of its input.
void Fsdp1::layer_back(
    std::size_t index, TensorId input, TensorId& gradient, bool again, BlockEvents* kept) {
    const Block& block = rank_.list[index];
    BlockEvents fresh = tensors(index);
    BlockEvents& layer = again ? fresh : *kept;
    // A reentrant checkpoint holds the layer's output and its gradient while the layer runs back.
    const bool reentrant = again && rank_.parameters.quantized > 0;
    TensorId above_held = nothing;
    if (again) {
        layer.tensor_at(block.input) = input;
        layer.pinned = block.input;
        layer.stops_early = !reentrant;
        layer.phase = Phase::again;
        walk_forward(block, live_[index], true, layer);
        if (!reentrant) {
            layer.give(block.output);
        }
    }
    if (reentrant) {
        layer.holds_inputs = rank_.software().quantized_keeps_input;
        above_held = take(size_at(block, block.output), Category::transient);
    }
    layer.forward = false;
    layer.pinned = no_tensor;
    layer.gradient_at(block.output) = gradient;
    walk_backward(block, live_[index], false, layer);
    TensorId& below = layer.gradient_at(block.input);
    TensorId& above = layer.gradient_at(block.output);
    gradient = below != nothing ? below : above;
    layer.reduce(rank_.software().fsdp_flattens, rank_.parameters.layer_trained * rank_.gradient);
    layer.release_all();
    if (above_held != nothing) {
        writer_.give(above_held);
    }
}

void Fsdp1::pass() {
    writer_.mark(forward_);
    struct Kept {
        std::size_t index;
        TensorId input;
        bool again;
        BlockEvents tensors;
    };
    std::vector<Kept> layers;
    TensorId stream = nothing;
    TensorId gradient = nothing;
    const int full = rank_.plan().full_recompute_layers;
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        if (block.tensors.empty()) {
            continue;  // a tower that text does not run through
        }
        if (block.position == Block::Position::layer) {
            for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
                const bool again = full >= 0 ? static_cast<double>(layers.size()) < full
                                             : rank_.plan().recompute == RecomputeMode::full;
                BlockEvents layer = tensors(i);
                layer.tensor_at(block.input) = stream;
                layer.pinned = again ? block.input : no_tensor;
                walk_forward(block, live_[i], !again, layer);
                const TensorId before = stream;
                stream = layer.tensor_at(block.output);
                layer.tensor_at(block.output) = nothing;
                if (again) {
                    layer.tensor_at(block.input) = nothing;  // the checkpoint
                    layer.release_all();
                }
                layers.push_back({i, before, again, std::move(layer)});
            }
            continue;
        }
        BlockEvents ends = tensors(i);
        if (block.position == Block::Position::first) {
            walk_forward(block, live_[i], true, ends);
            stream = ends.tensor_at(block.output);
            ends.tensor_at(block.output) = nothing;
            ends.release_all();
            continue;
        }
        ends.tensor_at(block.input) = stream;
        if (rank_.workload().loss == LossMode::eager) {
            ends.read_by_loss = 1 - 1.0 / rank_.workload().batch.sequence_length;
        }
        walk_forward(block, live_[i], true, ends);
        for (std::size_t t = 0; held_logits(rank_) > 0 && t < block.tensors.size(); ++t) {
            const bool wide = block.tensors[t].name == "loss.fp32_logits";
            if (wide ||
                (block.tensors[t].name == "logits" && !rank_.software().keeps_logits_float)) {
                ends.pinned = static_cast<int>(t);
            }
        }
        ends.forward = false;
        const bool in_place =
            rank_.software().loss_in_place && rank_.workload().loss != LossMode::eager;
        walk_backward(block, live_[i], in_place, ends);
        gradient = ends.gradient_at(block.input);
        writer_.mark(backward_);
        for (std::size_t l = layers.size(); l-- > 0;) {
            layer_back(
                layers[l].index, layers[l].input, gradient, layers[l].again, &layers[l].tensors);
        }
        ends.release_all();
    }
    if (gradient != nothing) {
        writer_.give(gradient);
    }
}

void Fsdp1::optimize(bool first) {
    writer_.mark(update_);
    if (rank_.plan().offload_optimizer != OffloadTarget::none) {
        return;
    }
    const bool foreach =
        rank_.workload().optimizer_implementation == OptimizerImplementation::foreach;
    const double share =
        rank_.state /
        std::max(1.0, rank_.workload().method == Method::full ? rank_.weight : rank_.adapter);
    std::vector<TensorId> roots;
    for (const double bytes : trained_) {
        for (int moment = 0; first && moment < 2; ++moment) {
            take(bytes * share / 2, Category::state);
        }
    }
    for (const double bytes : trained_) {
        if (foreach) {
            roots.push_back(take(bytes * share / 2, Category::transient));
        }
    }
    for (const TensorId root : roots) {
        writer_.give(root);
    }
}

}  // namespace

Script fsdp1_script(const Rank& rank, Bytes library) {
    return Fsdp1(rank, library.base()).write();
}

}  // namespace ridgeline
