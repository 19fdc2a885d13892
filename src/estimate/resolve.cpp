// From what a document states to a workload with every choice made. Each value that is filled in is
// listed with where it comes from, so that an answer can be corrected.
#include "estimate/resolve.h"

#include "estimate/lora_targets.h"
#include "spec/words.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace ridgeline {
namespace {

std::string shown(bool value) {
    return value ? "true" : "false";
}
std::string shown(int value) {
    return std::to_string(value);
}
std::string shown(const std::string& value) {
    return value;
}
std::string shown(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
        text.pop_back();
    }
    return text;
}
template <typename E>
requires std::is_enum_v<E> std::string shown(E value) {
    return std::string(name_of(value));
}

/// Takes stated values and writes down the others.
class Filler {
public:
    Filler(const SoftwareProfile& software, std::vector<FilledDefault>& filled)
        : from_software_("software profile " + software.id), filled_(filled) {}

    template <typename T>
    T software(const char* field, const std::optional<T>& stated, T missing) {
        return take(field, stated, std::move(missing), from_software_);
    }
    template <typename T>
    T own(const char* field, const std::optional<T>& stated, T missing) {
        return take(field, stated, std::move(missing), "ridgeline");
    }
    template <typename T>
    T derived(const char* field, const std::optional<T>& stated, T missing, const char* how) {
        return take(field, stated, std::move(missing), how);
    }

private:
    template <typename T>
    T take(const char* field, const std::optional<T>& stated, T missing, std::string_view from) {
        if (stated) {
            return *stated;
        }
        filled_.push_back({field, shown(missing), std::string(from)});
        return missing;
    }

    std::string from_software_;
    std::vector<FilledDefault>& filled_;
};

struct Inputs {
    const WorkloadDocument& document;
    const Architecture& architecture;
    const SoftwareProfile& software;
    int accelerators;
};

bool sixteen_bit(DType type) {
    return type == DType::fp16 || type == DType::bf16;
}

/// The 16-bit type that goes with a compute type: fp16 with fp16, bf16 with all others.
DType half_of(ComputeType compute) {
    return compute == ComputeType::fp16 || compute == ComputeType::fp16_fp16_accumulate
               ? DType::fp16
               : DType::bf16;
}

tl::unexpected<Error> contradiction(const char* field, std::string what, std::string hint) {
    return input_error(field, std::move(what), std::move(hint));
}

/// What cannot be said together, before anything is filled in.
Result<void> check_document(const WorkloadDocument& document) {
    const bool quantized = document.quantization && *document.quantization != "none";
    const bool training = document.task == Task::train;
    if (!training && document.method) {
        return contradiction("method",
                             "is stated for a task that trains nothing",
                             "Remove it or set task to \"train\".");
    }
    if (!training && document.has_lora) {
        return contradiction("lora",
                             "is stated for a task that trains nothing",
                             "Adapters are merged before serving.");
    }
    if (document.task != Task::inference && document.serving) {
        return contradiction(
            "serving", "is stated for a task that serves nothing", "Set task to \"inference\".");
    }
    if (document.task != Task::kernel && document.kernel) {
        return contradiction("kernel", "is stated beside another task", "Set task to \"kernel\".");
    }
    if (document.method == Method::full && document.has_lora) {
        return contradiction("lora",
                             "is stated with method \"full\"",
                             "Set method to \"lora\" or remove the adapters.");
    }
    if (document.method == Method::full && quantized) {
        return contradiction("precision.quantization",
                             "\"" + *document.quantization + "\" is stated with method \"full\"",
                             "Quantised weights are frozen: set method to \"qlora\".");
    }
    if (document.method == Method::lora && quantized) {
        return contradiction("precision.quantization",
                             "\"" + *document.quantization + "\" is stated with method \"lora\"",
                             "Set method to \"qlora\" for quantised base weights.");
    }
    if (document.method == Method::qlora && document.quantization == "none") {
        return contradiction("precision.quantization",
                             "\"none\" is stated with method \"qlora\"",
                             "Name a format such as \"nf4\", or set method to \"lora\".");
    }
    if (document.double_quantization.value_or(false) && document.quantization &&
        *document.quantization != "nf4" && *document.quantization != "fp4") {
        return contradiction("precision.double_quantization",
                             "is stated with \"" + *document.quantization + "\"",
                             "Only \"nf4\" and \"fp4\" have it.");
    }
    return {};
}

