#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/reading/amounts/pictures.h"
#include "advise/reading/amounts/recordings.h"
#include "advise/reading/amounts/rest_of_run.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/datasets.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/settling/steps.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

// The last step: what was recognised becomes the fields of the reading.

namespace ridgeline::reading {
namespace {

/// Of LoRA of a network that makes pictures, where no number of passes was said: 500 steps of 4
/// (huggingface/diffusers, examples/dreambooth/README_sdxl.md).
constexpr double usual_pictures_shown = 2000;

/// "3d unet on brats": a network that is known by the set it learns from has a form for another.
void take_form_for_dataset(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    for (const NamedDataset& dataset : named_datasets()) {
        const std::size_t at = reading.model.find("-" + std::string(dataset.name));
        if (reading.dataset.empty() || at == std::string::npos || dataset.name == reading.dataset) {
            continue;
        }
        const std::string form = reading.model.substr(0, at + 1) + reading.dataset;
        if (std::ranges::find(known, form) != known.end()) {
            sentence.assume("model", form,
                            fmt::format("the form of {} for {}", reading.model, reading.dataset));
            reading.model = form;
            return;
        }
    }
}

/// "finetune swin on cifar-100": one that was trained on larger pictures has small ones scaled.
void scale_small_pictures(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const AssumedField* side = assumed_of(reading, "image_size");
    constexpr int small = 64;
    if (side != nullptr && reading.image_size.value_or(small + 1) <= small &&
        sentence.has(Means::tune) && epochs_of_tuning(reading.model) > 0) {
        reading.image_size.reset();
        forget_assumed(reading, "image_size");
    }
}

void settle_length(Sentence& sentence) {
    Reading& reading = sentence.reading;
    scale_small_pictures(sentence);
    for (std::size_t i = 1; i < sentence.tokens.size() && !reading.epochs; ++i) {
        if (sentence.word(i) == "epoch" && is_any(sentence.word(i - 1), "per an each")) {
            reading.epochs = 1;
        }
    }
    // A judge of answers reads both of a pair.
    if (reading.samples && reading.task == Task::train && reading.algorithm.empty() &&
        sentence.any_word("reward") && sentence.any_word("pairs comparisons preferences")) {
        sentence.assume("pair", "2", "a reward model reads both answers of a pair");
    }
    // "alpaca (52k samples)" is read; a run of epochs over known sets is not guessed.
    if (reading.samples && !reading.epochs && !reading.steps && reading.task == Task::train) {
        const auto run = usual_run_on_set(reading, sentence.has(Means::tune));
        // A run that is told in pictures has as many passes of another set as show so many.
        const double shown = run && run->epochs == 1
                                 ? std::max(1.0, std::round(run->samples / *reading.samples))
                                 : 0;
        const double tuned = sentence.has(Means::tune) ? epochs_of_tuning(reading.model) : 0;
        // ImageNet's schedule is that of classifiers, not of what makes pictures.
        const bool by_dataset = usual_epochs(reading.dataset) > 0 &&
                                !(shown > 0 && reading.dataset.starts_with("imagenet"));
        const double usual = by_dataset  ? usual_epochs(reading.dataset)
                             : shown > 0 ? shown
                             : run       ? run->epochs
                                         : 0;
        if (tuned > 0) {
            reading.epochs = tuned;
            sentence.assume("epochs", fmt::format("{:g}", tuned),
                            "as classifiers that were trained before are tuned (Swin, ConvNeXt)");
        } else if (usual > 0) {
            reading.epochs = usual;
            sentence.assume("epochs", fmt::format("{:g}", usual),
                            by_dataset || !run
                                ? "the usual schedule of " + reading.dataset
                                : "as many as the usual run of it: " + std::string(run->words));
        } else if (reading.intent == Intent::duration && reading.method == "lora" &&
                   makes_pictures(sentence) && *reading.samples < usual_pictures_shown) {
            // Small sets are not passed once.
            reading.epochs = std::max(1.0, std::round(usual_pictures_shown / *reading.samples));
            assume_first(reading, "epochs", fmt::format("{:g}", *reading.epochs),
                         "2,000 pictures shown: 500 steps of 4, as diffusers' DreamBooth example "
                         "for SDXL takes");
        } else if (reading.intent == Intent::duration) {
            reading.epochs = 1;
            sentence.assume("epochs", "1", "no number of epochs was said");
        }
    }
    if (reading.audio_s && reading.task == Task::train && !reading.epochs && !reading.steps) {
        reading.epochs = 1;
        sentence.assume("epochs", "1",
                        "one pass over the recordings, as no number was said; sets of few hours "
                        "are often passed 15 to 30 times");
    }
}

/// A stack without a profile is estimated as the one that it is like.
void tell_alike(Sentence& sentence) {
    const std::string& said = sentence.reading.framework;
    const SoftwareProfile* stack = sentence.vocabulary.profiles.software_profile(said);
    if (stack != nullptr && std::any_of(stack->alike.begin(), stack->alike.end(),
                                        [&](const StackAlike& each) { return each.id == said; })) {
        sentence.assume("framework", stack->id,
                        said + " has no profile; this one is nearest to it");
    }
}

/// "finetune 8b and 14b models": sizes in a list, for which the same is done.
void settle_sizes_in_a_list(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool chooses = reading.intent == Intent::hardware || reading.intent == Intent::budget;
    const bool listed = std::ranges::all_of(sentence.other_models, [&](const auto& other) {
        return parameters_in(other.first) && other.second > 0 &&
               is_any(sentence.word(other.second - 1), "and & plus or") &&
               other.second - sentence.model_at <= 3;
    });
    if (!chooses || !listed || sentence.other_models.empty() || !reading.beside.empty() ||
        !reading.alternatives.empty() || !parameters_in(reading.model)) {
        return;
    }
    for (const auto& [id, at] : sentence.other_models) {
        std::erase(reading.not_understood, id);
        if (*parameters_in(id) > *parameters_in(reading.model)) {
            reading.model = id;
        }
    }
    sentence.assume("model", reading.model, "the largest of those that were named decides");
}

/// "is fp8 faster than bf16 on h100": settings are compared at a usual work where none is named.
void settle_model_of_settings(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool settings = reading.alternatives.size() > 1 &&
                          !is_any(reading.alternatives_of, "model models price_kind network link");
    const bool one_kind = std::ranges::all_of(sentence.mentions, [&](const Mention& each) {
        return each.name == sentence.mentions.front().name;
    });
    if (reading.intent == Intent::compare && settings && one_kind && reading.model.empty() &&
        reading.family_models.empty() && !reading.kernel && reading.profile.empty()) {
        reading.model = "8b";
        assume_first(reading, "model", "8b",
                     "none was named: what one does better than the other is that of this size");
    }
}

/// "gpu for 7b or 13b": hardware must hold the larger; the others are told.
void settle_larger_model(Sentence& sentence) {
    Reading& reading = sentence.reading;
    settle_sizes_in_a_list(sentence);
    if ((reading.alternatives_of != "model" && reading.alternatives_of != "models") ||
        reading.intent == Intent::compare) {
        return;
    }
    if (reading.alternatives_of == "models") {
        for (const auto& [id, at] : sentence.other_models) {
            add_once(reading.not_understood, id);
        }
        reading.alternatives.clear();
        reading.alternatives_of.clear();
        return;
    }
    const auto& unknown = reading.unknown_names;
    const bool known = std::ranges::none_of(reading.alternatives, [&](const std::string& each) {
        return std::ranges::find(unknown, each) != unknown.end();
    });
    if (reading.intent == Intent::memory && sentence.mentions.empty() && !reading.memory_gib &&
        reading.alternatives.size() > 1 && known) {
        return;  // each has its figure
    }
    const bool sizes =
        std::all_of(reading.alternatives.begin(), reading.alternatives.end(),
                    [](const std::string& each) { return parameters_in(each).has_value(); });
    if (sizes) {
        reading.model = *std::max_element(reading.alternatives.begin(), reading.alternatives.end(),
                                          [](const std::string& a, const std::string& b) {
                                              return *parameters_in(a) < *parameters_in(b);
                                          });
        sentence.assume("model", reading.model, "the largest of those that were named decides");
    } else {
        for (const std::string& each : reading.alternatives) {
            if (each != reading.model) {
                add_once(reading.not_understood, each);
            }
        }
    }
}

/// The first of what is compared is the reading's own; others stand beside it.
void settle_alternatives(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto computes = [](const std::string& type) {
        return is_any(type, "none fp8 mxfp8 fp4 nvfp4");
    };
    // "fp8 vs bf16 for training": types of products, not of stored weights.
    if (reading.alternatives_of == "quantization" && reading.task == Task::train &&
        std::all_of(reading.alternatives.begin(), reading.alternatives.end(), computes)) {
        const std::string wide = reading.compute.empty() ? "bf16" : reading.compute;
        std::replace(reading.alternatives.begin(), reading.alternatives.end(), std::string("none"),
                     wide);
        reading.alternatives_of = "compute";
        reading.compute = reading.alternatives.front();
        reading.quantization.clear();
        if (reading.method.empty()) {
            reading.method = "full";
            sentence.assume("method", "full", "types of products are compared in whole training");
        }
    }
    if (reading.alternatives_of == "framework") {
        reading.framework = reading.alternatives.front();
    } else if (reading.alternatives_of == "method") {
        take_method(reading, reading.alternatives.front());
        reading.method = reading.task == Task::inference ? "" : reading.method;
    } else if (reading.alternatives_of == "quantization") {
        reading.quantization = reading.alternatives.front();
    } else if (reading.alternatives_of == "tensor") {
        const bool mixed = std::any_of(
            reading.alternatives.begin(), reading.alternatives.end(), [](const std::string& way) {
                return way.find("pp") != std::string::npos || way == "tp0";
            });
        reading.tensor = mixed ? std::nullopt
                               : std::optional(static_cast<int>(
                                     *number_with_suffix(reading.alternatives.front().substr(2))));
        reading.pipeline = mixed ? std::nullopt : reading.pipeline;
    }
}

/// "4 bit or 8 bit": bits become the types that the stack of the first stores them in.
void settle_alternative_types(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.alternatives_of != "quantization" || reading.task == Task::train) {
        return;
    }
    const bool bits = std::any_of(reading.alternatives.begin(), reading.alternatives.end(),
                                  [](const std::string& each) { return each == "4bit"; });
    const bool files = reading.quantization.starts_with("q") || reading.framework == "llama.cpp";
    for (std::string& each : reading.alternatives) {
        if (bits && each == "4bit") {
            each = files ? "q4_k_m" : "awq-int4";
        } else if (bits && each == "int8" && files) {
            each = "q8_0";
        }
    }
}

/// "what is nvlink", "what does tensor parallel mean", "explain lora".
bool asks_for_a_meaning(const Sentence& sentence) {
    const std::string_view first = sentence.word(0);
    const std::string_view second = sentence.word(1);
    const bool what =
        is_any(first, "whats what's") || (first == "what" && is_any(second, "is are does"));
    return is_any(first, "define explain meaning") || sentence.any_word("mean means meaning") ||
           (what && sentence.tokens.size() <= 6);
}

void check_anchor(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool computer =
        sentence.any_word("laptop laptops notebook notebooks pc computer workstation rig") &&
        sentence.any_word("best good right decent cheapest which what");
    const bool gpu = sentence.has(Means::gpu) || computer || sentence.has(Means::vendor) ||
                     sentence.asks("hardware") || sentence.asks("weak_hardware") ||
                     sentence.asks("which_have") || !reading.replaced.empty();
    const bool work = reading.task.has_value() || !reading.method.empty() ||
                      sentence.has(Means::train) || sentence.has(Means::infer) ||
                      sentence.has(Means::tune);
    const bool money = reading.budget_usd || reading.usd_per_hour;
    const bool named = !reading.model.empty() || !sentence.mentions.empty();
    // "12 gb gpu": the noun belongs to the amount.
    const bool of_memory = reading.memory_gib && reading.intent == Intent::describe &&
                           sentence.any_word("gpu gpus card cards");
    const bool sized = (reading.memory_gib || sentence.loose_count || reading.max_count) &&
                       (work || gpu || of_memory || sentence.has(Means::ask) || reading.objective);
    const bool kind = !reading.profile.empty() && (gpu || work);
    const std::size_t unknown = reading.not_understood.size();
    const bool asked_money =
        money &&
        (gpu || work || reading.home || reading.memory_gib || sentence.has(Means::model_word) ||
         !reading.providers.empty() || sentence.asks("rent") || sentence.asks("cloud") ||
         sentence.asks("what_can_do") || sentence.asks("budget") || sentence.asks("what_can") ||
         sentence.asks("largest_model") || (unknown == 0 && sentence.asks("buy"))) &&
        unknown <= 2;
    // "vram per dollar" ranks parts without any work.
    const bool worth = reading.attributes.size() == 2 && reading.attributes[0] == "value";
    const bool types = std::ranges::any_of(reading.require, [gpu](const std::string& each) {
        return is_property(each) || (gpu && is_selection(each));
    });
    const bool listed = types || ((reading.intent == Intent::describe || worth) && gpu &&
                                  !reading.attributes.empty());
    const bool runs_at_home =
        (computer || reading.home) && (sentence.has(Means::model_word) || sentence.any_word("ai"));
    const bool plain =
        gpu && (work || runs_at_home) && (unknown <= 2 || sentence.has(Means::model_word));
    if (reading.kernel || !reading.environment.empty() || named || sized || kind || asked_money ||
        plain || listed) {
        return;
    }
    std::vector<std::string> understood;
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::filler || mark.means == Means::owned ||
            mark.means == Means::negation || mark.means == Means::either ||
            (mark.means == Means::ask && is_any(mark.value, "weak_fit fit how_much superlative"))) {
            continue;
        }
        std::string words;
        for (std::size_t i = mark.at; i < mark.at + mark.length; ++i) {
            words += (words.empty() ? "" : " ") + std::string(sentence.word(i));
        }
        add_once(understood, words);
    }
    if (asks_for_a_meaning(sentence)) {
        sentence.fail(
            "what a word means is not told here; docs/glossary.md has some",
            "Ask what it does for hardware or a model: \"is nvlink worth it for 2x 3090 and "
            "llama 70b q4\", \"qlora llama 8b on a 4090\", \"h100 specs\".");
        return;
    }
    std::vector<std::string> left = reading.not_understood;
    constexpr std::size_t most = 8;
    const bool more = left.size() > most;
    left.resize(std::min(left.size(), most));
    sentence.fail(
        fmt::format(
            "no model, hardware or sum was found{}{}{}",
            understood.empty() ? "" : fmt::format(", only \"{}\"", fmt::join(understood, "\", \"")),
            left.empty() ? "" : fmt::format("; not understood: \"{}\"", fmt::join(left, "\", \"")),
            more ? " and more" : ""),
        "Example: ridgeline advise \"what GPU for a 70B fine-tune\".");
}

}  // namespace

