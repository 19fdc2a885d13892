#include "advise/reading/settling/steps.h"
#include "advise/reading/words/negation.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// The method of a training run, the stack that it goes with and the types of stored weights.

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
        sentence.assume("method", "qlora", "adapters on 4-bit weights");
    }
    if (reading.quantization == "4bit" && reading.method == "qlora") {
        reading.quantization.clear();  // those that it has by itself
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
    // "how many gpu hours did llama 3 70b take to train": what its makers did is asked, of a
    // published model, with no hardware but that whose hours are counted and no run of one's own.
    const bool of_hours = std::ranges::all_of(sentence.mentions, [&](const Mention& each) {
        return !each.count && is_any(sentence.word(each.end), "hour hours hrs");
    });
    if (reading.method.empty() && !sentence.has(Means::tune) && of_hours && !reading.tokens &&
        !reading.samples && !reading.seen_time_s && !parameters_in(reading.model) &&
        sentence.any_word("train training trained") && sentence.any_word("did were was") &&
        sentence.any_word("use used take took cost spend spent need needed") &&
        !sentence.any_word("my our i we run")) {
        whole("its makers trained all of it");
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
    if (reading.method.empty() && !sentence.has(Means::tune) && !reading.counts_samples &&
        sentence.any_word("cluster clusters") && sentence.any_word("training train")) {
        whole("a cluster is for training all weights: adapters need a few cards");
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
    const double of_texts =
        reading.samples.value_or(0) * reading.sequence.value_or(0) * reading.epochs.value_or(1);
    const bool long_run =
        std::max({of_steps, of_texts, reading.tokens.value_or(0)}) >= least_tokens_from_scratch &&
        !sentence.has(Means::tune);
    if (reading.method.empty() && long_run && !reading.counts_samples) {
        whole("a run of a billion tokens or more trains all weights");
    }
    // TinyStories and the like: no adapter sees ten tokens of text for each weight.
    constexpr double least_tokens_of_weight = 10;
    const double weights = parameters_in(reading.model).value_or(0);
    if (reading.method.empty() && weights > 0 && !sentence.has(Means::tune) &&
        reading.tokens.value_or(0) >= least_tokens_of_weight * weights) {
        whole("a run of ten tokens a parameter or more trains all weights");
    }
    constexpr double least_pictures_from_scratch =
        1e6;  // adapters see hundreds to some ten thousand
    if (reading.method.empty() && reading.samples.value_or(0) >= least_pictures_from_scratch &&
        !sentence.has(Means::tune) &&
        sentence.any_word("image images picture pictures photo photos img imgs clips videos")) {
        whole("a set of a million pictures or more trains all weights");
    }
    if (reading.method.empty() && reading.offload && reading.model_known &&
        (reading.framework == "deepspeed" || reading.sharding.starts_with("zero"))) {
        whole("states of the optimizer that lie on the host are those of all weights");
    }
    // NeMo's recipes of tuning are of adapters (llm/recipes, finetune_recipe: peft_scheme "lora").
    const bool tunes_adapters = reading.framework == "nemo" && sentence.has(Means::tune);
    if (reading.method.empty() && stack != nullptr && stack->usual_method == Method::full &&
        !tunes_adapters) {
        whole(reading.framework + " is a stack of pretraining");
    }
}

/// DreamBooth of models larger than Stable Diffusion 2 is done with adapters: of SDXL diffusers has
/// no script for the whole (examples/dreambooth, train_dreambooth_lora_sdxl.py).
void settle_dreambooth(Sentence& sentence) {
    Reading& reading = sentence.reading;
    constexpr double largest_tuned_whole = 1e9;
    if (reading.method != "full" || !sentence.any_word("dreambooth") ||
        sentence.any_word("full fully whole finetune finetuning")) {
        return;
    }
    const auto model = sentence.named_architecture();
    if (model && model->kind == ModelKind::diffusion && has_program(*model) &&
        program_parameters(*model) > largest_tuned_whole) {
        reading.method = "lora";
        sentence.assume("method", "lora", "DreamBooth of models of this size trains adapters");
    }
}

/// "adam" over tables of embeddings is the one that touches the rows of a step alone, and remembers
/// both moments of each.
void settle_rows(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool tables = reading.model.starts_with("dlrm") || reading.model.starts_with("twotower");
    if (tables && reading.optimizer == "adamw" && !sentence.any_word("adamw")) {
        reading.optimizer = "adam";
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
    // Megatron, on which a run of all weights is otherwise counted, shards in another way.
    const auto model = sentence.named_architecture();
    const bool texts = !model || (model->kind == ModelKind::decoder && !model->stacks.empty());
    if (reading.sharding == "fsdp" && !compared && reading.alternatives_of != "framework" &&
        reading.framework.empty() && reading.task == Task::train && reading.method == "full" &&
        texts) {
        const bool tunes = sentence.has(Means::tune) ||
                           sentence.any_word("finetune finetuning finetuned tune tuning");
        reading.framework = tunes ? "hf-trainer" : "torchtitan";
        sentence.assume("framework", reading.framework,
                        tunes ? "PyTorch's FSDP under the trainer that most tune with"
                              : "PyTorch's FSDP under its own trainer");
    }
}

}  // namespace

namespace {

/// "anything but vllm": the other server of weights as they are published.
void leave_usual_stack(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool out = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::framework && mark.value == "vllm" &&
               is_ruled_out(sentence, mark.at);
    });
    const bool dispensed =
        sentence.any_word("need needed");  // "no need for vllm" rules nothing out
    if (out && !dispensed && reading.framework.empty() && reading.task == Task::inference) {
        reading.framework = "sglang";
        sentence.assume("framework", "sglang", "vLLM, the usual server, is ruled out");
    }
}

/// "sft then dpo": of two stages the later is estimated, the first is told.
void tell_first_stage(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const std::string& later = reading.algorithm.empty() ? reading.method : reading.algorithm;
    if (reading.task != Task::train || !algorithm_named(later)) {
        return;
    }
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        const bool behind = is_any(sentence.word(i + 1), "then and followed plus & +") ||
                            (sentence.word(i + 1) == "before");
        if (is_any(sentence.word(i), "sft finetune finetuning pretraining") && behind) {
            assume_first(sentence.reading, "stages", later,
                         fmt::format("{} alone is estimated: the {} before it takes time of its "
                                     "own; ask for it by itself",
                                     later, sentence.word(i)));
            return;
        }
    }
}

