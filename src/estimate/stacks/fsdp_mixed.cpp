// A Trainer's run with FSDP1 and mixed precision as a step script (tests/oracle/huggingface_flow.py
// runs the real one with sharding=fsdp1).
#include "estimate/stacks/fsdp_mixed.h"

#include "estimate/stacks/ddp.h"
#include "estimate/stacks/passes.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

class FsdpMixed : public Passes {
public:
    FsdpMixed(const Rank& rank, Bytes library) : Passes(rank, library) {}

private:
    void load() override;
    void before_loss(BlockEvents& head) override { head.casts_loss = true; }
    [[nodiscard]] BlockEvents events(std::size_t block) override;
    void after_backward(BlockEvents& block) override;
    void tables_back(std::size_t block, TensorId gradient) override;
    void step(bool first) override;
    void wrap(const std::vector<double>& parameters);
    void give(const std::vector<TensorId>& gradients);

    std::vector<TensorId> shards_;   ///< as loaded
    std::vector<double> moments_;    ///< bytes of each trained piece's moment
    std::vector<TensorId> of_head_;  ///< gradients of the root unit that wait for the embedding's
};

/// The parameters move to the device one by one, are sent to the other ranks in buckets and copied
/// into one flat parameter, and the shard of that is copied out while parameters and buckets are
/// still held (torch _init_utils.py, _flat_param.py). The optimizer sees the pieces of them that
/// lie in the shard.
void FsdpMixed::wrap(const std::vector<double>& parameters) {
    std::vector<TensorId> held;
    std::vector<double> sizes;
    for (const double count : parameters) {
        sizes.push_back(count * rank_.compute);
        held.push_back(take(sizes.back(), Category::weight));
    }
    for (const double bucket : broadcast_copies(sizes)) {
        held.push_back(take(bucket, Category::buffer));
    }
    const double whole = std::accumulate(parameters.begin(), parameters.end(), 0.0);
    const TensorId flat = take(whole * rank_.compute, Category::weight);
    shards_.push_back(take(whole * rank_.compute / rank_.dense_group, Category::weight));
    writer_.give(flat);
    for (const TensorId handle : held) {
        writer_.give(handle);
    }
    double left = whole / rank_.dense_group;
    for (const double count : parameters) {
        const double piece = std::min(count, left);
        left -= piece;
        if (piece > 0) {
            moments_.push_back(piece * rank_.state / 2);
        }
    }
}

void FsdpMixed::load() {
    std::vector<double> root;
    std::vector<double> sizes;  // of the units
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        std::vector<double> unit;
        for (const Operator& op : rank_.list[i].operators) {
            if (op.parameters > 0 && !(op.tied && rank_.stage.first)) {
                unit.push_back(op.parameters);
            }
        }
        const bool layer = rank_.list[i].position == Block::Position::layer;
        for (double repeat = 0; layer && repeat < rank_.stage.repeats[i]; ++repeat) {
            wrap(unit);
            sizes.push_back(std::accumulate(unit.begin(), unit.end(), 0.0));
        }
        if (!layer) {
            root.insert(root.end(), unit.begin(), unit.end());
        }
    }
    wrap(root);
    sizes.push_back(std::accumulate(root.begin(), root.end(), 0.0));
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        take(sizes[i] * rank_.weight / rank_.dense_group, Category::weight);
        writer_.give(shards_[i]);
    }
    // The first forward pass makes what each unit will be gathered into, in both types, on the
    // computing stream, and gives it back (init_flat_param_attributes).
    std::rotate(sizes.begin(), sizes.end() - 1, sizes.end());
    for (const double size : sizes) {
        writer_.give(take(size * rank_.compute / rank_.dense_group, Category::gathered));
        writer_.give(take(size * rank_.compute, Category::gathered));
        writer_.give(take(size * rank_.weight, Category::gathered));
    }
}

BlockEvents FsdpMixed::events(std::size_t block) {
    BlockEvents made = Passes::events(block);
    made.written_out = true;
    made.product_workspace = torch_workspaces(rank_.input.cluster.accelerator) / 2;
    made.weight_gradient = rank_.compute;  // of what was gathered
    return made;
}

/// The flat gradient that they are copied into is the gathering stream's.
void FsdpMixed::give(const std::vector<TensorId>& gradients) {
    for (const TensorId gradient : gradients) {
        writer_.give(gradient);
    }
}

void FsdpMixed::after_backward(BlockEvents& block) {
    if (block.last()) {
        of_head_ = block.release_weights();
    } else {
        block.give_weights();
    }
}

void FsdpMixed::tables_back(std::size_t block, TensorId gradient) {
    BlockEvents table = events(block);
    table.forward = false;
    table.gradient_at(rank_.list[block].output) = gradient;
    walk_backward(rank_.list[block], live(block), false, table);
    table.give_weights();
    give(std::exchange(of_head_, {}));
    table.release_all();
    table.release_gradients();
}

void FsdpMixed::step(bool first) {
    const Workload& workload = rank_.workload();
    for (const double bytes : moments_) {
        for (int each = 0; first && each < 2; ++each) {
            take(bytes, Category::state);
        }
    }
    std::vector<TensorId> roots;
    for (const double bytes : moments_) {
        if (workload.optimizer_implementation == OptimizerImplementation::foreach) {
            roots.push_back(take(bytes, Category::transient));
        }
    }
    for (const TensorId root : roots) {
        writer_.give(root);
    }
}

}  // namespace

bool shards_mixed(const Rank& rank) {
    const Plan& plan = rank.plan();
    const Workload& workload = rank.workload();
    const RuntimeOptions& options = rank.software().runtime.options;
    const bool states = workload.optimizer != "adafactor" &&
                        workload.optimizer_implementation != OptimizerImplementation::paged;
    const bool here = plan.offload_optimizer == OffloadTarget::none &&
                      plan.offload_parameters == OffloadTarget::none;
    const bool full = workload.method == Method::full;
    // Version 1: one micro-batch on the card. Version 2 reduces each alike, wherever the shards
    // are.
    const bool first = options.wide_shards && here && rank.micro_batches <= 1 && full &&
                       rank.weight > rank.compute;
    const bool second =
        options.shards_by_parameter && !sums_whole_gradients(rank) &&
        (full || (here && workload.method == Method::lora && rank.micro_batches <= 1));
    return plan.sharding == Sharding::fsdp && uses_fsdp(rank) && plan.tensor == 1 &&
           plan.context == 1 && plan.expert == 1 && states && (first || second);
}

Script fsdp_mixed_script(const Rank& rank, Bytes library) {
    return FsdpMixed(rank, library).write();
}

}  // namespace ridgeline
