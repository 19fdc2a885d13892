#include "advise/reading/models/model_words.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/words/sentence.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

// What an engine holds beside the model that it serves: a model that proposes tokens, adapters of
// LoRA.

namespace ridgeline::reading {
namespace {

constexpr std::string_view draft_words =
    "draft drafts drafter drafting speculative speculation speculator assistant-model";

/// Parameters of another model that is named beside token `at`, by its name or, beside "draft", by
/// its size; takes it out of the others. Empty: none is.
std::optional<double> draft_size(Sentence& sentence, std::size_t at) {
    constexpr std::size_t nearest = 6;
    const auto near = [&](std::size_t i) { return i + nearest >= at && i <= at + nearest; };
    for (const auto& [id, token] : sentence.other_models) {
        const auto architecture = near(token) && sentence.vocabulary.architecture
                                      ? sentence.vocabulary.architecture(id)
                                      : std::nullopt;
        if (architecture) {
            const double parameters = static_cast<double>(count_parameters(*architecture).total);
            const std::string draft = id;
            std::erase_if(sentence.other_models,
                          [&](const auto& other) { return other.first == draft; });
            // "a 1b draft for the 70b": the larger of the two is what answers.
            const auto own = sentence.named_architecture();
            const double first =
                own ? static_cast<double>(count_parameters(*own).total) : parameters;
            if (first < parameters) {
                sentence.reading.model = draft;
                sentence.reading.model_known = true;
                forget_assumed(sentence.reading, "model");
                return first;
            }
            return parameters;
        }
    }
    const bool sized = sentence.word(at).starts_with("draft");
    for (std::size_t away = 1; sized && away <= nearest; ++away) {
        for (const std::size_t i : {at - std::min(at, away), at + away}) {
            const bool of_model =
                !sentence.reading.model.empty() && i >= sentence.model_at && i < sentence.model_end;
            if (sentence.open(i) && !of_model && is_size_piece(sentence.word(i))) {
                sentence.claim(i);
                return parameters_in(sentence.word(i));
            }
        }
    }
    return std::nullopt;
}

/// "flux with some loras", "sdxl and 3 loras": adapters of others that are loaded, in the plural,
/// where none is made.
bool are_beside_model(const Sentence& sentence, std::size_t loras) {
    std::size_t i = loras;
    while (i > 0 && sentence.follows(i) &&
           (is_any(sentence.word(i - 1),
                   "some a few bunch of several multiple many various custom "
                   "different my own couple community style") ||
            amount_in(sentence.word(i - 1)))) {
        --i;
    }
    return i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1), "with plus and using applying loading");
}

/// "image generation"; "ada generation", "the latest generation" are those of hardware.
bool says_generation(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool of_parts =
            i > 0 && is_any(sentence.word(i - 1),
                            "pascal volta turing ampere ada lovelace hopper blackwell cdna rdna "
                            "last latest next current this newest newer older previous");
        if (sentence.word(i) == "generation" && !of_parts) {
            return true;
        }
    }
    return false;
}

/// Whether pictures are made with adapters that are there: a program for it, or words of making
/// them.
bool draws_with_adapters(const Sentence& sentence) {
    const bool makes = sentence.any_word(
        "make makes making train trains training trained trainer create creates creating "
        "dreambooth "
        "finetune finetuning kohya kohyass onetrainer simpletuner");
    if (makes) {
        return false;
    }
    if (sentence.any_word(picture_programs) || says_generation(sentence) ||
        sentence.any_word("generate generates generating txt2img img2img inference")) {
        return true;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "loras adapters") && are_beside_model(sentence, i)) {
            return true;
        }
    }
    return false;
}

/// Whether what is served holds adapters: an engine, a word of serving, no word of training but
/// that of the adapters.
bool serves_adapters(const Sentence& sentence) {
    const auto trains = [&](const Mark& mark) {
        return mark.means == Means::tune || (mark.means == Means::train && mark.value != "lora");
    };
    const SoftwareProfile* stack = nullptr;
    for (const Mark& mark : sentence.marks) {
        stack = mark.means == Means::framework && stack == nullptr
                    ? sentence.vocabulary.profiles.software_profile(mark.value)
                    : stack;
    }
    const bool engine = stack != nullptr && stack->serves && !stack->trains;
    const bool serves =
        engine ||
        sentence.any_word(
            "serve serves serving served host hosting inference deploy multilora multi-lora") ||
        sentence.asks("largest_users ttft tpot per_million") || sentence.reading.concurrency ||
        sentence.reading.requests_per_s ||
        (sentence.any_word("multi") && sentence.any_word("lora")) || draws_with_adapters(sentence);
    return serves && std::none_of(sentence.marks.begin(), sentence.marks.end(), trains);
}

