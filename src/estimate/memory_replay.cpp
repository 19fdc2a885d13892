// Replays a run through the caching allocator (tests/oracle/fsdp_qlora_flow.py runs the real one).
#include "estimate/memory_replay.h"

#include "estimate/block_walk.h"
#include "estimate/caching_allocator.h"
#include "estimate/memory_amounts.h"
#include "estimate/quantization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

using Handle = CachingAllocator::Handle;
constexpr Handle nothing = -1;
/// torch.distributed: module states are broadcast in buckets that close at this size.
constexpr double broadcast_bucket = 250.0 * 1024 * 1024;

/// Tensors of one layer while it is walked.
class LayerTensors {
public:
    LayerTensors(CachingAllocator& allocator, const Block& block)
        : allocator_(allocator),
          block_(block),
          tensors_(block.tensors.size(), nothing),
          gradients_(block.tensors.size(), nothing) {}

    void take(int tensor) { tensor_at(tensor) = allocator_.take(size_at(block_, tensor)); }
    void give(int tensor) {
        if (tensor != pinned) {
            release(tensor_at(tensor));
        }
    }
    void take_gradient(int tensor) {
        gradient_at(tensor) = allocator_.take(size_at(block_, tensor));
    }
    void give_gradient(int tensor) { release(gradient_at(tensor)); }
    void becomes_gradient(int tensor) {
        gradient_at(tensor) = std::exchange(tensor_at(tensor), nothing);
    }
    void beside(int tensor) { pieces_.push_back(allocator_.take(size_at(block_, tensor))); }

    /// A workspace is of pieces no larger than the operator's tensors.
    void work(const Operator& op, double workspace) {
        const double expanded = op.quantized && forward ? op.rows * op.columns * compute : 0;
        double left = std::max(workspace, expanded);
        double largest = op.quantized ? left : 0;
        for (const auto& list : {std::span<const int>(op.inputs),
                                 std::span<const int>(op.outputs),
                                 std::span<const int>(op.kept)}) {
            for (const int tensor : list) {
                largest = std::max(largest, tensor == no_tensor ? 0 : size_at(block_, tensor));
            }
        }
        while (left > 0) {
            const double piece = largest > 0 ? std::min(left, largest) : left;
            pieces_.push_back(allocator_.take(piece));
            left -= piece;
        }
        if (!forward && op.trains && op.parameters > 0) {
            weights_.push_back(allocator_.take(op.parameters * weight_gradient));
        }
        for (const Handle piece : pieces_) {
            allocator_.give(piece);
        }
        pieces_.clear();
        if (op.role == Role::adapter) {
            give_weights();  // a unit of its own: reduced as soon as it is there
        }
    }

    /// Gradients of the unit's weights, flattened for the reduction where FSDP does.
    void reduce(bool flattens, double unit) {
        const Handle flat = flattens && !weights_.empty() ? allocator_.take(unit) : nothing;
        give_weights();
        if (flat != nothing) {
            allocator_.give(flat);
        }
    }
    void release_all() {
        for (Handle& tensor : tensors_) {
            release(tensor);
        }
    }
    Handle& tensor_at(int tensor) { return tensors_[static_cast<std::size_t>(tensor)]; }
    Handle& gradient_at(int tensor) { return gradients_[static_cast<std::size_t>(tensor)]; }

    int pinned = no_tensor;  ///< outlives its last reader
    bool forward = true;
    double compute = 2;
    double weight_gradient = 2;

private:
    void release(Handle& handle) {
        if (handle != nothing) {
            allocator_.give(handle);
        }
        handle = nothing;
    }
    void give_weights() {
        for (const Handle weight : weights_) {
            allocator_.give(weight);
        }
        weights_.clear();
    }

    CachingAllocator& allocator_;
    const Block& block_;
    std::vector<Handle> tensors_;
    std::vector<Handle> gradients_;
    std::vector<Handle> pieces_;
    std::vector<Handle> weights_;
};

class Replay {
public:
    Replay(const Rank& rank, double library, double limit)
        : rank_(rank), library_(library), allocator_(limit) {
        for (const Block& block : rank.list) {
            live_.push_back(liveness(block));
        }
    }

    double run() {
        load();
        for (int pass = 0; pass < 2 && library_ > 0; ++pass) {
            allocator_.take(library_ / 2);
        }
        for (int step = 0; step < 2; ++step) {
            for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
                pass();
            }
            optimize(step == 0);
        }
        return allocator_.most_held();
    }

private:
    void load();
    void wrap(const std::vector<double>& parameters, bool on_host, double table = 0);
    void broadcast(const std::vector<double>& tensors, std::vector<Handle>& held);
    void hold_scales(const Operator& op);
    void pass();
    void layer_back(
        std::size_t index, Handle input, Handle& gradient, bool again, LayerTensors* kept);
    void optimize(bool first);
    [[nodiscard]] double group() const {
        return shards_weights(rank_.plan().sharding) ? rank_.dense_group : 1;
    }
    [[nodiscard]] LayerTensors tensors(std::size_t index) {
        LayerTensors made(allocator_, rank_.list[index]);
        made.compute = rank_.compute;
        made.weight_gradient =
            rank_.workload().method == Method::full ? rank_.gradient : rank_.adapter;
        return made;
    }

    const Rank& rank_;
    double library_ = 0;
    CachingAllocator allocator_;
    std::vector<Liveness> live_;
    std::vector<double> trained_;  ///< bytes of each trained unit's shard
};