namespace {

/// "what gpu to run llama 3.3 70b", "at 30 tok/s": nobody said that others are served, or by what.
bool is_one_person(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    constexpr double fastest_read = 100;  // tokens a second that one person asks for
    const bool load =
        reading.concurrency.value_or(1) > 1 || reading.requests_per_s || reading.ttft_s ||
        reading.answer_s || reading.tpot_s.value_or(1) < 1 / fastest_read ||
        reading.open_tokens_per_s.value_or(0) > fastest_read || reading.tokens || reading.samples ||
        reading.audio_s || reading.batch || sentence.asks("per_million");
    const bool served = sentence.any_word(
        "serve serving served deploy deploying deployment production prod api endpoint server "
        "servers users "
        "clients customers tenants team company startup cluster node nodes replicas colleagues "
        "coworkers "
        "office "
        "quality bf16 fp16");
    const bool files = reading.framework.empty() || reading.framework == "llama.cpp";
    const bool typed =
        !reading.quantization.empty() || !reading.compute.empty() || reading.weight_bits;
    const bool on_processor =
        std::all_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
            return !each.parts.empty() && each.parts.front()->kind == "cpu";
        });
    return reading.task != Task::train && reading.intent == Intent::hardware && !load && !served &&
           files && !typed && on_processor && reading.providers.empty() &&
           (!reading.count || !sentence.mentions.empty()) && !reading.memory_gib &&
           reading.alternatives.empty() &&
           std::all_of(reading.require.begin(), reading.require.end(),
                       [](const std::string& each) { return each.starts_with('!'); });
}

