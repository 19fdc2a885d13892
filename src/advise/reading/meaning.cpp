#include "advise/reading/names.h"
#include "advise/reading/units.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// From marks to fields: vendors, providers and features with their negations, aims, ownership, task
// and method.

namespace ridgeline::reading {
namespace {

void add_once(std::vector<std::string>& list, std::string_view value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) {
        list.emplace_back(value);
    }
}

bool is_bridge(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i),
                  {"on", "from", "any", "a",     "an",  "the",    "using", "use",    "with",
                   "of", "to",   "or",  "and",   "nor", "for",    "need",  "either", "have",
                   "in", "gpus", "gpu", "cards", "has", "google", "want"});
}

/// Does a negation reach the word at token `at`?
bool is_negated(const Sentence& sentence, std::size_t at) {
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::negation || mark.value == "instead" || mark.at >= at ||
            at - mark.at > 7) {
            continue;
        }
        bool reaches = true;
        for (std::size_t i = mark.at + mark.length; i < at; ++i) {
            const bool listed =
                std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& each) {
                    return (each.means == Means::vendor || each.means == Means::provider ||
                            each.means == Means::feature) &&
                           i >= each.at && i < each.at + each.length;
                });
            reaches = reaches && (listed || is_bridge(sentence, i));
        }
        if (reaches) {
            return true;
        }
    }
    return false;
}

/// "no lora", "without any vllm": a negation right before token `at`, in the same clause. Lists of makers
/// and providers do not carry it: "no amd, qlora" wants QLoRA.
bool is_ruled_out(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 0 && sentence.follows(i); --i) {
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::negation && mark.value != "instead" && mark.at + mark.length == i) {
                return true;
            }
        }
        if (!is_any(sentence.word(i - 1), {"any", "the", "a", "use", "using", "need", "want", "with"})) {
            return false;
        }
    }
    return false;
}

/// "8 a100 on aws vs 8 a100 on gcp": each side with the provider that is said behind it.
void part_providers(Sentence& sentence) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < sentence.mentions.size(); ++k) {
        const std::size_t next = k + 1 < sentence.mentions.size() ? sentence.mentions[k + 1].at
                                                                  : sentence.tokens.size();
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::provider && mark.at >= sentence.mentions[k].end &&
                mark.at < next && mark.at - sentence.mentions[k].end <= 3 && found.size() == k) {
                found.emplace_back(mark.value);
            }
        }
    }
    const bool compared = sentence.has(Means::versus) || sentence.has(Means::either);
    if (found.size() < 2 || found.size() != sentence.mentions.size() || !compared) {
        return;
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
        sentence.mentions[k].provider = found[k];
    }
}

/// Whether all hardware that is named is no TPU.
bool made_by_others(const Sentence& sentence) {
    return !sentence.mentions.empty() &&
           std::none_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
               return each.parts.empty() || each.parts.front()->vendor == "Google";
           });
}

/// "amd only", "nvidia or amd, both fine": vendors that are wanted. A vendor beside a part is said
/// with it.
void apply_names(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (const Mark& mark : sentence.marks) {
        const bool negated = is_negated(sentence, mark.at);
        // "not google, not aws" are clouds.
        if (mark.value == "google" && negated && sentence.has(Means::provider)) {
            add_once(reading.providers_excluded, "gcp");
        }
        // "an l4 at aws and at google": who does not make the part rents it out.
        if (mark.means == Means::vendor && mark.value == "google" && !negated && made_by_others(sentence)) {
            add_once(reading.providers, "gcp");
            continue;
        }
        // "amd ok?", "amd allowed": one may be, none must be.
        const std::size_t behind = mark.at + mark.length;
        const bool allowed = mark.means == Means::vendor && sentence.follows(behind) &&
                             is_any(sentence.word(behind), {"ok", "okay", "allowed", "fine", "welcome", "possible", "works", "acceptable"});
        if (allowed) {
            continue;
        }
        if (mark.means == Means::vendor) {
            add_once(negated ? reading.vendors_excluded : reading.vendors, mark.value);
        } else if (mark.means == Means::provider) {
            add_once(negated ? reading.providers_excluded : reading.providers, mark.value);
            if (sentence.names.providers.count(std::string(mark.value)) == 0) {
                add_once(reading.unknown_names, mark.value);
            }
        } else if (mark.means == Means::feature && !negated) {
            add_once(reading.require, mark.value);
        }
    }
    for (const Mention& mention : sentence.mentions) {
        // "azure nd h100 v5" is rented there.
        if (!mention.provider.empty() && mention.per_machine && reading.providers.empty() &&
            sentence.mentions.size() == 1 &&
            std::find(reading.providers_excluded.begin(),
                      reading.providers_excluded.end(),
                      mention.provider) == reading.providers_excluded.end()) {
            reading.providers.push_back(mention.provider);
        }
    }
    std::erase_if(reading.vendors, [&](const std::string& vendor) {
        return std::find(reading.vendors_excluded.begin(),
                         reading.vendors_excluded.end(),
                         vendor) != reading.vendors_excluded.end();
    });
}