/// "grpo with vllm", "finetune and serve with vllm": an engine that trains nothing is no trainer;
/// of a run by rewards it generates the answers.
void leave_engine(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const SoftwareProfile* stack = sentence.vocabulary.profiles.software_profile(reading.framework);
    if (reading.task != Task::train || stack == nullptr || !stack->serves || stack->trains) {
        return;
    }
    const auto algorithm =
        algorithm_named(reading.algorithm.empty() ? reading.method : reading.algorithm);
    const bool rewards = algorithm && PreferenceTuning{.algorithm = *algorithm}.generates();
    take_maker_of_stack(sentence, reading.framework);  // "lora with mlx" is on a Mac
    sentence.assume("framework", "the usual trainer",
                    stack->shown_name() + (rewards ? " trains nothing: it generates the answers"
                                                   : " is known here as it serves alone"));
    reading.framework.clear();
}

/// "deepseek-r1:14b", "llama3.1:8b": a tag of ollama, which holds the usual file of 4 bits where it
/// names no type; of what is published packed it holds that.
void settle_tag(Sentence& sentence) {
    Reading& reading = sentence.reading;
    constexpr int most_of_ollama = 8;  // who serves more takes another engine
    if (reading.task == Task::train || !reading.quantization.empty() || reading.model.empty() ||
        reading.concurrency.value_or(1) > most_of_ollama || !reading.compute.empty() ||
        reading.weight_bits || !(reading.framework.empty() || reading.framework == "llama.cpp")) {
        return;
    }
    bool tag = false;
    for (std::size_t i = sentence.model_at + 1;
         i < sentence.model_end && i < sentence.tokens.size(); ++i) {
        const std::size_t begin = sentence.tokens[i].begin;
        tag = tag || (begin > 0 && begin <= sentence.text.size() &&
                      sentence.text[begin - 1] == ':' && has_digit(sentence.word(i)));
    }
    const auto model = tag ? sentence.named_architecture() : std::nullopt;
    if (model && model->kind == ModelKind::decoder && !model->packs_experts_in("none")) {
        reading.quantization = "q4_k_m";
        sentence.assume("quantization", "q4_k_m",
                        "a tag of ollama that names no type holds this one");
    }
}

}  // namespace

