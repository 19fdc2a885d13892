// From what a document states to a workload with every choice made. Each value that is filled in is
// listed with where it comes from, so that an answer can be corrected.
#include "estimate/resolve/resolve.h"

#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/lora_targets.h"
#include "estimate/resolve/resolve_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ridgeline {
namespace {

void resolve_method(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    if (workload.task != Task::train) {
        return;
    }
    const bool quantized = in.document.quantization && *in.document.quantization != "none";
    Method usual = in.document.has_lora ? Method::lora : Method::full;
    if (quantized) {
        usual = Method::qlora;
    }
    workload.method = fill.own("method", in.document.method, usual);
    if (workload.method == Method::lora && quantized) {
        workload.method = Method::qlora;
    }
}

/// Servers launch their kernels as graphs, and so do training stacks on Megatron-Core (recipes of
/// Megatron-Bridge and of MLPerf: cuda_graph_impl).
bool launches_graphs(const RuntimeProfile& runtime) {
    return runtime.cuda_graphs() || runtime.kind == RuntimeKind::megatron;
}

/// A plain loop compiles the whole model, which computes its own loss.
bool compiles_loss(const SoftwareProfile& software) {
    return software.runtime.kind == RuntimeKind::plain;
}

/// Whether what a denoiser trains on is encoded before the run where nobody says so: a habit of
/// stacks that do nothing but train (SimpleTuner), and of all that train on clips, whose encoding
/// takes longer than the step (musubi-tuner cache_latents.py, cogvideox-factory prepare_dataset.py,
/// diffusers train_cogvideox_lora.py).
bool conditions_first(const ResolveInputs& in, DefaultFiller& fill) {
    const Architecture& architecture = in.architecture;
    const auto& stated = in.document.cached_conditions;
    if (architecture.kind != ModelKind::diffusion || !architecture.network ||
        architecture.network->list("text_encoders") == nullptr) {
        return stated.value_or(false);
    }
    constexpr const char* field = "software.precomputed_conditions";
    if (in.software.trains && !in.software.serves) {
        return fill.software(field, stated, true);
    }
    const double frames = in.document.frames.value_or(architecture.network->number("frames", 1));
    return frames > 1 ? fill.derived(field, stated, true, "clips are encoded before training")
                      : stated.value_or(false);
}

void resolve_software(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    workload.framework = fill.own("software.framework", document.framework, in.software.id);
    // Relative positions are added to the scores, which only the eager kernel of stacks can do.
    const bool biased = std::any_of(
        in.architecture.stacks.begin(), in.architecture.stacks.end(),
        [](const auto& tower) { return tower.relative_buckets > 0 || tower.relative_span > 0; });
    workload.attention =
        biased ? fill.derived("software.attention", document.attention, AttentionKernel::eager,
                              "relative positions of the model")
               : fill.software("software.attention", document.attention,
                               in.software.kernels.attention.kernel);
    workload.compiled =
        fill.software("software.compile", document.compiled, in.software.defaults.compiled);
    workload.cuda_graphs = fill.software("software.cuda_graphs", document.cuda_graphs,
                                         launches_graphs(in.software.runtime));
    workload.channels_last = document.channels_last.value_or(in.software.defaults.channels_last);
    workload.fp16_accumulate =
        document.fp16_accumulate.value_or(in.software.engine.half_accumulate);
    workload.cached_conditions = workload.task == Task::train
                                     ? conditions_first(in, fill)
                                     : document.cached_conditions.value_or(false);
    if (workload.task == Task::train) {
        LossMode loss = in.software.kernels.loss.kernel;
        if (loss == LossMode::vocab_parallel && workload.plan.tensor == 1) {
            loss = LossMode::compiled;  // the same fused kernel on one rank
        } else if (in.software.runtime.splits_loss() && workload.plan.tensor > 1) {
            loss = LossMode::vocab_parallel;
        } else if (loss == LossMode::eager && workload.compiled && compiles_loss(in.software)) {
            loss = LossMode::compiled;
        }
        // A stack whose own kernel overwrites the logits has no loss of torch's (llm.c).
        const LossProfile& own = in.software.kernels.loss;
        if (loss == LossMode::compiled && own.kernel == LossMode::compiled && !own.in_place &&
            !workload.compiled) {
            loss = LossMode::eager;  // torch's own, which torch.compile alone makes one kernel
        }
        const bool other =
            own.in_place && own.kernel == LossMode::compiled && document.loss == LossMode::eager;
        workload.loss = fill.software("software.loss", other ? std::nullopt : document.loss, loss);
    }
}

Result<void> resolve_lora(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    if (workload.task != Task::train || workload.method == Method::full) {
        return {};
    }
    Lora lora;
    lora.variant = in.document.lora_variant.value_or(LoraVariant::lora);
    lora.rank = fill.own("lora.rank", in.document.lora_rank, 16);
    std::vector<std::string> targets{"all-linear"};
    if (in.document.lora_targets) {
        targets = *in.document.lora_targets;
    } else {
        fill.own("lora.targets", std::optional<std::string>(), std::string("all-linear"));
    }
    if (has_program(in.architecture)) {
        // Adapters of a denoiser stand beside the projections of its attention.
        lora.targets = in.document.lora_targets.value_or(
            std::vector<std::string>{"to_q", "to_k", "to_v", "to_out.0"});
    } else {
        auto expanded = expand_targets(in.architecture, targets);
        if (!expanded) {
            return tl::unexpected(expanded.error());
        }
        lora.targets = std::move(*expanded);
    }
    lora.weights =
        fill.software("lora.weights", in.document.lora_weights, in.software.defaults.lora_weights);
    lora.dropout =
        fill.software("lora.dropout", in.document.lora_dropout, in.software.defaults.lora_dropout);
    lora.upcasts = in.document.kbit_preparation;
    workload.lora = std::move(lora);
    return {};
}

/// Kernels for adapters that axolotl turns on by itself and Unsloth always has: not for weights in
/// int8, for preferences, or under the first FSDP, whose flat parameters they cannot take apart
/// (axolotl config.py, check_auto_enable_lora_kernels).
void resolve_fused_adapters(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    if (!workload.lora) {
        return;
    }
    Lora& lora = *workload.lora;
    const RuntimeProfile& runtime = in.software.runtime;
    const bool flat = workload.plan.sharding == Sharding::fsdp && workload.plan.data > 1 &&
                      !runtime.options.shards_by_parameter;
    const bool fused = in.software.kernels.adapter.fused && lora.dropout == 0 && !flat &&
                       !in.document.preference && !workload.quantization.name.starts_with("int8");
    lora.fused = fused ? fill.software("lora.fused", in.document.lora_fused, true)
                       : in.document.lora_fused.value_or(false);
}

/// Samples of the run: stated, or epochs of a dataset of stated size.
Result<void> resolve_length(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    workload.dataset.samples = document.dataset_samples.value_or(0);
    workload.dataset.bytes = document.dataset_bytes.value_or(0);
    workload.duration_samples = document.duration_samples;
    if (!document.duration_epochs) {
        return {};
    }
    if (document.duration_samples) {
        return input_error("duration.epochs", "is stated beside duration.samples",
                           "Both say how long the run is: remove one.");
    }
    if (!document.dataset_samples) {
        return input_error("duration.epochs", "is stated, but not how many samples an epoch has",
                           "Add dataset.samples (--dataset-samples).");
    }
    workload.duration_samples = fill.derived("duration.samples", std::optional<double>{},
                                             *document.duration_epochs * *document.dataset_samples,
                                             "epochs x samples of the dataset");
    return {};
}

void resolve_optimizer(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    if (workload.task != Task::train) {
        return;
    }
    const WorkloadDocument& document = in.document;
    workload.optimizer = fill.own("optimizer.name", document.optimizer, std::string("adamw"));
    const DType trained = workload.lora ? workload.lora->weights : workload.weights;
    workload.optimizer_state =
        fill.software("optimizer.state", document.optimizer_state,
                      keeps_master_weights(in, workload) ? DType::fp32 : trained);
    // 8-bit states are unpacked, updated and packed tensor by tensor (bitsandbytes, torchao): no
    // list of all of them is made.
    const OptimizerImplementation usual = in.software.defaults.optimizer_implementation;
    const bool by_tensor =
        workload.optimizer_state == DType::int8 && usual == OptimizerImplementation::foreach;
    workload.optimizer_implementation =
        fill.software("optimizer.implementation", document.optimizer_implementation,
                      by_tensor ? OptimizerImplementation::fused : usual);
    workload.optimizer_in_backward =
        fill.own("optimizer.in_backward", document.optimizer_in_backward, false);
}

}  // namespace