/// "RFP draft: ...", "draft a budget": a text that is not final, where nothing says that a model
/// proposes tokens or answers.
bool is_written_draft(const Sentence& sentence, std::size_t at) {
    const bool paper =
        at > 0 && sentence.follows(at) &&
        is_any(sentence.word(at - 1),
               "rfp rfq proposal budget plan email memo grant spec slide report first rough my");
    const bool heads = sentence.word(at) == "draft" && sentence.follows(at + 1) &&
                       sentence.tokens[at + 1].gap == Gap::colon;
    const bool verb = sentence.word(at) == "drafting" ||
                      (is_any(sentence.word(at + 1), "a an the") && sentence.word(at) == "draft" &&
                       is_any(sentence.word(at + 2),
                              "rfp rfq proposal budget plan email memo grant spec report"));
    const bool proposes = is_any(sentence.word(at + 1), "model models tokens decoding of") ||
                          sentence.any_word("speculative speculation acceptance accept");
    // "my draft llama 1b": a model that is named behind proposes.
    const std::size_t next = at + 1;
    const bool model =
        sentence.follows(next) &&
        (sentence.names.models_by_family.contains(std::string(sentence.word(next))) ||
         parameters_in(sentence.word(next)).has_value() ||
         (next >= sentence.model_at && next < sentence.model_end));
    return (paper || heads || verb) && !proposes && !model &&
           sentence.word(at).starts_with("draft");
}

}  // namespace

void recognise_drafts(Sentence& sentence) {
    bool told = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool drafts = is_any(sentence.word(i), draft_words);
        const bool look_up = is_any(sentence.word(i), "ngram") ||
                             (sentence.word(i) == "lookup" && sentence.any_word("decoding prompt"));
        const bool sized =
            std::count_if(sentence.tokens.begin(), sentence.tokens.end(),
                          [](const Token& token) { return is_size_piece(token.text); }) > 1;
        if (!(drafts || look_up) || (sentence.reading.model.empty() && !sized) ||
            is_written_draft(sentence, i)) {
            continue;
        }
        const auto said = drafts ? draft_size(sentence, i) : std::optional(0.0);
        auto& draft = sentence.reading.draft_parameters;
        constexpr double usual = 1e9;
        if (said && (!told || sentence.any_word("model"))) {
            draft = said;
            told = true;
        } else if (!draft) {
            draft = usual;
        }
        sentence.marks.push_back({Means::infer, "", i, 1});
        sentence.claim(i);
        for (std::size_t k = i + 1; k < i + 3 && sentence.follows(k) &&
                                    is_any(sentence.word(k), "decoding model decode sampling");
             ++k) {
            sentence.claim(k);
        }
    }
    if (sentence.reading.draft_parameters) {
        sentence.assume("draft", fmt::format("{:.3g}B", *sentence.reading.draft_parameters / 1e9),
                        "4 tokens proposed a step, of which each is right in 7 of 10 cases: "
                        "--draft-tokens, --acceptance");
    }
}

void recognise_served_adapters(Sentence& sentence) {
    if (!serves_adapters(sentence)) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "lora loras adapter adapters")) {
            continue;
        }
        std::size_t before = i;
        while (before > 0 && sentence.follows(before) &&
               is_any(sentence.word(before - 1),
                      "lora different custom customer separate small active peft x loaded")) {
            --before;
        }
        const auto number = before > 0 && sentence.follows(before)
                                ? measure_at(sentence, before - 1)
                                : std::nullopt;
        bool counted = number && number->unit.empty() && number->value >= 1 && number->value <= 1e5;
        // "--max-loras 16" of vLLM
        const auto most = i > 0 && sentence.word(i - 1) == "max" && sentence.open(i + 1)
                              ? measure_at(sentence, i + 1)
                              : std::nullopt;
        if (most && most->unit.empty() && most->value >= 1 && most->value <= 1e5) {
            sentence.reading.served_adapters = static_cast<int>(most->value);
            sentence.claim(i - 1, 2 + most->length);
            counted = false;
        }
        const bool several = is_any(sentence.word(i), "loras adapters");
        const bool drawn = draws_with_adapters(sentence);  // "flux + lora image generation"
        const bool used = sentence.asks("largest_users");  // "how many users llama 8b lora"
        if (!counted && !several && !drawn && !used) {
            continue;
        }
        auto& adapters = sentence.reading.served_adapters;
        if (counted && !adapters) {
            adapters = static_cast<int>(number->value);
            sentence.claim(before - 1);
        }
        std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::train; });
        sentence.marks.push_back({Means::infer, "", i, 1});
        if (sentence.any_word("add adds extra more overhead cost costs take takes additional")) {
            sentence.marks.push_back({Means::ask, "part_adapters", i, 1});
        }
        sentence.claim(i);
    }
    if (!sentence.has(Means::train) && sentence.any_word("lora loras adapter adapters")) {
        sentence.reading.served_adapters = sentence.reading.served_adapters.value_or(1);
        if (const auto model = sentence.named_architecture();
            model && model->kind == ModelKind::diffusion) {
            sentence.assume("adapters", "not counted",
                            "merged into the weights, or some 0.1 to 1 GB each beside them");
        }
    }
}

}  // namespace ridgeline::reading
