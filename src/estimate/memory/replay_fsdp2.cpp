// Replays a run with FSDP2 through the caching allocator (tests/oracle/torchtitan_flow.py runs the
// real one).
#include "estimate/memory/replay_fsdp2.h"

#include "estimate/memory/amounts.h"
#include "estimate/memory/layer_tensors.h"
#include "estimate/stacks/kept_tensors.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

using Handle = CachingAllocator::Handle;
using Handles = std::vector<Handle>;
constexpr Handle nothing = LayerTensors::nothing;

constexpr double unlimited = std::numeric_limits<double>::infinity();

class ShardedReplay {
public:
    ShardedReplay(const Rank& rank, double library)
        : rank_(rank),
          library_(library),
          allocator_(unlimited, expandable_segments(rank)),
          gathering_(unlimited, expandable_segments(rank)),
          reducing_(unlimited, expandable_segments(rank)),
          tables_apart_(rank.software().fsdp_tables == FsdpTables::separate) {
        for (const Block& block : rank.list) {
            live_.push_back(liveness(block));
            kept_.push_back(kept_tensors(
                block, rank.plan().recompute, rank.software(), save_policy(rank.input)));
        }
    }

    PoolBytes run() {
        load();
        for (int step = 0; step < 2; ++step) {
            for (const Handle gradient : gradients_) {
                reducing_.give(gradient);
            }
            gradients_.clear();
            for (double micro = 0; micro < std::min(2.0, rank_.micro_batches); ++micro) {
                pass();
                accumulates_ = true;
            }
            accumulates_ = false;
            optimize(step == 0);
        }
        PoolBytes pools{};
        pools[static_cast<std::size_t>(MemoryPool::compute)] = allocator_.most_held();
        pools[static_cast<std::size_t>(MemoryPool::gather)] = gathering_.most_held();
        pools[static_cast<std::size_t>(MemoryPool::reduce)] = reducing_.most_held();
        return pools;
    }

private:
    /// One layer between its passes.
    struct Layer {
        std::size_t index;
        Handle input;
        LayerTensors tensors;
        Handles gathered;
    };

    void load();
    void pass();
    Handle first_forward(std::size_t index);
    void layers_forward(std::size_t index, Handle& stream);
    Handle last_block(std::size_t index, Handle stream, LayerTensors& head);
    void layer_back(Layer& layer, Handle& gradient);
    void optimize(bool first);
    void copy_out(std::size_t index, Handles& held);
    void all_gather(double bytes, bool ahead);
    void gather(std::size_t index, Handles& held, bool ahead) {
        all_gather(unit_bytes(index), ahead);
        copy_out(index, held);
    }
    [[nodiscard]] double unit_bytes(std::size_t index) const;
    /// Bytes of an operator's parameters as gathered; 0 for a weight that another operator owns.
    [[nodiscard]] double gathered_bytes(std::size_t index, const Operator& op) const;
    void reshard(Handles& held);
    void reduce(double bytes, LayerTensors* tensors);
    /// The BLAS library takes one for the forward and one for the backward pass, once.
    void take_workspace() {
        if (library_ > 0 && workspaces_++ < 2) {
            allocator_.take(library_ / 2);
        }
    }
    [[nodiscard]] bool recomputes() const { return rank_.plan().recompute != RecomputeMode::none; }
    [[nodiscard]] double repeats(std::size_t index) const { return rank_.stage.repeats[index]; }
    [[nodiscard]] LayerTensors tensors(std::size_t index) {
        LayerTensors made(allocator_, rank_.list[index]);
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
    CachingAllocator allocator_;
    CachingAllocator gathering_;
    CachingAllocator reducing_;
    bool tables_apart_;
    std::vector<Liveness> live_;
    std::vector<std::vector<int>> kept_;
    std::vector<double> shards_;  ///< bytes of each trained parameter's shard
    std::vector<Layer> layers_;
    Handles root_;              ///< gathered parameters of the unit that stays
    Handle reduced_ = nothing;  ///< input of the reduction that may still run
    Handle arrived_ = nothing;  ///< gathered unit that may still be copied out
    Handles gradients_;         ///< sharded
    bool accumulates_ = false;  ///< into the gradients of an earlier micro-batch
};

void ShardedReplay::load() {
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        for (double repeat = 0; repeat < repeats(i); ++repeat) {
            for (const Operator& op : rank_.list[i].operators) {
                if (op.parameters == 0 || (op.tied && rank_.stage.first)) {
                    continue;
                }
                const double stored = op.role == Role::adapter ? rank_.adapter : rank_.weight;
                const double bytes = op.parameters * stored / rank_.dense_group;
                allocator_.take(bytes);
                if (op.trains) {
                    shards_.push_back(op.parameters * rank_.state / 2 / rank_.dense_group);
                }
            }
        }
    }
}

