// What lives on one rank beside the activations: weights, gradients, optimizer states, what a
// framework buffers. Each is a named component with its formula and inputs.
#include "estimate/memory/rank.h"

#include "estimate/work/quantization.h"

#include <algorithm>

namespace ridgeline {

double whole_scales(const Rank& rank) {
    if (!rank.software().runtime.flattens() || !rank.workload().quantization.any()) {
        return 0;
    }
    const QuantFormat* format = quant_format(rank.workload().quantization.name);
    if (format == nullptr) {
        return 0;
    }
    return rank.parameters.quantized_storage - rank.parameters.quantized * format->bits / 8;
}

void add(Components& list, ComponentName name, double bytes, std::string_view formula,
         std::initializer_list<FormulaInput> inputs, std::string_view source, Held held) {
    if (bytes <= 0) {
        return;
    }
    Component component;
    component.name = name.text;
    component.size = Bytes::of_base(bytes);
    component.formula = formula;
    component.source = source;
    component.churn = held.churn.value_or(name.churn);
    component.pool = held.pool;
    std::size_t i = 0;
    for (const FormulaInput& value : inputs) {
        if (i < component.inputs.size()) {
            component.inputs[i++] = value;
        }
    }
    list.push_back(component);
}

namespace {

/// Models that score the answers of the policy, and the critic that trains beside it. Adapters turn
/// off where the base alone is wanted: it is its own reference.
template <typename Ledger>
void add_scorers(Ledger& list, const Rank& rank, double group) {
    const Workload& workload = rank.workload();
    if (!workload.preference) {
        return;
    }
    const PreferenceTuning& tuning = *workload.preference;
    const PreferenceHabits& habits = rank.software().preference;
    const StageParameters& p = rank.parameters;
    const double policy =
        p.trained_dense + p.trained_expert + p.frozen_plain + p.frozen_tables + p.quantized;
    constexpr double half = 2;  // frozen copies are loaded in 16 bits
    const bool apart = tuning.refers() && workload.method == Method::full;
    add(list, "reference", apart && !tuning.reference_waits(habits) ? policy * half / group : 0,
        "parameters 2 / group", {{"parameters", policy}, {"group", group}},
        "a frozen copy of the policy");
    add(list, "reward model",
        tuning.reference_waits(habits) ? 0 : tuning.reward_size * policy * half / group,
        "share parameters 2 / group",
        {{"share", tuning.reward_size}, {"parameters", policy}, {"group", group}});
    const bool full = workload.method == Method::full;
    add(list, "critic", tuning.critic_size * policy * (full ? rank.weight : half) / group,
        "share parameters bytes / group",
        {{"share", tuning.critic_size}, {"parameters", policy}, {"group", group}});
}

}  // namespace

template <typename Ledger>
void add_weights(Ledger& list, const Rank& rank) {
    const StageParameters& p = rank.parameters;
    const bool sharded = shards_weights(rank.plan().sharding);
    add(list, "quantisation scales", whole_scales(rank), "parameters bytes",
        {{"parameters", p.quantized}},
        "bitsandbytes QuantState: no parameter, so that FSDP1 leaves it whole on each rank");
    add(list, "rotary tables", rotary_table_bytes(rank) * rank.stage.layers,
        "2 positions head_dim bytes layers", {{"layers", rank.stage.layers}},
        "cosines and sines of all positions in each layer (Transformers < 4.38)");
    const bool on_host = rank.plan().offload_parameters != OffloadTarget::none && sharded;
    if (on_host) {
        return;
    }
    const double group = rank.dense(sharded);
    add(list, "weights", rank.trained_bytes(rank.weight, 0, sharded),
        "(dense / group + experts / expert_group) bytes",
        {{"dense_parameters", p.trained_dense},
         {"expert_parameters", p.trained_expert},
         {"bytes", rank.weight},
         {"group", group},
         {"expert_group", rank.expert(sharded)}});
    const bool upcast = upcasts_tables(rank.workload(), rank.software());
    const double table = upcast ? 4 : rank.weight;
    add(list, "weights.frozen", (p.frozen_plain * rank.weight) / group, "parameters bytes / group",
        {{"parameters", p.frozen_plain}, {"bytes", rank.weight}, {"group", group}});
    add(list, "weights.tables", (p.frozen_tables * table) / group, "parameters bytes / group",
        {{"parameters", p.frozen_tables}, {"bytes", table}, {"group", group}},
        upcast ? "k-bit preparation upcasts unquantised parameters to fp32 (PEFT)" : "");
    add(list, "weights.quantized", (p.quantized_storage - whole_scales(rank)) / group,
        "parameters (bits / 8 + scales) / group",
        {{"parameters", p.quantized},
         {"bytes_each", p.quantized > 0 ? p.quantized_storage / p.quantized : 0},
         {"group", group}});
    add(list, "weights.adapters", p.adapters * rank.adapter / group, "parameters bytes / group",
        {{"parameters", p.adapters}, {"bytes", rank.adapter}, {"group", group}});
    add_scorers(list, rank, group);
}

bool waits_on_host(const Rank& rank) {
    return rank.plan().offload_optimizer != OffloadTarget::none &&
           shards_weights(rank.plan().sharding);
}

bool whole_gradients(const Rank& rank) {
    // FSDP1 cannot add what it has moved to the host: such a loop accumulates under no_sync.
    const bool on_host = rank.software().runtime.flattens() && waits_on_host(rank);
    const bool sums = sums_whole_gradients(rank) || (on_host && rank.micro_batches > 1);
    return shards_weights(rank.plan().sharding) && (rank.plan().pipeline > 1 || sums) &&
           rank.dense_group > 1;
}

double gradient_bytes(const Rank& rank) {
    const double adapters = rank.workload().method == Method::full ? rank.gradient : rank.adapter;
    if (whole_gradients(rank)) {
        // FSDP1 sums them as the backward pass makes them, FSDP2 as they are reduced.
        const double each = rank.software().runtime.options.accumulates_unsharded
                                ? rank.compute
                                : bytes_per_element(rank.software().runtime.options.reduce);
        return rank.trained_bytes(each, each, false);
    }
    return rank.trained_bytes(rank.gradient, adapters, shards_gradients(rank.plan().sharding));
}

template <typename Ledger>
void add_gradients(Ledger& list, const Rank& rank, double share, bool reduced) {
    const bool whole = whole_gradients(rank) && !reduced;
    // FSDP1 copies each shard to the host as it is reduced, and holds it until the pass is over.
    const bool held = rank.software().runtime.flattens() && !reduced;
    if (waits_on_host(rank) && !whole && !held) {
        return;
    }
    if (whole) {
        const double reduce = bytes_per_element(rank.software().runtime.options.reduce);
        const double rest = rest_of_table(rank);
        add(list, "rest of the table's gradient", rest * reduce * share,
            "table_parameters (tensor - 1) bytes",
            {{"table_parameters", rank.parameters.table_trained},
             {"tensor", static_cast<double>(rank.plan().tensor)},
             {"bytes", reduce}},
            "DTensor: a partial sum for the whole vocabulary, until the reduce-scatter");
    }
    const double adapters = rank.workload().method == Method::full ? rank.gradient : rank.adapter;
    const double bytes =
        whole ? gradient_bytes(rank)
              : rank.trained_bytes(rank.gradient, adapters, shards_gradients(rank.plan().sharding));
    add(list, "gradients", bytes * share, "trained bytes share / group",
        {{"trained_parameters", rank.trained()},
         {"bytes", rank.workload().method == Method::full ? rank.gradient : rank.adapter},
         {"share", share},
         {"group", whole ? 1 : rank.dense(shards_gradients(rank.plan().sharding))}},
        "",
        {.pool = (uses_fsdp(rank) || rank.software().runtime.flattens()) && !whole
                     ? MemoryPool::reduce
                     : MemoryPool::compute});
}

double rest_of_table(const Rank& rank) {
    const double ranks = rank.plan().tensor;
    const bool whole =
        rank.software().runtime.whole_table_gradient() && rank.workload().method == Method::full;
    return whole ? rank.parameters.table_trained * (ranks - 1) : 0;
}

template <typename Ledger>
void add_states(Ledger& list, const Rank& rank) {
    if (rank.plan().offload_optimizer != OffloadTarget::none ||
        rank.workload().optimizer_implementation == OptimizerImplementation::paged) {
        return;
    }
    const bool sharded = shards_states(rank.plan().sharding);
    add(list, "optimizer", rank.trained_bytes(rank.state, rank.state, sharded),
        "trained bytes / group",
        {{"trained_parameters", rank.trained()},
         {"bytes", rank.state},
         {"group", rank.dense(sharded)}},
        "Adam keeps two moments (Kingma and Ba 2014)");
    const double wide = wide_states(rank);
    add(list, "optimizer of the embeddings", wide * (8 - rank.state) / rank.dense(sharded),
        "parameters (8 - bytes) / group",
        {{"parameters", wide}, {"bytes", rank.state}, {"group", rank.dense(sharded)}},
        "Transformers trainer.py: bitsandbytes keeps the moments of embeddings in 32 bits");
    const bool critic = rank.workload().preference && rank.workload().method == Method::full;
    const double size = critic ? rank.workload().preference->critic_size : 0;
    add(list, "optimizer of the critic",
        size *
            rank.trained_bytes(rank.state + (rank.workload().master_weights ? 4 : 0), 0, sharded),
        "share trained bytes / group",
        {{"share", size}, {"trained_parameters", rank.trained()}, {"group", rank.dense(sharded)}});
    if (rank.workload().master_weights) {
        add(list, "master weights", rank.trained_bytes(4, 4, sharded), "trained 4 / group",
            {{"trained_parameters", rank.trained()}, {"group", rank.dense(sharded)}});
    }
}

namespace {

/// Workspaces of products, allocated once: torch's own, one of Transformer Engine, and four more
/// for the streams of its grouped products (cpp_extensions/gemm.py, multi_stream.cpp): 32 MiB each
/// from Hopper on, 4 before it.
template <typename Ledger>
void add_product_workspaces(Ledger& list, const Rank& rank) {
    constexpr double mib = 1024.0 * 1024.0;
    constexpr double streams = 4;
    // Products of the backward pass are Transformer Engine's.
    const double own = torch_workspaces(rank.input.cluster.accelerator) / 2;
    if (own <= 0) {
        return;
    }
    const double engine = (hopper_or_later(*rank.input.cluster.accelerator) ? 32 : 4) * mib;
    const double grouped = rank.parameters.trained_expert > 0 ? streams : 0;
    add(list, "product workspaces", own + (1 + grouped) * engine,
        "torch bytes + (1 + streams of grouped products) bytes",
        {{"torch_mib", own / mib}, {"streams", grouped}, {"engine_mib", engine / mib}},
        "PyTorch CUDABlas.cpp, Transformer Engine cpp_extensions/gemm.py");
}

}  // namespace

template <typename Ledger>
void add_framework_buffers(Ledger& list, const Rank& rank) {
    const SoftwareProfile& software = rank.software();
    if (software.runtime.has_rotary_table()) {
        const double positions = rank.workload().batch.sequence_length;
        const double pairs = rank.input.architecture.text().head_dim / 2.0;
        const double chunks = std::max(1, rank.plan().virtual_pipeline);
        add(list, "rotary table", positions * pairs * 8 * chunks, "positions pairs 8 chunks",
            {{"positions", positions}, {"pairs", pairs}, {"chunks", chunks}},
            "torchtitan freqs_cis: a buffer of each model part, whole under context parallelism");
    }
    if (software.runtime.fuses_weight_gradients() && rank.workload().method == Method::full) {
        add_product_workspaces(list, rank);
        add(list, "dummy weight gradients", rank.parameters.distinct_shapes * rank.compute,
            "sum of distinct weight shapes, bytes each",
            {{"parameters", rank.parameters.distinct_shapes}, {"bytes", rank.compute}},
            "Transformer Engine get_dummy_wgrad, SimuMax base_struct.py");
    }
    if (rank.plan().sharding == Sharding::ddp && rank.plan().data > 1 &&
        !software.runtime.buffers_gradients() && !software.runtime.flattens()) {
        add(list, "ddp buckets", gradient_bytes(rank), "a second copy of the gradients",
            {{"trained_parameters", rank.trained()}},
            "PyTorch DistributedDataParallel, gradient_as_bucket_view=False");
    }
    const double bucket = zero_bucket_elements(rank.plan(), software);
    if (bucket > 0 && !software.runtime.buffers_gradients()) {
        add(list, "zero buckets", 2 * bucket * rank.compute, "2 bucket bytes",
            {{"bucket_elements", bucket}, {"bytes", rank.compute}},
            "DeepSpeed: two reduce buckets (overlap_comm), whatever trains");
    }
}

template <typename Ledger>
void add_pipeline_buffers(Ledger& list, const Rank& rank, double boundary) {
    if (rank.plan().pipeline <= 1 || !rank.software().runtime.pipeline_holds_outputs()) {
        return;
    }
    // Chunks of an interleaved schedule have buffers of their own.
    const double chunks = std::max(1, rank.plan().virtual_pipeline);
    const double all = rank.micro_batches * chunks;
    const double flight = rank.stage.in_flight * chunks;
    const double firsts = rank.stage.first ? 1 : 0;
    const double lasts = rank.stage.last ? 1 : 0;
    // What waits in the buffer of a micro-batch in flight is the input that its first layer keeps.
    const double received = (all - flight) * (chunks - firsts) / chunks;
    const double gradients = all * (chunks - lasts) / chunks;
    const double outputs =
        (rank.software().runtime.stages_hold_outputs() ? all : flight) * (chunks - lasts) / chunks;
    add(list, "pipeline buffers", (received + gradients + outputs) * boundary,
        "(received + gradients + outputs) boundary_bytes",
        {{"received", received},
         {"gradients", gradients},
         {"outputs", outputs},
         {"boundary_mib", boundary / (1024.0 * 1024.0)}},
        "torch.distributed.pipelining: a buffer each micro-batch for what a stage receives");
    if (rank.software().runtime.stages_hold_outputs() && whole_gradients(rank)) {
        const double reduce = bytes_per_element(rank.software().runtime.options.reduce);
        add(list, "last reduce-scatter input", rank.parameters.layer_trained * reduce,
            "layer_trained reduce",
            {{"layer_trained_parameters", rank.parameters.layer_trained}, {"reduce_bytes", reduce}},
            "torch < 2.8: a pipeline's FSDP frees it at the end of the next step");
    }
}

template void add_weights(Components&, const Rank&);
template void add_weights(Totals&, const Rank&);
template void add_gradients(Components&, const Rank&, double, bool);
template void add_gradients(Totals&, const Rank&, double, bool);
template void add_states(Components&, const Rank&);
template void add_states(Totals&, const Rank&);
template void add_framework_buffers(Components&, const Rank&);
template void add_framework_buffers(Totals&, const Rank&);
template void add_pipeline_buffers(Components&, const Rank&, double);
template void add_pipeline_buffers(Totals&, const Rank&, double);

}  // namespace ridgeline