void apply_settings(Sentence& sentence) {
    Reading& reading = sentence.reading;
    bool both_kinds = false;
    for (const Mark& mark : sentence.marks) {
        switch (mark.means) {
            case Means::price_kind:
                if (is_negated(sentence, mark.at)) {
                    break;  // "no spot"
                }
                // "on demand vs spot": both are shown.
                both_kinds = both_kinds || (!reading.price_kind.empty() && reading.price_kind != mark.value &&
                                            sentence.has(Means::versus));
                reading.price_kind = mark.value;
                reading.buy = reading.buy || mark.value == "purchase";
                break;
            case Means::objective:
                if (!reading.objective && !is_negated(sentence, mark.at)) {
                    reading.objective = mark.value == "cost"     ? Objective::cost
                                        : mark.value == "time"   ? Objective::time
                                        : mark.value == "energy" ? Objective::energy
                                                                 : Objective::price;
                }
                break;
            case Means::profile:
                if (reading.profile.empty()) {
                    reading.profile = mark.value;
                }
                break;
            case Means::framework:
                if (reading.framework.empty() && !is_ruled_out(sentence, mark.at)) {
                    reading.framework = mark.value;
                }
                break;
            case Means::quantization:
                if (sentence.beside_cache(mark.at, mark.length)) {
                    reading.kv_cache = mark.value;
                } else if (reading.quantization.empty() && !is_ruled_out(sentence, mark.at)) {
                    reading.quantization = mark.value;
                }
                break;
            case Means::optimizer:
                reading.optimizer = mark.value;
                break;
            case Means::compute:
                if (sentence.beside_cache(mark.at, mark.length)) {
                    reading.kv_cache = mark.value;
                } else if (reading.compute.empty()) {
                    reading.compute = mark.value;
                }
                break;
            case Means::attribute:
                add_once(reading.attributes, mark.value);
                break;
            case Means::home:
                reading.home = true;
                break;
            case Means::offload:
                reading.offload = true;
                break;
            case Means::ask: {
                // "no cloud", "on-prem": what is asked for is bought.
                const bool at_hand =
                    sentence.mentions.empty() &&
                    (mark.value == "on_prem" ||
                     (is_any(mark.value, {"cloud", "rent"}) && is_negated(sentence, mark.at)));
                reading.buy = reading.buy || at_hand || (mark.value == "buy" && !sentence.asks("rent"));
                break;
            }
            default:
                break;
        }
    }
    if (both_kinds) {
        reading.price_kind.clear();
    }
    // "4bit awq" and "q4_k_m gguf" name one type.
    if (reading.quantization == "4bit") {
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::quantization && mark.value != "4bit" && mark.value != "none" &&
                mark.value != "int8") {
                reading.quantization = mark.value;
            }
        }
    }
}

