// Replays a run through the caching allocator (tests/oracle/fsdp_qlora_flow.py runs the real one).
#include "estimate/memory/replay_fsdp1.h"

#include "estimate/allocator/caching_allocator.h"
#include "estimate/memory/amounts.h"
#include "estimate/memory/layer_tensors.h"
#include "estimate/memory/replay_fsdp2.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

using Handle = CachingAllocator::Handle;
constexpr Handle nothing = LayerTensors::nothing;
/// torch.distributed: module states are broadcast in buckets that close at this size.
constexpr double broadcast_bucket = 250.0 * 1024 * 1024;

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
    void hold_scales();
    void hold_scales_of(const Operator& op, const QuantFormat& format);
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
        made.adapter_cast = rank_.adapter / rank_.compute;
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

/// Scales are made when the weights are quantised, before anything is wrapped.
void Replay::hold_scales() {
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

void Replay::hold_scales_of(const Operator& op, const QuantFormat& format) {
    const double bytes = quantized_bytes(
        format, op.rows, op.columns, rank_.workload().quantization.double_quantization);
    allocator_.take((bytes - op.rows * op.columns * format.bits / 8) * op.matrices);
}

void Replay::load() {
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
void Replay::layer_back(
    std::size_t index, Handle input, Handle& gradient, bool again, LayerTensors* kept) {
    const Block& block = rank_.list[index];
    LayerTensors fresh = tensors(index);
    LayerTensors& layer = again ? fresh : *kept;
    // A reentrant checkpoint holds the layer's output and its gradient while the layer runs back.
    const bool reentrant = again && rank_.parameters.quantized > 0;
    Handle above_held = nothing;
    if (again) {
        layer.tensor_at(block.input) = input;
        layer.pinned = block.input;
        layer.stops_early = !reentrant;
        walk_forward(block, live_[index], true, layer);
        if (!reentrant) {
            layer.give(block.output);
        }
    }
    if (reentrant) {
        layer.holds_inputs = rank_.software().quantized_keeps_input;
        above_held = allocator_.take(size_at(block, block.output));
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
    if (above_held != nothing) {
        allocator_.give(above_held);
    }
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
        if (block.tensors.empty()) {
            continue;  // a tower that text does not run through
        }
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

/// One way from the tokens to the loss: no encoder, no head that predicts further tokens.
bool one_stream(const OperatorList& list) {
    const auto blocks = [&list](Block::Position position) {
        return std::count_if(list.begin(), list.end(), [position](const Block& block) {
            return block.position == position && !block.tensors.empty();
        });
    };
    return blocks(Block::Position::first) == 1 && blocks(Block::Position::last) == 1;
}

}  // namespace

bool replays(const Rank& rank) {
    const Workload& workload = rank.workload();
    const bool simple = rank.software().replays_allocator && one_stream(rank.list) &&
                        rank.plan().pipeline == 1 &&
                        rank.plan().offload_activations == OffloadTarget::none;
    if (rank.software().fsdp_copies_out) {
        return simple && uses_fsdp(rank) && rank.plan().expert == 1 &&
               rank.plan().full_recompute_layers < 0 &&
               rank.plan().offload_parameters == OffloadTarget::none;
    }
    return simple && rank.plan().recompute != RecomputeMode::selective && !workload.compiled;
}

PoolBytes replayed_pools(const Rank& rank, double library, double limit) {
    if (rank.software().fsdp_copies_out) {
        return replayed_fsdp2(rank, library);
    }
    PoolBytes pools{};
    pools[static_cast<std::size_t>(MemoryPool::compute)] = Replay(rank, library, limit).run();
    return pools;
}

}  // namespace ridgeline