double ShardedReplay::gathered_bytes(std::size_t index, const Operator& op) const {
    const bool layer = rank_.list[index].position == Block::Position::layer;
    const bool float8 = layer && op.role == Role::linear && gathers_float8(rank_);
    return op.tied && rank_.stage.first ? 0 : op.parameters * (float8 ? 1 : rank_.compute);
}

double ShardedReplay::unit_bytes(std::size_t index) const {
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += gathered_bytes(index, op);
    }
    return bytes;
}

/// The unit that was gathered before stays until this one has arrived.
///
/// ahead  a forward pass: the unit before is still copied out
void ShardedReplay::all_gather(double bytes, bool ahead) {
    const Handle shard = gathering_.take(bytes / rank_.dense_group);
    const Handle whole = gathering_.take(bytes);
    gathering_.give(shard);
    if (arrived_ != nothing) {
        gathering_.give(std::exchange(arrived_, nothing));
    }
    if (ahead) {
        arrived_ = whole;
    } else {
        gathering_.give(whole);
    }
}

void ShardedReplay::copy_out(std::size_t index, Handles& held) {
    for (const Operator& op : rank_.list[index].operators) {
        if (const double bytes = gathered_bytes(index, op); bytes > 0) {
            held.push_back(allocator_.take(bytes));
        }
    }
}

void ShardedReplay::reshard(Handles& held) {
    for (const Handle handle : held) {
        allocator_.give(handle);
    }
    held.clear();
}

double ShardedReplay::trained_bytes(std::size_t index) const {
    const double each = bytes_per_element(rank_.software().reduce);
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += op.trains && !(op.tied && rank_.stage.first) ? op.parameters * each : 0;
    }
    return bytes;
}

/// The input of a unit's reduction lives until the next unit's is made; the gradients are copied
/// into it.
void ShardedReplay::reduce(double bytes, LayerTensors* tensors) {
    if (reduced_ != nothing) {
        allocator_.give(std::exchange(reduced_, nothing));
    }
    const bool apart = rank_.software().reduces_apart;
    Handle input = nothing;
    if (bytes > 0) {
        (apart ? input : reduced_) = (apart ? reducing_ : allocator_).take(bytes);
        const Handle shard = reducing_.take(bytes / rank_.dense_group);
        if (accumulates_) {
            reducing_.give(shard);
        } else {
            gradients_.push_back(shard);
        }
    }
    if (input != nothing) {
        reducing_.give(input);
    }
    if (tensors != nullptr) {
        tensors->give_weights();
    }
}

Handle ShardedReplay::first_forward(std::size_t index) {
    Handles unit;
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
    LayerTensors made = tensors(index);
    const Block& block = rank_.list[index];
    walk_forward(block, live_[index], true, made);
    const Handle stream = std::exchange(made.tensor_at(block.output), nothing);
    made.release_all();
    reshard(unit);
    take_workspace();
    return stream;
}