void resolve_method(const Inputs& in, Filler& fill, Workload& workload) {
    if (workload.task != Task::train) {
        return;
    }
    const bool quantized = in.document.quantization && *in.document.quantization != "none";
    Method usual = in.document.has_lora ? Method::lora : Method::full;
    if (quantized) {
        usual = Method::qlora;
    }
    workload.method = fill.own("method", in.document.method, usual);
}

void resolve_software(const Inputs& in, Filler& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    workload.framework = fill.own("software.framework", document.framework, in.software.id);
    workload.attention =
        fill.software("software.attention", document.attention, in.software.attention);
    workload.compiled = fill.software("software.compile", document.compiled, in.software.compiled);
    workload.cuda_graphs =
        fill.software("software.cuda_graphs", document.cuda_graphs, in.software.cuda_graphs);
    if (workload.task == Task::train) {
        LossMode loss = in.software.loss;
        if (loss == LossMode::vocab_parallel && workload.plan.tensor == 1) {
            loss = LossMode::compiled;  // the same fused kernel on one rank
        }
        workload.loss = fill.software("software.loss", document.loss, loss);
    }
}

void resolve_quantization(const Inputs& in, Filler& fill, Workload& workload) {
    const bool qlora = workload.method == Method::qlora && workload.task == Task::train;
    workload.quantization.name =
        qlora ? fill.software("precision.quantization",
                              in.document.quantization,
                              in.software.qlora_quantization)
              : fill.own("precision.quantization", in.document.quantization, std::string("none"));
    const std::string& name = workload.quantization.name;
    if (name == "nf4" || name == "fp4") {
        workload.quantization.double_quantization =
            fill.software("precision.double_quantization",
                          in.document.double_quantization,
                          qlora && in.software.double_quantization);
    }
}

void resolve_precision(const Inputs& in, Filler& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    const bool adapters = workload.method != Method::full && workload.task == Task::train;
    ComputeType compute = in.software.compute;
    if (!document.compute && document.weights && sixteen_bit(*document.weights)) {
        compute = *document.weights == DType::fp16 ? ComputeType::fp16 : ComputeType::bf16;
    }
    workload.compute = fill.software("precision.compute", document.compute, compute);
    const DType half = half_of(workload.compute);
    if (workload.task != Task::train || adapters) {
        workload.weights = fill.own("precision.weights", document.weights, half);
    } else {
        workload.weights =
            fill.software("precision.weights", document.weights, in.software.weights);
    }
    if (workload.task == Task::inference) {
        workload.kv_cache = fill.own("precision.kv_cache", document.kv_cache, half);
        return;
    }
    workload.kv_cache = document.kv_cache.value_or(half);
    const DType trained = workload.lora ? workload.lora->weights : workload.weights;
    const DType plain = trained == DType::fp8 ? half : trained;
    workload.gradients = fill.software("precision.gradients",
                                       document.gradients,
                                       adapters ? plain : in.software.gradients.value_or(plain));
    // A copy in fp32 beside fp32 weights, or beside a few adapters, is not kept by default.
    const bool copy = in.software.master_weights && trained != DType::fp32 && !adapters;
    workload.master_weights =
        fill.software("precision.master_weights", document.master_weights, copy);
}