/// Owned is hardware that "my", "i have" and the like stand before.
void apply_ownership(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto blocks = [&](std::size_t from, std::size_t to) {
        return std::any_of(sentence.marks.begin(),
                           sentence.marks.end(),
                           [&](const Mark& mark) {
                               return mark.at >= from && mark.at < to &&
                                      (mark.means == Means::model_word ||
                                       mark.means == Means::train || mark.means == Means::tune ||
                                       (mark.means == Means::infer && mark.value.empty()));
                           }) ||
               std::any_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(from),
                           sentence.tokens.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const Token& token) {
                               return is_any(token.text,
                                             {"$",
                                              "to",
                                              "dollars",
                                              "budget",
                                              "usd",
                                              "eur",
                                              "k",
                                              "about",
                                              "been",
                                              "no"});
                           });
    };
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::owned) {
            continue;
        }
        const bool person =
            mark.at > 0 && is_any(sentence.word(mark.at - 1), {"i", "we", "already", "who", "now"});
        if (mark.value == "weak" && !person) {
            continue;
        }
        const std::size_t end = mark.at + mark.length;
        const auto reaches = [&](std::size_t at) {
            return at >= end && at - end <= 5 && !blocks(end, at);
        };
        for (const Mention& mention : sentence.mentions) {
            reading.owned = reading.owned || reaches(mention.at) ||
                            (mark.at >= mention.end && mark.at - mention.end <= 12 &&
                             is_any(sentence.word(mark.at), {"bought"}));
        }
        for (std::size_t i = end; i < std::min(sentence.tokens.size(), end + 5); ++i) {
            const bool memory = reading.memory_gib && (memory_piece(sentence.word(i)) > 0 ||
                                                       is_any(sentence.word(i), {"gb", "vram"}));
            const bool gpu = is_any(sentence.word(i),
                                    {"gpu",
                                     "gpus",
                                     "card",
                                     "cards",
                                     "cluster",
                                     "rig",
                                     "workstation",
                                     "laptop",
                                     "mac",
                                     "macbook"});
            reading.owned = reading.owned || ((memory || gpu) && reaches(i));
        }
    }
    if (reading.owned && sentence.mentions.size() == 1 && !sentence.mentions.front().count &&
        !sentence.loose_count) {
        Mention& mention = sentence.mentions.front();
        const std::string_view last = sentence.word(mention.end - 1);
        const std::string_view first = sentence.word(mention.at);
        const bool plural =
            (first.ends_with('s') && first.size() > 4 && is_digit(first[first.size() - 2])) ||
            (last.ends_with('s') && last.size() > 4 && is_digit(last[last.size() - 2]));
        if (!plural) {
            mention.count = 1;
        }
    }
}

/// "what should i upgrade my 3070 to", "upgrade from a 3070": the one part that is named is what goes,
/// unless it stands behind "to".
void apply_replacement(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool goes = sentence.any_word({"upgrade", "upgrading", "upgrades", "replace", "replacing",
                                         "replacement", "successor", "outgrown", "outgrew"});
    if (!goes || sentence.mentions.size() != 1) {
        return;
    }
    const Mention& mention = sentence.mentions.front();
    const bool from = mention.at > 0 && [&] {
        for (std::size_t i = mention.at - std::min<std::size_t>(mention.at, 3); i < mention.at; ++i) {
            if (is_any(sentence.word(i), {"from", "replace", "replacing", "my", "our", "outgrown", "outgrew",
                                          "own", "have", "got", "currently", "using", "running"})) {
                return sentence.word(mention.at - 1) != "to";
            }
        }
        return false;
    }();
    if (!from) {
        return;
    }
    reading.replaced = mention.name;
    reading.owned = false;
    reading.home = reading.home || (!mention.parts.empty() && (mention.name.starts_with("rtx-") || mention.name.starts_with("gtx-") || mention.name.starts_with("rx-")));
    const double gb = mention.parts.empty() ? 0 : mention.parts.front()->marketed_gb;
    sentence.assume("replaced",
                    mention.name,
                    gb > 0 ? fmt::format("something with more than its {:g} GB and memory as fast is looked for", gb)
                           : "something better is looked for");
    if (gb > 0 && !reading.memory_gib) {
        reading.memory_gib = gb + 1;
        reading.memory_at_least = true;
    }
    reading.replaced_bytes_per_s =
        mention.parts.empty() ? 0 : mention.parts.front()->memory_bandwidth.base();
    std::erase(reading.unknown_names, mention.name);
    std::erase(reading.unknown_parts, mention.name);
    sentence.mentions.clear();
}

bool serves(std::string_view framework) {
    return is_any(framework,
                  {"vllm",
                   "sglang",
                   "trtllm",
                   "llama.cpp",
                   "exllama",
                   "exllamav2",
                   "gpt-fast",
                   "mlc-llm",
                   "tgi",
                   "lmdeploy"});
}
bool trains(std::string_view framework) {
    return is_any(framework,
                  {"hf-trainer",
                   "axolotl",
                   "unsloth",
                   "torchtune",
                   "trl",
                   "deepspeed",
                   "megatron",
                   "nemo",
                   "torchtitan",
                   "litgpt",
                   "llm-foundry",
                   "ms-swift",
                   "llama-factory",
                   "fsdp-qlora",
                   "llm.c",
                   "timm",
                   "verl"});
}
bool served_type(std::string_view quantization) {
    return quantization == "gguf" || quantization == "exl2" || quantization == "awq-int4" ||
           quantization == "gptq-int4" || quantization.starts_with("q") ||
           quantization.starts_with("iq");
}