void ShardedReplay::layers_forward(std::size_t index, Handle& stream) {
    const Block& block = rank_.list[index];
    for (double repeat = 0; repeat < repeats(index); ++repeat) {
        Layer layer{index, stream, tensors(index), {}};
        gather(index, layer.gathered, true);
        layer.tensors.tensor_at(block.input) = stream;
        if (recomputes()) {
            layer.tensors.pinned = block.input;
            layer.tensors.saved = kept_[index];
        }
        walk_forward(block, live_[index], !recomputes(), layer.tensors);
        for (const int tensor : layer.tensors.saved) {
            layer.tensors.take(tensor);  // what no operator of the list makes: collectives' results
        }
        stream = std::exchange(layer.tensors.tensor_at(block.output), nothing);
        const bool last = layers_.size() + 1 == static_cast<std::size_t>(rank_.stage.layers);
        if (rank_.plan().reshard_after_forward && (tables_apart_ || !last)) {
            reshard(layer.gathered);
        }
        layers_.push_back(std::move(layer));
    }
}

/// Runs one layer back; `gradient` is that of its output, then of its input.
void ShardedReplay::layer_back(Layer& layer, Handle& gradient) {
    const Block& block = rank_.list[layer.index];
    LayerTensors& held = layer.tensors;
    if (layer.gathered.empty()) {
        gather(layer.index, layer.gathered, false);
    }
    if (recomputes()) {
        held.saved.clear();
        held.tensor_at(block.input) = layer.input;
        walk_forward(block, live_[layer.index], true, held);
        held.pinned = no_tensor;
        held.give(block.output);
    }
    held.forward = false;
    held.gradient_at(block.output) = gradient;
    walk_backward(block, live_[layer.index], false, held);
    Handle& below = held.gradient_at(block.input);
    Handle& above = held.gradient_at(block.output);
    gradient = std::exchange(below != nothing ? below : above, nothing);
    held.release_all();
    held.release_gradients();
    reshard(layer.gathered);
    reduce(trained_bytes(layer.index), &held);
}

/// The head and the loss, forward and back. Returns the gradient of the last layer's output.
Handle ShardedReplay::last_block(std::size_t index, Handle stream, LayerTensors& head) {
    const Block& block = rank_.list[index];
    Handles unit;
    if (tables_apart_) {
        gather(index, unit, true);
    }
    head.tensor_at(block.input) = stream;
    walk_forward(block, live_[index], true, head);
    for (std::size_t t = 0; held_logits(rank_) > 0 && t < block.tensors.size(); ++t) {
        const bool wide = block.tensors[t].name == "loss.fp32_logits";
        if (wide || (block.tensors[t].name == "logits" && !rank_.software().keeps_logits_float)) {
            head.pinned = static_cast<int>(t);
        }
    }
    take_workspace();
    head.forward = false;
    const bool in_place =
        rank_.software().loss_in_place && rank_.workload().loss != LossMode::eager;
    walk_backward(block, live_[index], in_place, head);
    if (tables_apart_) {
        reshard(unit);
        reduce(trained_bytes(index), &head);
    }
    const Handle gradient = std::exchange(head.gradient_at(block.input), nothing);
    head.release_gradients();
    return gradient;
}

void ShardedReplay::pass() {
    Handle stream = nothing;
    std::size_t first = 0;
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
            LayerTensors head = tensors(i);
            Handle gradient = last_block(i, stream, head);
            for (std::size_t l = layers_.size(); l-- > 0;) {
                layer_back(layers_[l], gradient);
            }
            layers_.clear();
            LayerTensors table = tensors(first);
            Handles unit;
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

void ShardedReplay::optimize(bool first) {
    Handles roots;
    for (const double bytes : shards_) {
        for (int moment = 0; first && moment < 2; ++moment) {
            allocator_.take(bytes);
        }
    }
    if (rank_.workload().optimizer_implementation == OptimizerImplementation::foreach) {
        for (const double bytes : shards_) {
            roots.push_back(allocator_.take(bytes));
        }
    }
    reshard(roots);
}

}  // namespace

PoolBytes replayed_fsdp2(const Rank& rank, double library) {
    return ShardedReplay(rank, library).run();
}

}  // namespace ridgeline