/// "bang for buck GPU for sdxl lora": one card, to have or to rent, of somebody who says neither.
bool is_one_card(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool rents = !reading.providers.empty() || !reading.price_kind.empty() || reading.buy ||
                       reading.usd_per_hour || reading.usd_per_month ||
                       sentence.any_word(
                           "rent rents rental renting cloud instance instances "
                           "hourly colab spot provider providers vm");
    const bool many = reading.count || reading.nodes || reading.concurrency ||
                      reading.requests_per_s || reading.deadline_s || reading.tokens ||
                      sentence.any_word(
                          "gpus cards cluster server servers team company startup "
                          "lab production datacenter");
    const auto model = reading.task ? std::nullopt : sentence.named_architecture();
    const bool pictures = model && model->kind == ModelKind::diffusion;  // they are generated
    return reading.intent == Intent::hardware && (reading.task || pictures) && !rents && !many &&
           !reading.owned && !reading.budget_usd && sentence.mentions.empty() &&
           sentence.any_word("card gpu videocard");
}

}  // namespace

/// "a 50-person ML team" that trains: a head count is no number of runs.
void settle_team(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool team = sentence.any_word(
        "team lab company department group org organisation organization startup institute");
    if (reading.task == Task::train && reading.concurrency && team && !happen_together(sentence) &&
        !sentence.any_word("each simultaneously everyone")) {
        sentence.assume(
            "jobs", "1",
            fmt::format("one run is judged: of {} people nobody said how many train at once",
                        *reading.concurrency));
        reading.concurrency.reset();
    }
}

