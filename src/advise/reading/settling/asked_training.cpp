#include "advise/reading/settling/asked_training.h"

#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// A reading as a query: what it trains.

namespace ridgeline {
namespace {

bool rolls_out(const WorkloadDocument& work) {
    return work.preference && work.preference->generates();
}

/// Of a sample that passes: a pair is two.
double sequences_of(const Reading& reading, const WorkloadDocument& work) {
    const bool judge = assumed_of(reading, "pair") != nullptr;
    return judge || (work.preference && work.preference->pairs()) ? 2 : 1;
}

void fill_method(Reading& reading, Query& query) {
    WorkloadDocument& work = query.workload;
    if (reading.method == "full" || reading.method == "lora" || reading.method == "qlora") {
        work.method = reading.method == "full"   ? Method::full
                      : reading.method == "lora" ? Method::lora
                                                 : Method::qlora;
    } else if (reading.method == "dora") {
        work.method = Method::lora;
        work.lora_variant = LoraVariant::dora;
    } else {
        // Those who generate answers train the whole model as a rule; pairs are mostly adapters.
        const auto algorithm = algorithm_named(reading.method);
        const bool whole = algorithm && PreferenceTuning{.algorithm = *algorithm}.generates();
        work.method = whole ? Method::full : Method::lora;
        query.method_open = reading.method.empty() || algorithm.has_value();
        // Where hardware is sought or judged the choice of each method stands in the answer.
        static constexpr Intent of_each[] = {Intent::hardware, Intent::fit, Intent::memory,
                                             Intent::budget, Intent::largest};
        const bool compared = std::ranges::find(of_each, reading.intent) != std::end(of_each);
        const char* others = compared ? ", full and QLoRA are compared" : " (--method full, qlora)";
        assume(reading, "method", whole ? "full" : "lora",
               whole ? "whether adapters train was not said: " + reading.method +
                           " is run on all weights as a rule"
                     : std::string("the method was not said: LoRA is answered") + others);
    }
    if (const auto algorithm = algorithm_named(reading.algorithm)) {
        work.preference = PreferenceTuning{.algorithm = *algorithm};
        if (reading.output_tokens) {
            // Of the longest, where that was told, the mean is half.
            const bool longest = assumed_of(reading, "response-tokens") != nullptr;
            work.preference->answer_tokens = *reading.output_tokens / (longest ? 2.0 : 1.0);
        }
        if (reading.input_tokens && rolls_out(work)) {
            work.preference->prompt_tokens = *reading.input_tokens;
        }
        if (reading.group) {
            work.preference->group = *reading.group;
        }
        if (rolls_out(work) && !reading.output_tokens) {
            assume_first(reading, "response-tokens", "1024",
                         "lengths of answers were not said: prompts of 512 tokens, the longest "
                         "answer of 2048");
        }
    }
    work.has_lora = work.method != Method::full;
}

/// Of a step of fine-tuning where neither was said.
constexpr double usual_batch = 16;
constexpr double usual_length = 2048;

/// Samples of a step that nobody told: those of the recipe; adapters are trained one on each card.
int samples_of_step(const Reading& reading, const WorkloadDocument& work) {
    const int cards = reading.count.value_or(1);
    if (reading.micro_batch || work.method != Method::full) {
        return reading.micro_batch.value_or(1) * cards;
    }
    const auto run = reading::usual_run(reading.estimated_model(), reading.framework);
    const int recipe = run ? std::max(run->step, std::max(run->batch, run->batch_each * cards)) : 0;
    return recipe > 0 ? recipe : static_cast<int>(usual_batch) * cards;
}

/// The length of a run told by its steps: what they draw from is passed as often as it takes.
void fill_steps(Reading& reading, WorkloadDocument& work) {
    if (reading.counts_samples) {
        const int batch = reading.batch.value_or(samples_of_step(reading, work));
        const std::string_view why =
            reading.batch || reading.micro_batch || work.method != Method::full
                ? ""
                : "; a batch was not said";
        work.dataset_samples = *reading.steps * batch;
        work.duration_epochs = 1;
        const std::string passes =
            reading.samples
                ? fmt::format(", {:.3g} passes over {}", *work.dataset_samples / *reading.samples,
                              format_count(*reading.samples))
                : "";
        assume(reading, "samples", format_count(*work.dataset_samples),
               fmt::format("{:g} steps of {}{}{}", *reading.steps, batch, passes, why));
        return;
    }
    if (reading.tokens) {
        work.duration_tokens = *reading.tokens;
        return;
    }
    const double batch = reading.batch.value_or(usual_batch) * sequences_of(reading, work);
    const double length = reading.sequence.value_or(usual_length);
    work.duration_tokens = *reading.steps * batch * length;
    assume(
        reading, "tokens", format_count(*work.duration_tokens),
        fmt::format("{:g} steps of {:g} sequences of {:g} tokens", *reading.steps, batch, length));
}

/// Most prompts of a round; more are those of the run.
constexpr double most_round_prompts = 1024;

/// Prompts of a round, as stated or as usual.
double round_prompts(PreferenceTuning tuning) {
    tuning.group = 1;
    return tuning.round_answers();
}

/// The length of a run of rounds: its samples are prompts, a step is a round, its batch the prompts
/// of one.
void fill_rounds(Reading& reading, WorkloadDocument& work) {
    PreferenceTuning& tuning = *work.preference;
    const bool each =
        reading.steps && reading.samples.value_or(most_round_prompts + 1) <= most_round_prompts;
    tuning.prompts = reading.batch ? *reading.batch : each ? *reading.samples : 0;
    work.micro_batch = reading.micro_batch;
    if (reading.tokens) {
        work.duration_tokens = *reading.tokens * reading.epochs.value_or(1);
    } else if (reading.steps && !reading.epochs) {
        work.duration_samples = *reading.steps * round_prompts(tuning);
        assume_first(reading, "samples", format_count(*work.duration_samples),
                     fmt::format("prompts: a step is a round, {:g} of {:g} prompts x {:g} answers",
                                 *reading.steps, round_prompts(tuning),
                                 tuning.round_answers() / round_prompts(tuning)));
    } else if (reading.samples) {
        work.duration_samples = *reading.samples * reading.epochs.value_or(1);
    } else if (reading.batch && reading.intent == Intent::duration) {
        work.duration_samples = tuning.prompts;
        assume_first(reading, "steps", "1", "one round: no number of them was said");
    }
}

/// How long a network trains is asked with its set, but no batch: its reference's is taken.
void take_usual_batch(Reading& reading, const WorkloadDocument& work) {
    const bool open = !reading.batch && !reading.micro_batch && reading.samples &&
                      reading.intent == Intent::duration && work.method == Method::full;
    reading.batch = open ? usual_batch_of(reading) : reading.batch;
    if (open && reading.batch) {
        assume(reading, "batch", std::to_string(*reading.batch), "as the usual run of it takes");
    }
}

void fill_length(Reading& reading, WorkloadDocument& work) {
    const bool stepped =
        reading.steps && !reading.epochs;  // how much there is tells no length then
    if (stepped) {
        fill_steps(reading, work);
    } else if (!reading.dataset.empty() || (reading.counts_samples && reading.samples)) {
        work.dataset_samples = reading.samples;
        work.dataset_bytes = reading.dataset_bytes;
        work.duration_epochs = reading.epochs;
    } else if (reading.samples) {
        const double length =
            reading.sequence.value_or(reading.tokens_each > 0 ? reading.tokens_each : 1024);
        if (reading.tokens_each > 0 && !reading.sequence) {
            assume(reading, "tokens of an example", fmt::format("{}", reading.tokens_each),
                   "the mean of that set, packed; padded to longer ones it takes more");
        } else if (!reading.sequence) {
            assume(reading, "sequence", fmt::format("{:g}", length),
                   "the length of an example was not said");
            work.sequence_length = static_cast<int>(length);  // that of what is trained too
        }
        work.duration_tokens =
            *reading.samples * reading.epochs.value_or(1) * length * sequences_of(reading, work);
        if (sequences_of(reading, work) > 1) {
            assume(reading, "tokens", format_count(*work.duration_tokens),
                   "a pair is two sequences");
        }
    }
    if (reading.tokens && !stepped) {
        work.duration_tokens = *reading.tokens * (reading.samples ? 1 : reading.epochs.value_or(1));
    }
    take_usual_batch(reading, work);
    const bool each = assumed_of(reading, reading::batch_of_each) != nullptr;
    work.global_batch = each ? std::nullopt : reading.batch;
    work.micro_batch = each ? reading.batch : reading.micro_batch;
}

/// What is said of sharding is how the script runs: all cards are data parallel, unless a degree of
/// another kind was told too. A distributed optimizer (ZeRO 1) is used beside any.
void hold_to_sharding(const Reading& reading, WorkloadDocument& work) {
    for (const auto& [word, sharding] : sharding_words()) {
        if (word == reading.sharding) {
            work.sharding = sharding;
        }
    }
    if (work.sharding && (*work.sharding != Sharding::zero1 || reading.framework == "deepspeed") &&
        !reading.tensor && !reading.pipeline) {
        work.tensor = 1;
        work.pipeline = 1;
    }
}

/// Detectors are published in fp32: their scripts leave mixed precision off, and what of them is no
/// convolution (boxes of each image, chosen one kernel after another) gains nothing by it.
void fill_width(Reading& reading, WorkloadDocument& work) {
    const auto run = reading::usual_run(reading.estimated_model(), reading.framework);
    const bool told =
        !reading.compute.empty() || !reading.framework.empty() || asks(reading, "mixed_precision");
    if (run && run->fp32 && !told && work.method == Method::full) {
        work.compute = ComputeType::fp32;
        assume(reading, "compute", "fp32",
               "its published script leaves mixed precision off; fp16 or bf16 ask for it");
    }
}

}  // namespace

std::optional<int> usual_batch_of(const Reading& reading) {
    const auto run = reading::usual_run(reading.estimated_model(), reading.framework);
    const int cards = reading.count.value_or(1);
    const int each = run ? std::max((run->batch + cards - 1) / cards, run->batch_each) : 0;
    return each > 0 ? std::optional(each * cards) : std::nullopt;
}

void fill_training(Reading& reading, Query& query) {
    WorkloadDocument& work = query.workload;
    fill_method(reading, query);
    fill_width(reading, work);
    if (rolls_out(work)) {
        fill_rounds(reading, work);
    } else {
        fill_length(reading, work);
    }
    hold_to_sharding(reading, work);
    if (reading.offload) {
        work.offload_optimizer = OffloadTarget::cpu;
        // FSDP moves both at once (CPUOffload), and adapters have few states to move; so do the
        // configurations of ZeRO-3, unless the optimizer alone is named.
        const bool zero3 = work.sharding == Sharding::zero3 && !reading.offload_states;
        const bool both =
            work.sharding == Sharding::fsdp || reading.framework == "fsdp-qlora" || zero3;
        work.offload_parameters =
            both ? std::optional(OffloadTarget::cpu) : work.offload_parameters;
    }
    if (!reading.attention.empty()) {
        work.attention = reading.attention == "flash"  ? AttentionKernel::flash
                         : reading.attention == "sdpa" ? AttentionKernel::sdpa
                                                       : AttentionKernel::eager;
    }
    if (reading.optimizer_in_backward) {
        work.optimizer_in_backward = true;
    }
    if (reading.recompute || reading.keep_activations) {
        work.recompute = reading.recompute ? RecomputeMode::full : RecomputeMode::none;
    }
    for (const AssumedField& each : reading.assumed) {
        work.recompute = each.field == reading::selective_recompute && each.value == "selective"
                             ? RecomputeMode::selective
                             : work.recompute;
    }
    work.sequence_length = reading.sequence ? reading.sequence : work.sequence_length;
    // Mixed precision steps an fp32 copy of the weights by fp32 moments (Micikevicius et al. 2018).
    const bool mixed = asks(reading, "mixed_precision") && work.method == Method::full &&
                       !reading.counts_samples &&
                       (reading.optimizer.empty() || reading.optimizer == "adamw");
    if (reading.optimizer == "adamw-fp32" || mixed) {
        work.optimizer = "adamw";
        work.optimizer_state = DType::fp32;
        work.master_weights = true;
    } else if (reading.optimizer == "adamw-8bit") {
        work.optimizer = "adamw";
        work.optimizer_state = DType::int8;
    } else if (!reading.optimizer.empty()) {
        work.optimizer = reading.optimizer;
    }
    work.lora_rank = reading.rank;
    if (!reading.lora_targets.empty()) {
        work.lora_targets = reading.lora_targets;
    }
}

}  // namespace ridgeline
