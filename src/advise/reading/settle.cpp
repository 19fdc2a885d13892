#include "advise/reading/names.h"
#include "advise/reading/purchases.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

// The last step: what was recognised becomes the fields of the reading.

namespace ridgeline::reading {
namespace {

/// Types of GGUF files by the bits of a stored weight, scales included (ggml-quants).
struct Stored {
    double bits;
    std::string_view type;
};
constexpr Stored stored_types[] = {
    {2.06, "iq2_xxs"}, {2.63, "q2_k"},   {3.06, "iq3_xxs"}, {3.44, "q3_k_s"}, {4.25, "iq4_xs"},
    {4.5, "q4_k_s"},   {4.83, "q4_k_m"}, {5.5, "q5_k_s"},   {6.56, "q6_k"},   {8.5, "q8_0"}};

std::string_view type_of_bits(double bits) {
    const Stored* best = stored_types;
    for (const Stored& each : stored_types) {
        best = std::abs(each.bits - bits) < std::abs(best->bits - bits) ? &each : best;
    }
    return best->type;
}

/// Weights of a fractional number of bits: files of ExLlama, else the nearest type of GGUF.
void settle_bits(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool exllama = reading.quantization == "exl2" || reading.framework.starts_with("exllama");
    if (reading.weight_bits && exllama && reading.quantization != "gguf") {
        reading.quantization = "exl2";
    } else if (reading.weight_bits &&
               (reading.quantization.empty() || reading.quantization == "gguf")) {
        reading.quantization = type_of_bits(*reading.weight_bits);
        sentence.assume("quantization", reading.quantization,
                        fmt::format("the type nearest to {:g} bits", *reading.weight_bits));
    }
    if (reading.quantization == "exl2") {
        if (!reading.weight_bits) {
            reading.weight_bits = 4.5;
            sentence.assume("weight_bits", "4.5", "no bits of a weight were said");
        }
        reading.stored_as = type_of_bits(*reading.weight_bits);
        sentence.assume("stored_as", reading.stored_as,
                        fmt::format("a file of ExLlama at {:g} bits is estimated as the type of "
                                    "nearly as many",
                                    *reading.weight_bits));
    }
}

/// "vllm serve owner/name --tensor-parallel-size 2": the command of an engine that loads weights as
/// they are published.
bool is_server_command(const Sentence& sentence) {
    if (!is_any(sentence.reading.framework, "vllm sglang trtllm tgi lmdeploy")) {
        return false;
    }
    const std::string& text = sentence.text;
    for (std::size_t at = text.find("--"); at != text.npos; at = text.find("--", at + 2)) {
        if (at + 2 < text.size() && is_letter(text[at + 2])) {
            return true;  // an option of a command
        }
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool serves = sentence.word(i) == "serve" && i > 0 && sentence.follows(i) &&
                            is_any(sentence.word(i - 1), "vllm lmdeploy trtllm");
        if (serves || is_any(sentence.word(i),
                             "launch_server api_server trtllm-serve text-generation-launcher")) {
            return true;
        }
    }
    return false;
}

/// What only adapters have: a rank, frozen weights in 4 bits, a stack that trains nothing else
/// unasked.
void settle_adapters(Sentence& sentence, const SoftwareProfile* stack) {
    Reading& reading = sentence.reading;
    const bool judged = !reading.algorithm.empty() && reading.method == reading.algorithm;
    if (judged && stack != nullptr && stack->usual_method == Method::lora) {
        reading.method = "lora";
        sentence.assume("method", "lora",
                        stack->shown_name() + " trains adapters where nothing else is said");
    }
    if (reading.rank && (reading.method.empty() || judged)) {
        reading.method = "lora";
        sentence.assume("method", "lora", "a rank is that of adapters");
    }
    if (reading.quantization == "int8" && reading.method == "lora") {
        reading.method = "qlora";
        sentence.assume("method", "qlora", "adapters on 8-bit weights");
    }
    if ((reading.quantization == "4bit" || reading.quantization == "nf4") &&
        (reading.method.empty() || reading.method == "lora")) {
        reading.method = "qlora";
        reading.quantization = reading.quantization == "4bit" ? "" : reading.quantization;
        sentence.assume("method", "qlora", "adapters on 4-bit weights");
    }
}

/// Whether a model is trained, not tuned, on named hardware that holds the states of all its
/// weights: 16 bytes a parameter (Rajbhandari et al. 2020, arXiv 1910.02054).
bool holds_whole_states(const Sentence& sentence) {
    constexpr double of_parameter = 16;
    const Reading& reading = sentence.reading;
    if (reading.task != Task::train || sentence.has(Means::tune) || sentence.mentions.empty() ||
        sentence.mentions.front().parts.empty()) {
        return false;
    }
    const auto architecture = sentence.named_architecture();
    const double parameters = architecture
                                  ? static_cast<double>(count_parameters(*architecture).total)
                                  : parameters_in(reading.model).value_or(0);
    const Mention& on = sentence.mentions.front();
    const int count = on.count.value_or(sentence.loose_count.value_or(1));
    return parameters > 0 &&
           parameters * of_parameter < count * on.parts.front()->capacity().base();
}

/// What is said of runs that train all weights alone.
void settle_whole(Sentence& sentence, const SoftwareProfile* stack) {
    Reading& reading = sentence.reading;
    const auto whole = [&](std::string why) {
        reading.method = "full";
        sentence.assume("method", "full", std::move(why));
    };
    if (reading.method.empty() && sentence.asks("mfu") && !sentence.has(Means::tune)) {
        whole("the share of the peak (MFU) is that of whole training");
    }
    if (reading.method.empty() && reading.intent == Intent::throughput && !reading.counts_samples &&
        holds_whole_states(sentence)) {
        whole("the rate of training, and nothing is tuned");
    }
    if (reading.method.empty() && reading.model.ends_with("-pretraining")) {
        reading.method = "full";
    }
    if (reading.method.empty() && reading.intent == Intent::memory &&
        sentence.asks("part_optimizer part_gradients without_parts")) {
        whole("their size is that of all weights");
    }
    if (reading.method.empty() &&
        (reading.optimizer == "adamw-fp32" ||
         (reading.optimizer == "adamw" && sentence.asks("mixed_precision")))) {
        whole("states in fp32 are told of runs that train all weights");
    }
    const bool staged = reading.pipeline.value_or(1) > 1 ||
                        (sentence.any_word("selective") && !sentence.has(Means::tune)) ||
                        (reading.alternatives_of == "sharding" && !sentence.has(Means::tune));
    if (reading.method.empty() && staged) {
        whole("plans of stages and of sharded states are those of whole training");
    }
    // "finetune llama 3.2 1b full": the word stands for itself.
    if (reading.method.empty() &&
        sentence.any_word("full fully voll volle volles vollen vollstandig vollstandige "
                          "vollstandiges komplett komplette komplettes completo completa "
                          "complet completement полный полное полностью 全量 全参 全参数 全量微调 "
                          "全参微调 全参数微调 全量训练")) {
        reading.method = "full";
    }
    // "600000 iterations, batch 480, sequence 1024" is as long as its tokens.
    const double of_steps = reading.steps && reading.batch
                                ? *reading.steps * *reading.batch * reading.sequence.value_or(1024)
                                : 0;
    const bool long_run =
        std::max(of_steps, reading.tokens.value_or(0)) >= least_tokens_from_scratch &&
        !sentence.has(Means::tune);
    if (reading.method.empty() && long_run && !reading.counts_samples) {
        whole("a run of a billion tokens or more trains all weights");
    }
    constexpr double least_pictures_from_scratch =
        1e6;  // adapters see hundreds to some ten thousand
    if (reading.method.empty() && reading.samples.value_or(0) >= least_pictures_from_scratch &&
        !sentence.has(Means::tune) &&
        sentence.any_word("image images picture pictures photo photos img imgs clips videos")) {
        whole("a set of a million pictures or more trains all weights");
    }
    if (reading.method.empty() && stack != nullptr && stack->usual_method == Method::full) {
        whole(reading.framework + " is a stack of pretraining");
    }
}

/// Shards of ZeRO are DeepSpeed's, which keeps an fp32 copy of what trains and both moments in fp32
/// whatever trainer stands above it.
void settle_shards(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto of_zero = [](const std::string& value) { return value.starts_with("zero"); };
    const bool compared = reading.alternatives_of == "sharding";
    const bool zero = compared
                          ? std::ranges::all_of(reading.alternatives, of_zero)
                          : of_zero(reading.sharding) && reading.alternatives_of != "framework";
    if (zero && reading.framework.empty() && reading.task == Task::train &&
        reading.method == "full") {
        reading.framework = "deepspeed";
        sentence.assume(
            "framework", "deepspeed",
            "shards of ZeRO are its own: an fp32 copy of the weights and fp32 moments are kept");
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

void settle_method(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.task == Task::train) {
        const SoftwareProfile* stack =
            sentence.vocabulary.profiles.software_profile(reading.framework);
        settle_adapters(sentence, stack);
        if (reading.quantization == "fp8") {
            reading.quantization.clear();
            reading.compute = "fp8";
        }
        settle_whole(sentence, stack);
        settle_shards(sentence);
    }
    if (reading.quantization == "4bit" && reading.task != Task::train) {
        const bool gguf = reading.framework == "llama.cpp";
        const bool home = std::any_of(
            sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& mention) {
                return mention.name.starts_with("apple") || mention.name.starts_with("rtx") ||
                       mention.name.starts_with("gtx") || mention.name.starts_with("rx-");
            });
        constexpr double most_at_home_gb = 32;
        const bool small = sentence.mentions.empty() && reading.memory_gib &&
                           *reading.memory_gib <= most_at_home_gb;
        const bool files = gguf || is_any(reading.framework, "llama.cpp mlx");
        reading.quantization = files || ((home || small) && reading.framework.empty()) ? "q4_k_m"
                               : reading.framework.starts_with("exllama")              ? "exl2"
                                                                                       : "awq-int4";
        sentence.assume("quantization", reading.quantization,
                        "the usual 4-bit weights of such a stack");
    }
    const bool processors =
        !sentence.mentions.empty() &&
        std::all_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
            return !each.parts.empty() && each.parts.front()->kind == "cpu";
        });
    const auto model = processors && reading.task == Task::inference ? sentence.named_architecture()
                                                                     : std::nullopt;
    const bool text = model && model->kind == ModelKind::decoder && !model->stacks.empty();
    if (text && reading.quantization.empty() && reading.compute.empty() &&
        reading.framework.empty() && !model->packs_experts_in("none")) {
        reading.quantization = "q4_k_m";
        sentence.assume(
            "quantization", "q4_k_m",
            "a processor waits for its memory: files of 4 bits are what people run there");
    }
    settle_bits(sentence);
    reading.as_published = reading.task == Task::inference && reading.quantization.empty() &&
                           reading.compute.empty() && is_server_command(sentence);
    if (reading.quantization == "gguf") {
        reading.quantization = "q4_k_m";
        sentence.assume("quantization", "q4_k_m", "the usual type of a GGUF file");
    }
}

