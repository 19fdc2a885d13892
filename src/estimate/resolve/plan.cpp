#include "estimate/families/families.h"
#include "estimate/resolve/resolve_parts.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ridgeline {
namespace {

/// Tokens of a sample where the document does not say.
int usual_sequence(const ResolveInputs& in, const Workload& workload) {
    const Architecture& model = in.architecture;
    if (model.stacks.empty()) {
        return 0;
    }
    if (model.text().tokens > 0) {
        return model.text().tokens;
    }
    const WorkloadDocument& document = in.document;
    const bool tunes =
        workload.task == Task::train &&
        (document.has_lora || document.method.value_or(Method::full) != Method::full);
    double tokens = tunes ? usual_tuning_sequence : usual_sequence_length;
    if (workload.preference && workload.preference->generates()) {
        return static_cast<int>(std::min(workload.preference->longest_tokens, 1e8));
    }
    if (workload.serving) {
        tokens = workload.serving->input_tokens + workload.serving->output_tokens;
    }
    if (model.max_positions > 0 && !workload.serving) {
        tokens = std::min(tokens, 1.0 * model.max_positions);
    }
    return static_cast<int>(std::min(tokens, 2e9));
}

/// An encoder answers in one pass and writes no token. Pictures come in their own number of
/// patches; a length that nobody said is at most that of the positions.
void suit_to_encoder(const ResolveInputs& in, Serving& serving) {
    const Architecture& model = in.architecture;
    const Serving usual;
    const bool said = serving.input_tokens != usual.input_tokens;
    serving.output_tokens = 0;
    serving.phase = ServingPhase::prefill;
    if (model.text().tokens > 0) {
        serving.input_tokens = model.text().tokens;
    } else if (!said && in.document.sequence_length) {
        serving.input_tokens = *in.document.sequence_length;
    } else if (!said && model.max_positions > 0) {
        serving.input_tokens = std::min(serving.input_tokens, 1.0 * model.max_positions);
    }
}

/// A length of prompt and answer together, where neither was said: a quarter of it is written, at
/// most as much as usual.
void suit_to_length(const ResolveInputs& in, Serving& serving) {
    const Serving usual;
    const bool said =
        serving.input_tokens != usual.input_tokens || serving.output_tokens != usual.output_tokens;
    if (said || !in.document.sequence_length || in.architecture.kind != ModelKind::decoder) {
        return;
    }
    const double length = *in.document.sequence_length;
    if (length == usual.input_tokens + usual.output_tokens) {
        return;  // the usual lengths, or those of an answer that is asked again
    }
    serving.output_tokens = std::max(1.0, std::min(usual.output_tokens, std::floor(length / 4)));
    serving.input_tokens = std::max(1.0, length - serving.output_tokens);
}

/// A window of sound, where no lengths were said.
void suit_to_sound(Serving& serving) {
    const Serving usual;
    if (serving.input_tokens == usual.input_tokens &&
        serving.output_tokens == usual.output_tokens) {
        serving.input_tokens = window_of_sound.input_tokens;
        serving.output_tokens = window_of_sound.output_tokens;
    }
}

bool states_batch(const ResolveInputs& in) {
    return in.document.micro_batch || in.document.global_batch;
}

/// Requests that run at once where nobody said how many: the batch of all ranks, or that of each.
double samples_at_once(const ResolveInputs& in, const Workload& workload) {
    const int each = in.document.micro_batch.value_or(1);
    return in.document.global_batch.value_or(each * workload.plan.data);
}

/// What a request is where the document does not say: one pass for an encoder; for the others a
/// prompt and an answer that fit the positions the model has.
Serving usual_serving(const ResolveInputs& in, const Workload& workload) {
    const Architecture& model = in.architecture;
    Serving serving;
    if (model.kind == ModelKind::encoder) {
        serving.input_tokens = in.document.sequence_length.value_or(usual_sequence(in, workload));
        suit_to_encoder(in, serving);
        serving.concurrency = samples_at_once(in, workload);
        return serving;
    }
    if (states_batch(in)) {
        serving.concurrency = samples_at_once(in, workload);
    }
    if (model.reads_sound()) {
        suit_to_sound(serving);
        return serving;
    }
    suit_to_length(in, serving);
    const double wanted = serving.input_tokens + serving.output_tokens;
    if (!in.document.sequence_length && model.max_positions > 0 && wanted > model.max_positions) {
        serving.input_tokens = std::max(1, model.max_positions / 3 * 2);
        serving.output_tokens = std::max(1.0, model.max_positions - serving.input_tokens);
    }
    return serving;
}

/// What one sample is: pixels, frames, seconds, steps.
void resolve_sample(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Batch& batch = workload.batch;
    const bool program = has_program(in.architecture);
    const int usual = usual_image_size(in.architecture);
    const int published = in.architecture.facts ? in.architecture.facts->image_size : 0;
    batch.image_size = program && usual > 0
                           ? fill.own("batch.image_size", document.image_size, usual)
                           : document.image_size.value_or(published);
    const NetworkSizes none;
    const NetworkSizes& sizes = in.architecture.network ? *in.architecture.network : none;
    // A clip keeps the ratio of the sides that its model is made for; one side of a picture that is
    // not the model's own is that of a square.
    const double ratio = usual > 0 ? sizes.number("image_height", usual) / usual : 1;
    const bool square = in.architecture.kind != ModelKind::diffusion && batch.image_size != usual;
    if (ratio == 1) {
        batch.image_height = document.image_height.value_or(0);
    } else {
        batch.image_height = fill.derived(
            "batch.image_height", document.image_height,
            square ? batch.image_size : static_cast<int>(std::lround(batch.image_size * ratio)),
            square ? "one side: a square" : "the sides' ratio of the model");
    }
    batch.image_depth = document.image_depth.value_or(0);
    const int clip = program ? sizes.whole("frames", 0) : 0;
    batch.frames =
        clip > 0 ? fill.own("batch.frames", document.frames, clip) : document.frames.value_or(0);
    const double length = program ? sizes.number("audio_seconds", 0) : 0;
    batch.audio_seconds = length > 0
                              ? fill.own("batch.audio_seconds", document.audio_seconds, length)
                              : document.audio_seconds.value_or(0);
    batch.encoder_steps = document.encoder_steps.value_or(0);
    batch.decoder_steps = document.decoder_steps.value_or(0);
    const bool hears = in.architecture.reads_sound() && workload.task == Task::inference;
    batch.beam = document.beam.value_or(hears ? in.software.runtime.speech_hypotheses() : 0);
    batch.phase = document.phase.value_or("");
    batch.latent_size = document.latent_size.value_or(0);
    const bool denoises =
        in.architecture.kind == ModelKind::diffusion && workload.task == Task::inference;
    batch.steps = denoises ? fill.own("batch.steps", document.steps, sizes.whole("steps", 50))
                           : document.steps.value_or(0);
    const int passes = sizes.whole("guidance_passes", 1);
    batch.guidance_passes =
        denoises ? fill.own("batch.guidance_passes", document.guidance_passes, passes)
                 : document.guidance_passes.value_or(1);
}

}  // namespace

