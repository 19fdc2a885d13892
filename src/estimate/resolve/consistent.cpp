// Whether what a document states belongs together: of the task, the kind of model and the stack. A
// value that it would have anyway is no statement, so that an answer's own workload can be asked
// again.
#include "base/text.h"
#include "estimate/families/adapters.h"
#include "estimate/families/families.h"
#include "estimate/resolve/resolve_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ridgeline {
namespace {

/// Parts that belong to another task.
Result<void> check_task(const WorkloadDocument& document) {
    const bool training = document.task == Task::train;
    if (!training && document.has_lora) {
        return input_error("lora", "is stated for a task that trains nothing",
                           "Adapters are merged before serving.");
    }
    if (!training && document.method) {
        return input_error("method", "is stated for a task that trains nothing",
                           "Remove it or set task to \"train\".");
    }
    if (document.task != Task::inference && document.serving) {
        return input_error("serving", "is stated for a task that serves nothing",
                           "Set task to \"inference\".");
    }
    if (!training && document.input) {
        return input_error("input", "is stated for a task that trains nothing",
                           "Remove it or set task to \"train\".");
    }
    if (document.task != Task::kernel && document.kernel) {
        return input_error("kernel", "is stated beside another task", "Set task to \"kernel\".");
    }
    return {};
}

/// Method, adapters and quantisation that exclude each other.
Result<void> check_method(const WorkloadDocument& document, bool program) {
    const bool quantized = document.quantization && *document.quantization != "none";
    if (document.method == Method::full && document.has_lora) {
        return input_error("lora", "is stated with method \"full\"",
                           "Set method to \"lora\" or remove the adapters.");
    }
    if (document.method == Method::full && quantized) {
        return input_error("precision.quantization",
                           "\"" + *document.quantization + "\" is stated with method \"full\"",
                           "Quantised weights are frozen: set method to \"qlora\".");
    }
    // Of transformers the word says which stack runs; adapters beside a denoiser stand over base
    // weights of any type.
    if (document.method == Method::lora && quantized && !program) {
        return input_error("precision.quantization",
                           "\"" + *document.quantization + "\" is stated with method \"lora\"",
                           "Set method to \"qlora\" for quantised base weights.");
    }
    if (document.method == Method::qlora && document.quantization == "none") {
        return input_error("precision.quantization", "\"none\" is stated with method \"qlora\"",
                           "Name a format such as \"nf4\", or set method to \"lora\".");
    }
    if (document.double_quantization.value_or(false) && document.quantization &&
        *document.quantization != "nf4" && *document.quantization != "fp4") {
        return input_error("precision.double_quantization",
                           "is stated with \"" + *document.quantization + "\"",
                           "Only \"nf4\" and \"fp4\" have it.");
    }
    return {};
}

/// A field that is stated, and does not mean anything.
struct Idle {
    const char* field;
    bool stated;
};

Result<void> refuse(const std::vector<Idle>& fields, const std::string& why, const char* hint) {
    for (const Idle& idle : fields) {
        if (idle.stated) {
            return input_error(idle.field, "is stated of " + why, hint);
        }
    }
    return {};
}

template <typename T>
bool differs(const std::optional<T>& stated, const T& usual) {
    return stated && *stated != usual;
}

/// What only training has, stated of an answer.
Result<void> check_training_alone(const WorkloadDocument& document,
                                  const Architecture& architecture) {
    if (document.task != Task::inference) {
        return {};
    }
    const auto& offloaded = document.offload_parameters;
    // Parts of a pipeline of diffusion wait on the host for their turn.
    if (differs(offloaded, OffloadTarget::none) && !has_program(architecture)) {
        return input_error("offload.parameters", "is stated of a task that trains nothing",
                           "llama.cpp leaves layers to the host: --gpu-layers.");
    }
    return refuse(
        {{"software.loss", differs(document.loss, LossMode::eager)},
         {"precision.gradients", document.gradients.has_value()},
         {"precision.master_weights", differs(document.master_weights, false)},
         {"optimizer.name", document.optimizer.has_value()},
         {"optimizer.state", document.optimizer_state.has_value()},
         {"optimizer.implementation", document.optimizer_implementation.has_value()},
         {"optimizer.in_backward", differs(document.optimizer_in_backward, false)},
         {"parallel.virtual_pipeline", differs(document.virtual_pipeline, 1)},
         {"parallel.reduce_each_micro_batch", differs(document.reduce_each_micro_batch, false)},
         {"parallel.reshard_after_forward", differs(document.reshard_after_forward, true)},
         {"parallel.shard_group", document.shard_group.has_value()},
         {"recompute", differs(document.recompute, RecomputeMode::none)},
         {"offload.optimizer", differs(document.offload_optimizer, OffloadTarget::none)},
         {"offload.activations", differs(document.offload_activations, OffloadTarget::none)}},
        "a task that trains nothing", "Remove it or set task to \"train\".");
}

/// By what a sample's size is told.
const char* size_hint(bool pictures, bool sound, bool recurrent) {
    return pictures    ? "The size of a sample is --image-size."
           : recurrent ? "Its lengths are --encoder-steps and --decoder-steps."
           : sound     ? "The length of a sample is --audio-seconds."
                       : "Remove it.";
}

/// Samples that such a model does not have.
Result<void> check_samples(const WorkloadDocument& document, const Architecture& architecture) {
    const bool program = has_program(architecture);
    const bool pictures =
        program ? usual_image_size(architecture) > 1 : architecture.reads_images();
    const bool recurrent = architecture.kind == ModelKind::recurrent;
    // Networks that make sound state its seconds too.
    const bool sound = program || architecture.reads_sound();
    const bool denoises = architecture.kind == ModelKind::diffusion;
    const bool texts = std::any_of(architecture.stacks.begin(), architecture.stacks.end(),
                                   [](const TransformerStack& stack) { return stack.tokens <= 0; });
    const std::string of = architecture.id;
    const char* hint = size_hint(pictures, sound, recurrent);
    if (!pictures) {
        const auto checked = refuse({{"batch.image_size", document.image_size.has_value()},
                                     {"batch.image_height", document.image_height.has_value()},
                                     {"software.channels_last", document.channels_last == true}},
                                    of + ", which sees no pictures", hint);
        if (!checked) {
            return checked;
        }
    }
    if (!denoises) {
        const auto checked =
            refuse({{"batch.frames", document.frames.has_value()},
                    {"batch.latent_size", document.latent_size.has_value()},
                    {"batch.steps", document.steps.has_value()},
                    {"batch.guidance_passes", document.guidance_passes.has_value()},
                    {"software.precomputed_conditions", document.cached_conditions == true}},
                   of + ", which denoises no pictures", hint);
        if (!checked) {
            return checked;
        }
    }
    if (document.audio_seconds && !sound) {
        return input_error("batch.audio_seconds", "is stated of " + of + ", which hears nothing",
                           pictures ? hint : "Remove it.");
    }
    if (!recurrent) {
        const auto checked = refuse({{"batch.encoder_steps", document.encoder_steps.has_value()},
                                     {"batch.decoder_steps", document.decoder_steps.has_value()}},
                                    of + ", which is no recurrent network",
                                    texts ? "Its length is --sequence." : hint);
        if (!checked) {
            return checked;
        }
    }
    if (!texts && !recurrent) {
        return refuse({{"batch.sequence_length", document.sequence_length.value_or(0) > 0}},
                      of + ", which reads no text", hint);
    }
    return {};
}

/// What is stated of answers, where the model writes none.
Result<void> check_answers(const WorkloadDocument& document, const Architecture& architecture) {
    const bool writes =
        architecture.kind == ModelKind::decoder || architecture.kind == ModelKind::encoder_decoder;
    if (document.beam && !writes && architecture.kind != ModelKind::recurrent) {
        return input_error("batch.beam",
                           "is stated of " + architecture.id + ", which searches no hypotheses",
                           "Remove it.");
    }
    if (!document.serving || !has_program(architecture)) {
        return {};
    }
    const Serving& stated = *document.serving;
    const Serving usual;
    return refuse({{"serving.draft_tokens", stated.draft_tokens > 0},
                   {"serving.gpu_layers", stated.gpu_layers.has_value()},
                   {"serving.host_expert_layers", stated.host_expert_layers > 0},
                   {"serving.cached_share", stated.cached_share > 0},
                   {"serving.iteration_tokens", stated.iteration_tokens.has_value()},
                   {"serving.phase", stated.phase != usual.phase}},
                  architecture.id + ", which writes no tokens",
                  "Requests at once are --concurrency.");
}

/// What a stack has no word for.
Result<void> check_stack(const ResolveInputs& in) {
    const WorkloadDocument& document = in.document;
    const SoftwareProfile& software = in.software;
    if (document.task != Task::inference) {
        return {};
    }
    if (has_program(in.architecture)) {
        return {};
    }
    if (document.serving && !software.engine.splits_layers) {
        const auto checked =
            refuse({{"serving.gpu_layers", document.serving->gpu_layers.has_value()},
                    {"serving.host_expert_layers", document.serving->host_expert_layers > 0}},
                   software.shown_name() + ", which computes no layers on the host",
                   "llama.cpp does: --framework llama.cpp.");
        if (!checked) {
            return checked;
        }
    }
    const RuntimeOptions& host = software.runtime.options;
    const bool known = host.launch_per_kernel > Seconds{} || host.launch_per_call > Seconds{};
    if (software.runtime.kind == RuntimeKind::engine && !known) {
        return refuse({{"software.cuda_graphs",
                        differs(document.cuda_graphs, software.runtime.cuda_graphs())}},
                      software.shown_name() + ", whose launches from the host are not known apart",
                      "It is estimated as it runs by itself; of vLLM and SGLang both are known.");
    }
    return {};
}

/// What is stated, but means nothing of a model of this kind.
Result<void> check_kind(const WorkloadDocument& document, const Architecture& architecture) {
    const bool adapters =
        document.has_lora || document.method == Method::lora || document.method == Method::qlora;
    if (adapters && !takes_adapters(architecture)) {
        return input_error(document.has_lora ? "lora" : "method",
                           "is stated of " + architecture.id +
                               ", which has no projections of attention for adapters",
                           "Set method to \"full\".");
    }
    if (const auto checked = check_samples(document, architecture); !checked) {
        return checked;
    }
    return check_answers(document, architecture);
}

/// The longest answer is no shorter than the mean of all.
Result<void> check_longest_answer(const WorkloadDocument& document) {
    if (!document.serving || !document.serving->longest_output) {
        return {};
    }
    const double longest = *document.serving->longest_output;
    const double mean = document.serving->output_tokens;
    if (longest >= mean) {
        return {};
    }
    return input_error("serving.longest_output_tokens",
                       fmt::format("{:g} tokens are below the mean of {:g}", longest, mean),
                       "State the mean as --output-tokens, or a longer one.");
}

}  // namespace

Result<void> check_consistent(const ResolveInputs& in) {
    if (const auto checked = check_task(in.document); !checked) {
        return checked;
    }
    if (in.document.task == Task::kernel) {
        return check_method(in.document, has_program(in.architecture));
    }
    if (const auto checked = check_training_alone(in.document, in.architecture); !checked) {
        return checked;
    }
    if (const auto checked = check_kind(in.document, in.architecture); !checked) {
        return checked;
    }
    if (const auto checked = check_stack(in); !checked) {
        return checked;
    }
    if (const auto checked = check_longest_answer(in.document); !checked) {
        return checked;
    }
    return check_method(in.document, has_program(in.architecture));
}

}  // namespace ridgeline