void settle_length(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (std::size_t i = 1; i < sentence.tokens.size() && !reading.epochs; ++i) {
        if (sentence.word(i) == "epoch" && is_any(sentence.word(i - 1), "per an each")) {
            reading.epochs = 1;
        }
    }
    // "alpaca (52k samples)" is read; a run of epochs over known sets is not guessed.
    if (reading.samples && !reading.epochs && !reading.steps && reading.task == Task::train) {
        const auto run = usual_run(reading.model);
        // A run that is told in pictures has as many passes of another set as show so many.
        const double shown = run && run->epochs == 1
                                 ? std::max(1.0, std::round(run->samples / *reading.samples))
                                 : 0;
        const double usual = usual_epochs(reading.dataset) > 0 ? usual_epochs(reading.dataset)
                             : shown > 0                       ? shown
                             : run                             ? run->epochs
                                                               : 0;
        if (usual > 0) {
            reading.epochs = usual;
            sentence.assume("epochs", fmt::format("{:g}", usual),
                            usual_epochs(reading.dataset) > 0 || !run
                                ? "the usual schedule of " + reading.dataset
                                : "as many as the usual run of it: " + std::string(run->words));
        } else if (reading.intent == Intent::duration) {
            reading.epochs = 1;
            sentence.assume("epochs", "1", "no number of epochs was said");
        }
    }
}