/// How strongly the words speak for training and for serving.
struct Evidence {
    bool trains = false;
    bool trains_weakly = false;  ///< "a fine-tuned model", a batch, a sequence
    bool batches = false;        ///< the largest batch is asked for
    bool serves = false;
    bool serves_weakly = false;  ///< "run", a type of weights
    bool length = false;         ///< a context or the length of a sequence alone
};

/// "images at 30 steps": steps in which a picture is made, none of training.
bool denoises(const Sentence& sentence) {
    constexpr double most_steps = 150;
    return sentence.reading.steps.value_or(most_steps + 1) <= most_steps &&
           (sentence.asks("images") || sentence.any_word({"image", "images", "picture", "pictures", "pics", "clip", "video"})) &&
           !sentence.has(Means::train) && !sentence.has(Means::tune);
}

Evidence evidence_of(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    Evidence found;
    for (const Mark& mark : sentence.marks) {
        const bool past =
            is_any(sentence.word(mark.at + mark.length - 1), {"tuned", "finetuned", "trained"});
        if (mark.means == Means::train || mark.means == Means::tune) {
            (past ? found.trains_weakly : found.trains) = true;
        }
        if (mark.means == Means::infer) {
            (mark.value.empty() ? found.serves : found.serves_weakly) = true;
        }
        if (mark.means == Means::ask) {
            found.serves =
                found.serves ||
                is_any(mark.value, {"ttft", "tpot", "kv_cache", "largest_users", "per_million"});
            found.serves_weakly =
                found.serves_weakly ||
                is_any(mark.value, {"throughput", "latency", "largest_sequence", "images"});
            found.trains = found.trains || mark.value == "mfu" || mark.value == "largest_rank";
            found.batches = found.batches || mark.value == "largest_batch";
        }
    }
    // "bert-large-pretraining" took the word.
    found.trains = found.trains || reading.model.ends_with("-pretraining") || !reading.optimizer.empty();
    found.trains = found.trains || (found.batches && !found.serves) || trains(reading.framework) ||
                   reading.rank || reading.epochs || reading.samples || reading.tokens ||
                   reading.micro_batch || (reading.steps && !denoises(sentence));
    // Of what is offloaded only training has an optimizer.
    found.trains = found.trains || (reading.offload && sentence.any_word({"optimizer", "optimiser", "adam",
                                                                          "full", "infinity"}));
    found.serves = found.serves || serves(reading.framework) || reading.concurrency ||
                   reading.requests_per_s || reading.ttft_s || reading.tpot_s ||
                   served_type(reading.quantization) || reading.output_tokens ||
                   reading.input_tokens;
    // "10 million embeddings" are made, not learnt.
    found.serves = found.serves || reading.audio_s || sentence.any_word({"embeddings", "embed"});
    found.trains_weakly = found.trains_weakly || reading.batch;
    found.serves_weakly =
        found.serves_weakly || (!reading.quantization.empty() && reading.quantization != "nf4");
    found.length = reading.sequence.has_value();
    found.serves_weakly = found.serves_weakly || (reading.tensor && !reading.pipeline) || reading.host_memory_gib;
    found.serves = found.serves || reading.weight_bits || sentence.has(Means::processor);
    return found;
}

bool joined_tasks(const Sentence& sentence) {
    // "training and inference", "train/serve"
    for (const Mark& train : sentence.marks) {
        for (const Mark& infer : sentence.marks) {
            const bool kinds = (train.means == Means::train || train.means == Means::tune) &&
                               infer.means == Means::infer;
            const std::size_t low = std::min(train.at, infer.at);
            const std::size_t high = std::max(train.at, infer.at);
            if (kinds && high > low && high - low <= 3 &&
                (is_any(sentence.word(high - 1), {"and", "or", "&", "+", "plus"}) ||
                 sentence.tokens[high].gap == Gap::slash)) {
                return true;
            }
        }
    }
    return false;
}

