#include "advise/reading/settling/asked_training.h"
#include "advise/stacks/pretraining.h"
#include "ask/router.h"
#include "base/number.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/resolve/resolve.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

// Runs of training: how long one is where nobody said.

namespace ridgeline::ask {
namespace {

/// Samples of a run of a network, where no set was named.
constexpr double usual_images = 10000;

/// The length of a run from scratch that nobody said: that of its authors, else 20 tokens for each
/// parameter, which decoders learn best from (Hoffmann et al. 2022) and encoders are far beyond.
AssumedField assume_tokens(WorkloadDocument& document, const Architecture& architecture) {
    const double optimal =
        chinchilla_tokens * static_cast<double>(count_parameters(architecture).total);
    const auto& published = architecture.published_tokens;
    const bool decodes = architecture.kind == ModelKind::decoder;
    document.duration_tokens = published ? static_cast<double>(*published) : optimal;
    const std::string why =
        published && decodes
            ? fmt::format("as its authors trained it; 20 for each parameter are {}",
                          format_count(optimal))
        : published ? std::string("as its authors trained it")
        : decodes   ? std::string("20 tokens for each parameter, as no length was said")
                    : std::string(
                          "20 tokens for each parameter, a rule for decoders: encoders "
                            "are trained on many times more: --tokens");
    return {"tokens", format_count(*document.duration_tokens), why};
}

/// Pictures that a latent diffusion model sees from scratch, of its own size.
struct SeenPictures {
    std::string_view begins;  ///< of the model's id
    double pictures;
    std::string_view words;
};
constexpr std::string_view of_card = "steps of 2,048 pictures, as its model cards state them";
constexpr SeenPictures seen_from_scratch[] = {
    // Model cards of stable-diffusion-v1-1, v1-2 and v1-5: steps of 256 px, then of 512; of
    // stable-diffusion-2-base, 2 and 2-1: of 256, 512 and 768. Those of fewer pixels count by them.
    {"sd-1.5", 2048 * (237e3 / 4 + 194e3 + 515e3 + 595e3), of_card},
    {"sd-2.1", 2048 * ((550e3 / 4 + 850e3) * 4 / 9 + 150e3 + 140e3), of_card},
    // 178,000 steps of 1,200 for the classes of ImageNet, 390,000 of 680 from text (Rombach et al.
    // 2022, arXiv 2112.10752, hyperparameters of its appendix) are 214 and 265 million.
    {"", 240e6, "as latent diffusion models are trained (Rombach et al. 2022)"},
};

/// The length of a run of diffusion from scratch that nobody said.
void assume_pictures(WorkloadDocument& document, Reading& reading) {
    if (document.duration_epochs || document.duration_samples || reading.steps) {
        return;
    }
    // A set of one's own is learnt from as one's own model is, whatever its authors had.
    const bool known = document.dataset_samples.value_or(0) > 0;
    const auto* const seen = std::ranges::find_if(seen_from_scratch, [&](const SeenPictures& each) {
        return each.begins.empty() ||
               (!known && reading.estimated_model().starts_with(each.begins));
    });
    document.dataset_samples = known ? *document.dataset_samples : seen->pictures;
    document.duration_epochs =
        std::max(1.0, std::round(seen->pictures / *document.dataset_samples));
    assume_first(reading, "samples",
                 fmt::format("{} x {:g} epochs", format_count(*document.dataset_samples),
                             *document.duration_epochs),
                 fmt::format("{} pictures seen, {}", format_count(seen->pictures), seen->words));
}

bool says_any(const std::vector<std::string>& question,
              std::initializer_list<std::string_view> phrases) {
    std::string words;
    for (const std::string& piece : question) {
        words += lower(piece) + " ";
    }
    return std::ranges::any_of(
        phrases, [&](std::string_view phrase) { return words.find(phrase) != std::string::npos; });
}

/// "how many gpus did it take to train llama 3.1 405b": the run of its makers.
bool tells_of_past_run(const std::vector<std::string>& question) {
    return says_any(question, {"did it take to train", "it took to train", "did it cost to train",
                               "it cost to train", "did they spend to train", "did training cost",
                               "was used to train", "were used to train", "originally train"});
}

}  // namespace

bool names_run_from_scratch(const std::vector<std::string>& question) {
    const bool goes_on = says_any(question, {"continue", "continual"});
    return !goes_on && (tells_of_past_run(question) ||
                        says_any(question, {"pretrain", "pre-train", "pre train", "from scratch",
                                            "from zero", "from the ground up", "random init",
                                            "randomly init", "chinchilla"}));
}

void Router::assume_step_of_run(const Architecture& architecture) {
    WorkloadDocument& document = asked_.query.workload;
    WorkloadDocument run = document;
    if (run.global_batch || run.micro_batch || architecture.kind != ModelKind::decoder) {
        return;
    }
    if (!run.duration_tokens) {
        assume_tokens(run, architecture);
    }
    if (!is_pretraining(run)) {
        return;
    }
    run.sequence_length = run.sequence_length.value_or(
        architecture.max_positions > 0 ? std::min(usual_sequence_length, architecture.max_positions)
                                       : usual_sequence_length);
    const int cards = std::max(1, reading_.count.value_or(1));
    document.global_batch = (pretraining_batch(run) + cards - 1) / cards * cards;
    assume_first(reading_, "batch", std::to_string(*document.global_batch),
                 fmt::format("as a run over {} tokens takes: {}",
                             format_count(*run.duration_tokens), pretraining_batch_source));
    reading_.flags = flags_of(reading_, asked_.query);
}

void Router::assume_step_of_whole(const Architecture& architecture) {
    WorkloadDocument& document = asked_.query.workload;
    if (!reading_.tokens_of_run || document.global_batch || document.micro_batch ||
        architecture.kind != ModelKind::decoder) {
        return;
    }
    WorkloadDocument run = document;
    run.duration_tokens = reading_.tokens_of_run;
    if (!is_pretraining(run)) {
        return;
    }
    run.sequence_length = run.sequence_length.value_or(
        architecture.max_positions > 0 ? std::min(usual_sequence_length, architecture.max_positions)
                                       : usual_sequence_length);
    document.global_batch = pretraining_batch(run);
    assume_first(reading_, "batch", std::to_string(*document.global_batch),
                 fmt::format("as the whole run over {} tokens has it: {}",
                             format_count(*run.duration_tokens), pretraining_batch_source));
    reading_.flags = flags_of(reading_, asked_.query);
}

void Router::settle_pretraining() {
    WorkloadDocument& document = asked_.query.workload;
    if (reading_.intent == Intent::largest && reading_.model.empty() && !reading_.tokens &&
        !reading_.tokens_per_parameter && document.method == Method::full &&
        names_run_from_scratch(request_.texts("question"))) {
        reading_.tokens_per_parameter = chinchilla_tokens;
        assume_first(reading_, "tokens", fmt::format("{:g} for each parameter", chinchilla_tokens),
                     "a run from scratch, which keeps an fp32 copy of the weights and moments");
        return;
    }
    const bool scratch = document.task == Task::train && document.method == Method::full &&
                         reading_.method == "full" && !reading_.tunes && !document.preference;
    const bool named = names_run_from_scratch(request_.texts("question"));
    const bool about_run =
        reading_.intent == Intent::hardware || reading_.intent == Intent::throughput ||
        reading_.intent == Intent::compare || reading_.intent == Intent::fit ||
        reading_.intent == Intent::duration || (reading_.intent == Intent::memory && named);
    if (!scratch || !about_run || document.model_id.empty()) {
        return;
    }
    const auto architecture = architecture_of(document, world_);
    if (architecture && named && architecture->kind == ModelKind::diffusion) {
        assume_pictures(document, reading_);
        return;
    }
    if (!architecture || architecture->stacks.empty() || has_program(*architecture) ||
        reading_.counts_samples) {
        return;
    }
    if (reading_.intent == Intent::throughput) {
        assume_step_of_run(*architecture);
        return;
    }
    std::vector<AssumedField> assumed;
    if (named && !document.duration_tokens && !document.duration_epochs) {
        assumed.push_back(assume_tokens(document, *architecture));
        if (reading_.intent == Intent::compare || reading_.intent == Intent::memory) {
            reading_.tokens = document.duration_tokens;  // these are judged by the reading
        }
    }
    assume_step_of_whole(*architecture);
    const Search search = make_search(asked_.query, *architecture, knowledge_);
    for (const FilledDefault& filled : search.defaults) {
        if (filled.field == "batch.global" && filled.from != "ridgeline") {
            const double tokens =
                number_or_zero(filled.value) * search.document.sequence_length.value_or(1);
            assumed.push_back(
                {"batch", filled.value,
                 fmt::format("{} tokens a step: {}", format_count(tokens), filled.from)});
            const auto& named_parts = reading_.accelerators;
            const bool narrows =  // what has no fp8 leaves nothing to assume
                named_parts.empty() || std::ranges::any_of(named_parts, [&](const std::string& id) {
                    const Accelerator* part = world_.catalog.accelerator(id);
                    return part != nullptr && part->peak(ComputeType::fp8);
                });
            if (!document.compute && narrows) {
                assumed.push_back({"compute", "bf16",
                                   "fp8 products are faster where a part has them: --compute fp8"});
            }
        }
    }
    if (tells_of_past_run(request_.texts("question")) && reading_.accelerators.empty()) {
        assumed.insert(assumed.begin(), {"accelerators", "any of today",
                                         "what its makers trained it on is not in the catalog"});
    }
    reading_.assumed.insert(reading_.assumed.begin(), assumed.begin(), assumed.end());
    if (!assumed.empty()) {
        reading_.flags = flags_of(reading_, asked_.query);
    }
}

bool Router::take_tokens_as_sequences() {
    WorkloadDocument& document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!document.duration_tokens || !architecture || architecture->kind != ModelKind::recurrent) {
        return false;
    }
    const auto usual = reading::usual_run(reading_.estimated_model(), reading_.framework);
    const int length = document.sequence_length.value_or(usual_recurrent_steps);
    document.dataset_samples = *document.duration_tokens / length;
    document.duration_epochs = 1;
    document.duration_tokens.reset();
    if (!document.micro_batch && !document.global_batch && usual && usual_batch_of(reading_)) {
        document.global_batch = usual_batch_of(reading_);
    }
    assume_first(reading_, "samples", format_count(*document.dataset_samples),
                 fmt::format("{} tokens in sequences of {}",
                             format_count(*reading_.tokens * reading_.epochs.value_or(1)), length));
    return true;
}