/// The context of training data is its length; of a prompt that a rate is asked for, its input.
void settle_serving(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.task == Task::inference && reading.samples && !reading.tokens &&
        !reading.counts_samples && reading.intent == Intent::duration) {
        const int each = reading.input_tokens.value_or(reading.sequence.value_or(1024));
        reading.input_tokens = each;
        reading.sequence.reset();
        reading.tokens = *reading.samples * each;
        sentence.assume("tokens", format_count(*reading.tokens),
                        fmt::format("{} texts of {} tokens", format_count(*reading.samples), each));
    }
    if (sentence.answer_s && reading.task == Task::inference && !reading.ttft_s &&
        !reading.tpot_s) {
        constexpr double share_of_first = 0.1;
        const int tokens =
            static_cast<int>(reading.output_tokens.value_or(Serving{}.output_tokens));
        reading.ttft_s = share_of_first * *sentence.answer_s;
        reading.tpot_s = (1 - share_of_first) * *sentence.answer_s / tokens;
        sentence.assume(
            "tpot_s", fmt::format("{:.3g}", *reading.tpot_s),
            fmt::format(
                "{:g} s for a whole answer: a tenth for its first token, the rest for {} tokens",
                *sentence.answer_s, tokens));
    }
    const bool bulk = sentence.has(Means::bulk) && reading.task == Task::inference;
    if (bulk && !reading.concurrency && !reading.batch && !reading.requests_per_s) {
        reading.concurrency = usual_batch_of_requests;
        sentence.assume("concurrency", std::to_string(usual_batch_of_requests),
                        "a batch that nobody waits for is served many at once");
    }
    if (sentence.read_for_each > 0 && reading.task != Task::train) {
        const std::string each =
            fmt::format("{:g} texts are read for each query", sentence.read_for_each);
        if (reading.requests_per_s) {
            *reading.requests_per_s *= sentence.read_for_each;
            sentence.assume("requests_per_s", fmt::format("{:g}", *reading.requests_per_s), each);
        } else {
            reading.concurrency = static_cast<int>(sentence.read_for_each);
            sentence.assume("concurrency", std::to_string(*reading.concurrency),
                            each + ", all at once");
        }
    }
    if (reading.task == Task::inference && reading.batch && !reading.concurrency) {
        reading.concurrency = reading.batch;
        sentence.assume("concurrency", std::to_string(*reading.batch),
                        "a batch of requests is served at once");
    }
}

