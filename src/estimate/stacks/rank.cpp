// What one rank is asked by those that write its script and by those that sum its memory.
#include "estimate/stacks/rank.h"

#include "spec/matrix_types.h"

#include <algorithm>

namespace ridgeline {

bool uses_fsdp(const Rank& rank) {
    const Sharding sharding = rank.plan().sharding;
    return (sharding == Sharding::fsdp || sharding == Sharding::hsdp) && rank.dense_group > 1;
}

double rotary_table_bytes(const Rank& rank) {
    if (!rank.software().runtime.rotary_tables()) {
        return 0;
    }
    const double positions = std::max<double>(rank.input.architecture.max_positions,
                                              rank.workload().batch.sequence_length);
    const double bytes = rank.parameters.quantized > 0 ? 4 : rank.weight;
    return 2 * positions * rank.input.architecture.text().head_dim * bytes;
}

bool gathers_float8(const Rank& rank) {
    return rank.software().runtime.gathers_float8() &&
           rank.workload().compute == ComputeType::fp8 && rank.dense_group > rank.plan().context &&
           !rank.input.architecture.text().moe;
}

bool expandable_segments(const Rank& rank) {
    const Cluster& cluster = rank.input.cluster;
    if (cluster.accelerator->vendor == "AMD") {
        return false;
    }
    switch (rank.software().allocator.expandable) {
        case ExpandableSegments::never:
            return false;
        case ExpandableSegments::on_one_node:
            return cluster.count <= cluster.per_node;
        case ExpandableSegments::always:
            return true;
    }
    return false;
}

double logits_bytes(const Rank& rank) {
    double logits = 0;
    for (const Tensor& tensor : rank.list.back().tensors) {
        logits += tensor.name == "logits" ? tensor.size.base() : 0;
    }
    return logits;
}

double held_logits(const Rank& rank) {
    const LossMode loss = rank.workload().loss;
    const bool whole = loss == LossMode::eager || loss == LossMode::chunked;
    if (!rank.stage.last || !rank.software().kernels.loss.holds_logits() || !whole) {
        return 0;
    }
    double wide = 0;
    for (const Tensor& tensor : rank.list.back().tensors) {
        wide += tensor.name == "loss.fp32_logits" ? tensor.size.base() : 0;
    }
    return rank.software().kernels.loss.holds_float() && wide > 0 ? wide : logits_bytes(rank);
}

int held_logits_of(const Rank& rank, const Block& block) {
    int held = no_tensor;
    for (std::size_t t = 0; held_logits(rank) > 0 && t < block.tensors.size(); ++t) {
        const std::string_view name = block.tensors[t].name;
        if (name == "loss.fp32_logits" ||
            (name == "logits" && !rank.software().kernels.loss.holds_float())) {
            held = static_cast<int>(t);
        }
    }
    return held;
}

bool sums_whole_gradients(const Rank& rank) {
    return rank.micro_batches > 1 && rank.software().runtime.defers_reductions() &&
           rank.plan().sharding != Sharding::zero3 && !rank.plan().reduce_each_micro_batch;
}

bool has_table_units(const Rank& rank) {
    const RuntimeProfile& runtime = rank.software().runtime;
    const bool accelerate = runtime.options.wide_shards && runtime.options.shards_by_parameter &&
                            rank.plan().sharding == Sharding::fsdp;
    return runtime.options.tables == FsdpTables::separate ||
           (accelerate && rank.parameters.shared_table <= 0);
}

bool sums_tied_apart(const Rank& rank) { return rank.workload().loss != LossMode::fused_linear; }

double wide_states(const Rank& rank) {
    const SoftwareProfile& software = rank.software();
    const bool trainer =
        software.kernels.adapter.upcasts != Upcast::none && !software.kernels.loss.holds_logits();
    const bool bytes = rank.workload().optimizer_state == DType::int8;
    return trainer && bytes && rank.workload().method == Method::full
               ? rank.parameters.table_trained
               : 0;
}

bool hopper_or_later(const Accelerator& part) { return capability_of(part) >= 9; }

double torch_workspaces(const Accelerator* part) {
    if (part == nullptr || !part->compute_capability) {
        return 0;
    }
    return (hopper_or_later(*part) ? 2 * 32 : 2 * 8.125) * 1024 * 1024;
}

}  // namespace ridgeline