Result<void> resolve_lora(const Inputs& in, Filler& fill, Workload& workload) {
    if (workload.task != Task::train || workload.method == Method::full) {
        return {};
    }
    Lora lora;
    lora.rank = fill.own("lora.rank", in.document.lora_rank, 16);
    std::vector<std::string> targets{"all-linear"};
    if (in.document.lora_targets) {
        targets = *in.document.lora_targets;
    } else {
        fill.own("lora.targets", std::optional<std::string>(), std::string("all-linear"));
    }
    auto expanded = expand_targets(in.architecture, targets);
    if (!expanded) {
        return tl::unexpected(expanded.error());
    }
    lora.targets = std::move(*expanded);
    lora.weights =
        fill.software("lora.weights", in.document.lora_weights, in.software.lora_weights);
    lora.dropout = fill.own("lora.dropout", in.document.lora_dropout, 0.0);
    workload.lora = std::move(lora);
    return {};
}

void resolve_optimizer(const Inputs& in, Filler& fill, Workload& workload) {
    if (workload.task != Task::train) {
        return;
    }
    const WorkloadDocument& document = in.document;
    workload.optimizer = fill.own("optimizer.name", document.optimizer, std::string("adamw"));
    workload.optimizer_state =
        fill.software("optimizer.state", document.optimizer_state, in.software.optimizer_state);
    workload.optimizer_implementation = fill.software("optimizer.implementation",
                                                      document.optimizer_implementation,
                                                      in.software.optimizer_implementation);
    workload.optimizer_in_backward =
        fill.own("optimizer.in_backward", document.optimizer_in_backward, false);
}

/// data x tensor x pipeline x context = accelerators; data is what is left when it is not stated.
Result<void> resolve_ranks(const Inputs& in, Filler& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Plan& plan = workload.plan;
    plan.tensor = document.tensor.value_or(1);
    plan.pipeline = document.pipeline.value_or(1);
    plan.context = document.context.value_or(1);
    plan.virtual_pipeline = document.virtual_pipeline.value_or(1);
    plan.expert = document.expert.value_or(1);
    const double model = 1.0 * plan.tensor * plan.pipeline * plan.context;
    const double all = model * document.data.value_or(1);
    const auto unequal = [&](const std::string& why) {
        return input_error("parallel",
                           "tensor " + std::to_string(plan.tensor) + " x pipeline " +
                               std::to_string(plan.pipeline) + " x context " +
                               std::to_string(plan.context) + why + " on " +
                               std::to_string(in.accelerators) + " accelerators",
                           "The sizes must multiply to the number of accelerators.");
    };
    if (document.data && all != in.accelerators) {
        return unequal(" x data " + std::to_string(*document.data) + " is " + shown(all) +
                       " ranks");
    }
    if (!document.data &&
        (model > in.accelerators || in.accelerators % static_cast<int>(model) != 0)) {
        return unequal(" leaves no whole number of data-parallel ranks");
    }
    plan.data = fill.derived("parallel.data",
                             document.data,
                             in.accelerators / static_cast<int>(std::max(1.0, model)),
                             "accelerators / (tensor x pipeline x context)");
    return {};
}

Result<void> resolve_sharding(const Inputs& in, Filler& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Plan& plan = workload.plan;
    const bool training = workload.task == Task::train;
    plan.sequence_parallel = fill.own(
        "parallel.sequence_parallel", document.sequence_parallel, training && plan.tensor > 1);
    const bool spread = training && 1LL * plan.data * plan.context > 1;
    plan.sharding = fill.software(
        "parallel.sharding", document.sharding, spread ? in.software.sharding : Sharding::none);
    plan.shard_group = document.shard_group.value_or(0);
    if (plan.sharding == Sharding::hsdp && !document.shard_group) {
        plan.shard_group =
            fill.own("parallel.shard_group", document.shard_group, std::min(8, plan.data));
    }
    const long long group = 1LL * plan.data * plan.context;
    if (plan.shard_group > 0 && (plan.shard_group > group || group % plan.shard_group != 0)) {
        return input_error("parallel.shard_group",
                           std::to_string(plan.shard_group) + " does not divide the " +
                               std::to_string(group) + " data-parallel ranks");
    }
    plan.reshard_after_forward = document.reshard_after_forward.value_or(true);
    if (training) {
        plan.recompute = fill.software("recompute", document.recompute, in.software.recompute);
        plan.full_recompute_layers = document.full_recompute_layers.value_or(-1);
    }
    plan.offload_optimizer = document.offload_optimizer.value_or(OffloadTarget::none);
    plan.offload_parameters = document.offload_parameters.value_or(OffloadTarget::none);
    plan.offload_activations = document.offload_activations.value_or(OffloadTarget::none);
    return {};
}