/// "gpu for 7b or 13b": hardware must hold the larger; the others are told.
void settle_larger_model(Sentence& sentence) {
    Reading& reading = sentence.reading;
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
        reading.method = reading.task == Task::inference ? "" : reading.alternatives.front();
    } else if (reading.alternatives_of == "quantization") {
        reading.quantization = reading.alternatives.front();
    } else if (reading.alternatives_of == "tensor") {
        const bool mixed = std::any_of(
            reading.alternatives.begin(), reading.alternatives.end(),
            [](const std::string& way) { return way.starts_with("pp") || way == "tp0"; });
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

void check_anchor(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool gpu = sentence.has(Means::gpu) || sentence.has(Means::vendor) ||
                     sentence.asks("hardware") || sentence.asks("weak_hardware") ||
                     sentence.asks("which_have") || !reading.replaced.empty();
    const bool work = reading.task.has_value() || !reading.method.empty() ||
                      sentence.has(Means::train) || sentence.has(Means::infer) ||
                      sentence.has(Means::tune);
    const bool money = reading.budget_usd || reading.usd_per_hour;
    const bool named = !reading.model.empty() || !sentence.mentions.empty();
    const bool sized = (reading.memory_gib || sentence.loose_count || reading.max_count) &&
                       (work || gpu || sentence.has(Means::ask) || reading.objective);
    const bool kind = !reading.profile.empty() && (gpu || work);
    const std::size_t unknown = reading.not_understood.size();
    const bool asked_money =
        money &&
        (gpu || work || reading.home || reading.memory_gib || sentence.has(Means::model_word) ||
         !reading.providers.empty() || sentence.asks("rent") || sentence.asks("cloud") ||
         sentence.asks("what_can_do") || sentence.asks("budget") || sentence.asks("what_can") ||
         sentence.asks("largest_model")) &&
        unknown <= 2;
    // "vram per dollar" ranks parts without any work.
    const bool worth = reading.attributes.size() == 2 && reading.attributes[0] == "value";
    const bool listed =
        (reading.intent == Intent::describe || worth) && gpu && !reading.attributes.empty();
    const bool plain = gpu && work && (unknown <= 2 || sentence.has(Means::model_word));
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
    std::vector<std::string> left = reading.not_understood;
    constexpr std::size_t most = 8;
    const bool more = left.size() > most;
    left.resize(std::min(left.size(), most));
    sentence.fail(
        fmt::format(
            "no model, hardware or sum was found: understood {}, not understood {}{}",
            understood.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(understood, "\", \"")),
            left.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(left, "\", \"")),
            more ? " and more" : ""),
        "Example: ridgeline advise \"what GPU for a 70B fine-tune\".");
}

}  // namespace

namespace {

/// "what gpu to run llama 3.3 70b": nobody said that others are served, by what, or how fast.
bool is_one_person(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool load = reading.concurrency || reading.requests_per_s || reading.ttft_s ||
                      reading.tpot_s || reading.open_tokens_per_s || reading.tokens ||
                      reading.samples || reading.audio_s || reading.batch;
    const bool served = sentence.any_word(
        "serve serving served deploy deploying deployment production prod api endpoint server "
        "servers users "
        "clients customers tenants team company startup cluster node nodes replicas colleagues "
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
           reading.require.empty() && reading.alternatives.empty();
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
    return reading.intent == Intent::hardware && reading.task && !rents && !many &&
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

void settle(Sentence& sentence) {
    check_anchor(sentence);
    if (sentence.error) {
        return;
    }
    settle_processor(sentence);
    settle_memory(sentence);
    settle_alternatives(sentence);
    settle_larger_model(sentence);
    settle_team(sentence);
    settle_host(sentence);
    tell_alike(sentence);
    settle_method(sentence);
    settle_alternative_types(sentence);
    settle_parts(sentence);
    settle_length(sentence);
    settle_serving(sentence);
    tell_beside(sentence);
    settle_wishes(sentence);
    settle_purchase(sentence);
    if (is_one_person(sentence)) {
        ask_for(sentence.reading, "one_person");
    }
    if (is_one_card(sentence)) {
        ask_for(sentence.reading, "one_card");
    }
    add_neighbour(sentence);
}

}  // namespace ridgeline::reading