void settle_method(Sentence& sentence) {
    Reading& reading = sentence.reading;
    leave_usual_stack(sentence);
    leave_engine(sentence);
    tell_first_stage(sentence);
    if (reading.task == Task::train && reading.family_of_networks && reading.method.empty()) {
        reading.method = "full";
        sentence.assume("method", "full", "networks are trained whole as a rule");
    }
    if (reading.task == Task::train) {
        const SoftwareProfile* stack =
            sentence.vocabulary.profiles.software_profile(reading.framework);
        settle_adapters(sentence, stack);
        if (reading.quantization == "fp8") {
            reading.quantization.clear();
            reading.compute = "fp8";
        }
        settle_whole(sentence, stack);
        settle_dreambooth(sentence);
        settle_rows(sentence);
        settle_shards(sentence);
    }
    if (reading.quantization == "4bit" && reading.task != Task::train) {
        const bool gguf = reading.framework == "llama.cpp";
        const bool home = std::ranges::any_of(sentence.mentions, [](const Mention& mention) {
            return mention.name.starts_with("apple") || mention.name.starts_with("rtx") ||
                   mention.name.starts_with("gtx") || mention.name.starts_with("rx-");
        });
        constexpr double most_at_home_gb = 32;
        const bool small = sentence.mentions.empty() && reading.memory_gib &&
                           *reading.memory_gib <= most_at_home_gb;
        const bool files = gguf || is_any(reading.framework, "llama.cpp mlx");
        // A few people are served from files, which leave a card's whole memory to one copy.
        constexpr double few = 4;
        const bool sought = reading.intent == Intent::hardware ||
                            (reading.intent == Intent::budget &&
                             reading.budget_usd.value_or(0) <= most_at_home_usd);
        const bool alone = sought && sentence.mentions.empty() && !reading.requests_per_s &&
                           reading.concurrency.value_or(1) <= few && !reading.memory_gib &&
                           !sentence.any_word(
                               "api endpoint production company customers server "
                               "backend service");
        reading.quantization = files || ((home || small || alone) && reading.framework.empty())
                                   ? "q4_k_m"
                               : reading.framework.starts_with("exllama") ? "exl2"
                                                                          : "awq-int4";
        sentence.assume("quantization", reading.quantization,
                        alone && !files && reading.framework.empty()
                            ? "the usual 4-bit file of one person or a few"
                            : "the usual 4-bit weights of such a stack");
    }
    const bool processors = !sentence.mentions.empty() &&
                            std::ranges::all_of(sentence.mentions, [](const Mention& each) {
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
    settle_tag(sentence);
    settle_bits(sentence);
    reading.as_published = reading.task == Task::inference && reading.quantization.empty() &&
                           reading.compute.empty() && is_server_command(sentence);
    if (reading.quantization == "gguf") {
        reading.quantization = "q4_k_m";
        sentence.assume("quantization", "q4_k_m", "the usual type of a GGUF file");
    }
}

}  // namespace ridgeline::reading