/// Tensors are sent to the other ranks in flat copies; one tensor alone is sent as it is.
void Replay::broadcast(const std::vector<double>& tensors, std::vector<Handle>& held) {
    double bucket = 0;
    int members = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        bucket += tensors[i];
        ++members;
        if (bucket >= broadcast_bucket || i + 1 == tensors.size()) {
            if (members > 1) {
                held.push_back(allocator_.take(bucket));
            }
            bucket = 0;
            members = 0;
        }
    }
}

/// FSDP1 wraps a unit: its parameters move to the device one by one, are sent to the other ranks in
/// buckets after the unit's buffers, copied into one flat parameter, and the shard of that is
/// copied out. The buckets are still in use by the communication stream when the shard is made.
void Replay::wrap(const std::vector<double>& parameters, bool on_host, double table) {
    std::vector<Handle> held;
    for (const double bytes : parameters) {
        held.push_back(allocator_.take(bytes));
    }
    std::vector<double> sent;
    if (table > 0) {
        allocator_.take(table / 2);
        allocator_.take(table / 2);
        sent.assign(2, table / 2);
    }
    if (rank_.parameters.quantized > 0) {
        broadcast(sent, held);  // in fp32, the parameters are not
        sent.clear();
    }
    sent.insert(sent.end(), parameters.begin(), parameters.end());
    broadcast(sent, held);
    const double whole = std::accumulate(parameters.begin(), parameters.end(), 0.0);
    const Handle flat = allocator_.take(whole);
    if (group() > 1) {
        const Handle shard = allocator_.take(whole / group());
        allocator_.give(flat);
        if (on_host) {
            held.push_back(shard);
        }
    }
    for (const Handle handle : held) {
        allocator_.give(handle);
    }
}

void Replay::hold_scales(const Operator& op) {
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    if (!op.quantized || format == nullptr) {
        return;
    }
    const double bytes = quantized_bytes(
        *format, op.rows, op.columns, rank_.workload().quantization.double_quantization);
    allocator_.take((bytes - op.rows * op.columns * format->bits / 8) * op.matrices);
}

void Replay::load() {
    const bool on_host = rank_.plan().offload_parameters != OffloadTarget::none;
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    std::vector<double> root;
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        const bool layer = block.position == Block::Position::layer;
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            std::vector<double> unit;
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
                unit.push_back(bytes);
                hold_scales(op);
            }
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
void Replay::layer_back(
    std::size_t index, Handle input, Handle& gradient, bool again, LayerTensors* kept) {
    const Block& block = rank_.list[index];
    LayerTensors fresh = tensors(index);
    LayerTensors& layer = again ? fresh : *kept;
    if (again) {
        layer.tensor_at(block.input) = input;
        layer.pinned = block.input;
        walk_forward(block, live_[index], true, layer);
        layer.give(block.output);
    }
    layer.forward = false;
    layer.pinned = no_tensor;
    layer.gradient_at(block.output) = gradient;
    walk_backward(block, live_[index], false, layer);
    Handle& below = layer.gradient_at(block.input);
    Handle& above = layer.gradient_at(block.output);
    gradient = below != nothing ? below : above;
    layer.reduce(rank_.software().fsdp_flattens, rank_.parameters.layer_trained * rank_.gradient);
    layer.release_all();
}

void Replay::pass() {
    struct Kept {
        std::size_t index;
        Handle input;
        bool again;
        LayerTensors tensors;
    };
    std::vector<Kept> layers;
    Handle stream = nothing;
    Handle gradient = nothing;
    const int full = rank_.plan().full_recompute_layers;
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        if (block.position == Block::Position::layer) {
            for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
                const bool again = full >= 0 ? static_cast<double>(layers.size()) < full
                                             : rank_.plan().recompute == RecomputeMode::full;
                LayerTensors layer = tensors(i);
                layer.tensor_at(block.input) = stream;
                layer.pinned = again ? block.input : no_tensor;
                walk_forward(block, live_[i], !again, layer);
                const Handle before = stream;
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
        LayerTensors ends = tensors(i);
        if (block.position == Block::Position::first) {
            walk_forward(block, live_[i], true, ends);
            stream = ends.tensor_at(block.output);
            ends.tensor_at(block.output) = nothing;
            ends.release_all();
            continue;
        }
        ends.tensor_at(block.input) = stream;
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
        for (std::size_t l = layers.size(); l-- > 0;) {
            layer_back(
                layers[l].index, layers[l].input, gradient, layers[l].again, &layers[l].tensors);
        }
        ends.release_all();
    }
    if (gradient != nothing) {
        allocator_.give(gradient);
    }
}

void Replay::optimize(bool first) {
    if (rank_.plan().offload_optimizer != OffloadTarget::none) {
        return;
    }
    const bool foreach =
        rank_.workload().optimizer_implementation == OptimizerImplementation::foreach;
    const double share =
        rank_.state /
        std::max(1.0, rank_.workload().method == Method::full ? rank_.weight : rank_.adapter);
    std::vector<Handle> roots;
    for (const double bytes : trained_) {
        for (int moment = 0; first && moment < 2; ++moment) {
            allocator_.take(bytes * share / 2);
        }
    }
    for (const double bytes : trained_) {
        if (foreach) {
            roots.push_back(allocator_.take(bytes * share / 2));
        }
    }
    for (const Handle root : roots) {
        allocator_.give(root);
    }
}

}  // namespace

bool replays(const Rank& rank) {
    const Workload& workload = rank.workload();
    return rank.software().replays_allocator && rank.plan().pipeline == 1 &&
           rank.plan().recompute != RecomputeMode::selective && !workload.compiled &&
           rank.plan().offload_activations == OffloadTarget::none;
}

double replayed_pool(const Rank& rank, double library, double limit) {
    return Replay(rank, library, limit).run();
}

}  // namespace ridgeline