void Router::assume_samples() {
    WorkloadDocument& document = asked_.query.workload;
    if (take_tokens_as_sequences()) {
        return;
    }
    const auto usual = reading::usual_run(reading_.estimated_model(), reading_.framework);
    const bool whole = usual && document.method.value_or(Method::full) == Method::full;
    document.dataset_samples = whole ? usual->samples : usual_images;
    document.duration_epochs = reading_.epochs.value_or(whole ? usual->epochs : 1);
    reading_.guessed_samples = whole ? 0 : usual_images;
    if (whole && !document.micro_batch && !document.global_batch && usual_batch_of(reading_)) {
        document.global_batch = usual_batch_of(reading_);
        assume_first(reading_, "batch", std::to_string(*document.global_batch),
                     "as the usual run of it takes");
    }
    assume_first(reading_, "samples",
                 fmt::format("{} x {:g} epochs", format_count(*document.dataset_samples),
                             *document.duration_epochs),
                 whole ? std::string(usual->words) : "no number of samples was said");
}

Result<void> Router::assume_length() {
    WorkloadDocument& document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const bool scratch =
        document.method == Method::full && reading_.method == "full" && !reading_.tunes;
    AssumedField length{"tokens", "", "a usual fine-tuning set, as no length was said"};
    document.duration_tokens = usual_tuning_tokens;
    if (scratch) {
        length = assume_tokens(document, *architecture);
    }
    if (const double passes = reading_.epochs.value_or(1); passes > 1) {
        *document.duration_tokens *= passes;
        length.why = fmt::format("{:g} passes, as what an epoch holds was not said, over {}",
                                 passes, length.why);
    }
    assume_first(reading_, "tokens", format_count(*document.duration_tokens), length.why);
    return {};
}

}  // namespace ridgeline::ask