bool names_algorithm(const Sentence& sentence) {
    return std::any_of(
        sentence.marks.begin(), sentence.marks.end(), [](const Mark& mark) {
            return mark.means == Means::train && algorithm_named(mark.value).has_value();
        });
}

void settle_task(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const Evidence evidence = evidence_of(sentence);
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::train || mark.value.empty()) {
            continue;
        }
        // How answers are judged, and what of the model trains: "lora dpo" says both.
        if (sentence.word(mark.at) == "reward" && names_algorithm(sentence)) {
            continue;  // the judge of PPO is no training of its own
        }
        if (is_ruled_out(sentence, mark.at)) {
            continue;  // "no lora"
        }
        const bool judged = algorithm_named(mark.value).has_value();
        if (judged && reading.algorithm.empty()) {
            reading.algorithm = mark.value;
        }
        const bool open = reading.method.empty() || (!judged && reading.method == reading.algorithm);
        const bool narrower = reading.method == "lora" && mark.value == "qlora";
        if (open || narrower || (reading.method == "full" && mark.value != "full" && !judged)) {
            reading.method = mark.value;
        }
    }
    // "dpo full": the word beside the algorithm tells what trains.
    if (!reading.algorithm.empty() && reading.method == reading.algorithm &&
        sentence.any_word({"full", "fully"})) {
        reading.method = "full";
    }
    if (joined_tasks(sentence) && reading.method.empty()) {
        return;
    }
    const bool trains_in_words = sentence.has(Means::tune) || sentence.has(Means::train);
    reading.tunes = sentence.has(Means::tune);
    reading.embeds = sentence.any_word({"embedding", "embeddings", "embed", "embedder", "rerank", "reranker", "reranking"});
    reading.samples_alone =
        reading.samples && !trains_in_words && !reading.epochs && !reading.steps && !reading.rank;
    reading.steps_alone = reading.steps && *reading.steps <= 150 && !trains_in_words && !reading.epochs && !reading.rank;
    // "process 1B tokens", "transcribe 500 clips": what is read is no training set.
    const bool through = reading.samples && sentence.model_at > 0 && near_words(sentence, sentence.model_at - std::min<std::size_t>(sentence.model_at, 3),
                                                             sentence.model_at, {"through", "thru"});
    const bool reads = (sentence.has(Means::infer) || through) && !reading.epochs && !reading.rank &&
                       !reading.micro_batch && !reading.steps && !trains(reading.framework);
    if (evidence.trains &&
        !((evidence.serves || reads) && reading.method.empty() && !trains_in_words)) {
        reading.task = Task::train;
    } else if (evidence.serves || (evidence.trains && reads)) {
        reading.task = Task::inference;
    } else if (evidence.trains_weakly && !evidence.serves_weakly) {
        reading.task = Task::train;  // a batch tells more than the length of its sequences
    } else if (evidence.serves_weakly ||
               (evidence.length && !sentence.any_word({"days", "weeks"}))) {
        reading.task = Task::inference;
    }
    // "context alone": a length says serving only where a model or hardware is asked about.
    if (reading.task == Task::inference) {
        reading.method.clear();
    }
}

}  // namespace

namespace {

/// A run whose length is told by the size of its model: "chinchilla optimal", "100 tokens per param".
void settle_ratio(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool optimal = sentence.asks("chinchilla");
    if (reading.tokens || (!optimal && !sentence.tokens_per_parameter)) {
        return;
    }
    for (const std::string& piece : split(reading.model, '-')) {
        if (const auto size = parameters_in(piece); size && !reading.tokens) {
            const double ratio = sentence.tokens_per_parameter.value_or(chinchilla_tokens);
            reading.tokens = ratio * *size;
            sentence.assume("tokens",
                            format_count(*reading.tokens),
                            fmt::format("{:g} tokens for each parameter{}",
                                        ratio,
                                        sentence.tokens_per_parameter ? "" : " (Chinchilla)"));
        }
    }
}

}  // namespace

void apply_marks(Sentence& sentence) {
    settle_usual_model(sentence);
    settle_ratio(sentence);
    apply_settings(sentence);
    part_providers(sentence);
    apply_names(sentence);
    apply_ownership(sentence);
    apply_replacement(sentence);
    settle_task(sentence);
}

}  // namespace ridgeline::reading