namespace {

/// "$4000 a month, how large a model can we serve": the largest needs the most memory that the sum
/// rents.
void settle_size_for_rent(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool rents = reading.usd_per_hour || reading.usd_per_month;
    if (reading.intent == Intent::budget && rents && !reading.budget_usd && !reading.objective &&
        reading.model.empty() && sentence.asks("largest_model")) {
        reading.objective = Objective::memory;
        sentence.assume("objective", "memory", "the largest model takes the most memory");
    }
}

}  // namespace

namespace {

/// "reserved for 3 years or purchase": owning is weighed against that kind of rent.
void settle_rent_of_owner(Sentence& sentence) {
    Reading& reading = sentence.reading;
    std::vector<std::string> kinds;
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::price_kind && mark.value != "purchase") {
            add_once(kinds, mark.value);
        }
    }
    // What an API is paid is saved by what is owned, as a rent would be.
    if (reading.intent == Intent::own && reading.api_usd_per_month && !reading.usd_per_hour) {
        reading.usd_per_month = reading.api_usd_per_month;
        reading.usd_per_hour = *reading.api_usd_per_month / hours_of_a_month;
    }
    if (reading.intent == Intent::own && reading.price_kind.empty() && kinds.size() == 1) {
        reading.price_kind = kinds.front();
    }
}

}  // namespace