std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(int value) { return std::to_string(value); }
std::string shown(double value) { return without_zeros(fmt::format("{:f}", value)); }

Result<ResolvedWorkload> resolve(const WorkloadDocument& document, const Architecture& architecture,
                                 const SoftwareProfile& software, int accelerators) {
    if (accelerators < 1) {
        return input_error("accelerators", std::to_string(accelerators) + " is less than 1");
    }
    if (const auto consistent = check_consistent({document, architecture, software, accelerators});
        !consistent) {
        return tl::unexpected(consistent.error());
    }
    // Those that write answers beside the update have no part in its plan.
    const int apart = document.preference
                          ? rollout_cards(*document.preference, software.preference, accelerators)
                          : 0;
    const ResolveInputs in{document, architecture, software, accelerators - apart};
    ResolvedWorkload result;
    Workload& workload = result.workload;
    DefaultFiller fill(software, result.defaults);
    workload.name = document.name;
    workload.task = document.task;
    workload.kernel = document.kernel;
    workload.input = document.input;
    workload.duration_tokens = document.duration_tokens;
    if (const Result<void> length = resolve_length(in, fill, workload); !length) {
        return tl::unexpected(length.error());
    }
    if (document.task == Task::kernel) {
        workload.framework = document.framework.value_or(software.id);
        workload.compute = fill.own("precision.compute", document.compute, ComputeType::bf16);
        return result;
    }
    resolve_method(in, fill, workload);
    for (const auto step : {resolve_ranks, resolve_lora, resolve_sharding}) {
        if (const Result<void> done = step(in, fill, workload); !done) {
            return tl::unexpected(done.error());
        }
    }
    resolve_software(in, fill, workload);
    resolve_quantization(in, fill, workload);
    resolve_fused_adapters(in, fill, workload);
    resolve_precision(in, fill, workload);
    resolve_optimizer(in, fill, workload);
    resolve_serving(in, fill, workload);
    if (const Result<void> done = resolve_preference(in, fill, workload); !done) {
        return tl::unexpected(done.error());
    }
    if (workload.preference) {
        workload.preference->placement =
            apart > 0 ? RolloutPlacement::separate : RolloutPlacement::colocated;
        workload.preference->rollout_accelerators = apart;
    }
    if (const Result<void> done = resolve_batch(in, fill, workload); !done) {
        return tl::unexpected(done.error());
    }
    return result;
}

}  // namespace ridgeline