/// Tokens of a sample where the document does not say.
int usual_sequence(const Inputs& in, const Workload& workload) {
    const Architecture& model = in.architecture;
    if (model.stacks.empty()) {
        return 0;
    }
    if (model.text().tokens > 0) {
        return model.text().tokens;
    }
    double tokens = 4096;
    if (workload.serving) {
        tokens = workload.serving->input_tokens + workload.serving->output_tokens;
    }
    if (model.max_positions > 0 && !workload.serving) {
        tokens = std::min(tokens, 1.0 * model.max_positions);
    }
    return static_cast<int>(std::min(tokens, 2e9));
}

void resolve_serving(const Inputs& in, Filler& fill, Workload& workload) {
    workload.serving = in.document.serving;
    const bool writes_text = in.architecture.has_head && in.architecture.vocabulary > 0 &&
                             !in.architecture.stacks.empty();
    if (workload.task == Task::inference && !workload.serving && writes_text) {
        workload.serving = Serving{};
        const std::optional<std::string> none;
        fill.own("serving", none, std::string("1024 tokens in, 512 out, 1 at a time"));
    }
}

Result<void> resolve_batch(const Inputs& in, Filler& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Batch& batch = workload.batch;
    const int data = workload.plan.data;
    const double requests = workload.serving ? workload.serving->concurrency : 1;
    const int share = static_cast<int>(std::min(1e9, std::max(1.0, std::ceil(requests / data))));
    batch.micro = fill.own("batch.micro", document.micro_batch, share);
    const double pass = 1.0 * batch.micro * data;
    if (!document.global_batch && pass > 2e9) {
        return input_error(
            "batch.micro",
            "times " + std::to_string(data) + " data-parallel ranks is more than 2e9 samples");
    }
    batch.global = fill.derived("batch.global",
                                document.global_batch,
                                static_cast<int>(std::min(pass, 2e9)),
                                "micro x data");
    if (workload.task != Task::kernel && !in.architecture.stacks.empty()) {
        batch.sequence_length = fill.own(
            "batch.sequence_length", document.sequence_length, usual_sequence(in, workload));
    } else {
        batch.sequence_length = document.sequence_length.value_or(0);
    }
    const int image = in.architecture.image ? in.architecture.image->image_size : 0;
    batch.image_size = document.image_size.value_or(image);
    batch.latent_size = document.latent_size.value_or(0);
    const bool diffusion =
        in.architecture.kind == ModelKind::diffusion && workload.task == Task::inference;
    batch.steps =
        diffusion ? fill.own("batch.steps", document.steps, 50) : document.steps.value_or(0);
    batch.guidance_passes = document.guidance_passes.value_or(1);
    return {};
}

}  // namespace

Result<ResolvedWorkload> resolve(const WorkloadDocument& document,
                                 const Architecture& architecture,
                                 const SoftwareProfile& software,
                                 int accelerators) {
    if (accelerators < 1) {
        return input_error("accelerators", std::to_string(accelerators) + " is less than 1");
    }
    if (const Result<void> consistent = check_document(document); !consistent) {
        return tl::unexpected(consistent.error());
    }
    const Inputs in{document, architecture, software, accelerators};
    ResolvedWorkload result;
    Workload& workload = result.workload;
    Filler fill(software, result.defaults);
    workload.name = document.name;
    workload.task = document.task;
    workload.kernel = document.kernel;
    workload.duration_tokens = document.duration_tokens;
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
    resolve_precision(in, fill, workload);
    resolve_optimizer(in, fill, workload);
    resolve_serving(in, fill, workload);
    if (const Result<void> done = resolve_batch(in, fill, workload); !done) {
        return tl::unexpected(done.error());
    }
    return result;
}

}  // namespace ridgeline