void settle(Sentence& sentence) {
    check_anchor(sentence);
    if (sentence.error) {
        return;
    }
    settle_processor(sentence);
    settle_memory(sentence);
    settle_alternatives(sentence);
    settle_larger_model(sentence);
    settle_model_of_settings(sentence);
    settle_team(sentence);
    settle_host(sentence);
    tell_alike(sentence);
    settle_method(sentence);
    settle_alternative_types(sentence);
    settle_parts(sentence);
    take_form_for_dataset(sentence);
    take_period_of_samples(sentence);
    settle_glued_degree(sentence);
    settle_length(sentence);
    leave_rest_of_run(sentence);
    settle_serving(sentence);
    tell_beside(sentence);
    settle_wishes(sentence);
    settle_size_for_rent(sentence);
    settle_rent_of_owner(sentence);
    settle_purchase(sentence);
    settle_racks(sentence);
    if (is_one_person(sentence)) {
        ask_for(sentence.reading, "one_person");
    }
    if (is_one_card(sentence)) {
        ask_for(sentence.reading, "one_card");
    }
    const Reading& read = sentence.reading;
    if (read.given_mfu && read.intent != Intent::duration && read.intent != Intent::throughput) {
        sentence.reading.not_understood.push_back(
            fmt::format("{:g} % of peak (MFU)", 100 * *read.given_mfu));
    }
    add_neighbour(sentence);
}

}  // namespace ridgeline::reading