Result<void> resolve_ranks(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Plan& plan = workload.plan;
    plan.tensor = document.tensor.value_or(1);
    plan.pipeline = document.pipeline.value_or(1);
    plan.context = document.context.value_or(1);
    plan.split = document.split;
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
    plan.data = fill.derived("parallel.data", document.data,
                             in.accelerators / static_cast<int>(std::max(1.0, model)),
                             "accelerators / (tensor x pipeline x context)");
    return {};
}

Result<void> resolve_sharding(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Plan& plan = workload.plan;
    const bool training = workload.task == Task::train;
    plan.sequence_parallel = fill.own("parallel.sequence_parallel", document.sequence_parallel,
                                      training && plan.tensor > 1);
    const bool spread = training && 1LL * plan.data * plan.context > 1;
    plan.sharding = fill.software("parallel.sharding", document.sharding,
                                  spread ? in.software.defaults.sharding : Sharding::none);
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
    plan.reduce_each_micro_batch = document.reduce_each_micro_batch.value_or(false);
    if (training) {
        plan.recompute =
            fill.software("recompute", document.recompute, in.software.defaults.recompute);
        plan.full_recompute_layers = document.full_recompute_layers.value_or(-1);
        plan.recompute_share = document.recompute_share.value_or(1);
    }
    plan.offload_optimizer = document.offload_optimizer.value_or(OffloadTarget::none);
    plan.offload_parameters = document.offload_parameters.value_or(OffloadTarget::none);
    plan.offload_activations = document.offload_activations.value_or(OffloadTarget::none);
    return {};
}

void resolve_serving(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    workload.serving = in.document.serving;
    if (workload.serving && !in.architecture.stacks.empty()) {
        suit_to_length(in, *workload.serving);
        if (in.architecture.kind == ModelKind::encoder) {
            suit_to_encoder(in, *workload.serving);
        }
        if (in.architecture.reads_sound()) {
            suit_to_sound(*workload.serving);
        }
        // A batch is so many at once, where nobody said how many those are.
        const bool together = in.architecture.kind == ModelKind::encoder || states_batch(in);
        if (together && workload.serving->concurrency == Serving{}.concurrency) {
            workload.serving->concurrency = samples_at_once(in, workload);
        }
    }
    const bool unstated = workload.task == Task::inference && !workload.serving;
    if (unstated && !in.architecture.stacks.empty()) {
        workload.serving = usual_serving(in, workload);
        const Serving& s = *workload.serving;
        const std::optional<std::string> none;
        fill.own("serving", none,
                 shown(s.input_tokens) + " tokens in, " + shown(s.output_tokens) + " out, " +
                     shown(s.concurrency) + " at a time");
    }
}

Result<void> resolve_batch(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    const WorkloadDocument& document = in.document;
    Batch& batch = workload.batch;
    const int data = workload.plan.data;
    // Networks answer a batch; --batch tells that of all ranks.
    const bool network = workload.task == Task::inference && in.architecture.stacks.empty();
    const double requests = workload.serving ? workload.serving->concurrency
                            : network        ? document.global_batch.value_or(1)
                                             : 1;
    const int share = static_cast<int>(std::min(1e9, std::max(1.0, std::ceil(requests / data))));
    batch.micro = fill.own("batch.micro", document.micro_batch, share);
    const double pass = 1.0 * batch.micro * data;
    if (!document.global_batch && pass > 2e9) {
        return input_error("batch.micro", "times " + std::to_string(data) +
                                              " data-parallel ranks is more than 2e9 samples");
    }
    batch.global = fill.derived("batch.global", document.global_batch,
                                static_cast<int>(std::min(pass, 2e9)), "micro x data");
    if (workload.task != Task::kernel && !in.architecture.stacks.empty()) {
        batch.sequence_length = fill.own("batch.sequence_length", document.sequence_length,
                                         usual_sequence(in, workload));
    } else {
        batch.sequence_length = document.sequence_length.value_or(0);
    }
    resolve_sample(in, fill, workload);
    return {};
}

}  // namespace ridgeline
