#include "advise/question_reader.h"
#include "base/text.h"
#include "estimate/serving/gguf.h"

#include <algorithm>
#include <string>

// Words that are settings by themselves: method, vendor, features, objective, precision, framework.

namespace ridgeline::question {
namespace {

struct Word {
    std::string_view text;
    void (*apply)(State& state);
};

void train(State& state, Method method) {
    state.workload().task = Task::train;
    state.workload().method = method;
}
void serve(State& state) {
    state.workload().task = Task::inference;
}
void require(State& state, const char* feature) {
    auto& list = state.query().require;
    if (std::find(list.begin(), list.end(), feature) == list.end()) {
        list.emplace_back(feature);
    }
}
void fine_tune(State& state) {
    state.says_fine_tune = true;
}
void pretrain(State& state) {
    state.pretrains = true;
    if (!state.workload().method) {
        state.workload().method = Method::full;
    }
}

// Up to three words each, joined by one space.
// clang-format off
constexpr Word method_words[] = {
    {"full fine-tune", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"full fine-tuning", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"full finetune", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"full finetuning", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"full-parameter", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"full", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"fully", [](State& s) { fine_tune(s); train(s, Method::full); }},
    {"fine tune", fine_tune}, {"fine tuning", fine_tune}, {"fine-tune", fine_tune},
    {"fine-tunes", fine_tune}, {"fine-tuning", fine_tune}, {"fine-tuned", fine_tune},
    {"finetune", fine_tune}, {"finetuning", fine_tune}, {"finetuned", fine_tune},
    {"tune", fine_tune}, {"tuning", fine_tune}, {"sft", fine_tune},
    {"lora", [](State& s) { train(s, Method::lora); }},
    {"qlora", [](State& s) { train(s, Method::qlora); }},
    {"pretrain", pretrain}, {"pretraining", pretrain}, {"pre-train", pretrain},
    {"pre-training", pretrain}, {"from scratch", pretrain},
    {"train", pretrain}, {"training", pretrain},
    {"serve", [](State& s) { s.serves_many = true; serve(s); }},
    {"serving", [](State& s) { s.serves_many = true; serve(s); }},
    {"deploy", [](State& s) { s.serves_many = true; serve(s); }},
    {"inference", serve}, {"infer", serve}, {"chat", serve}, {"chatbot", serve},
    {"host", serve}, {"hosting", serve},
};

constexpr Word constraint_words[] = {
    {"nvidia", [](State& s) { s.query().vendor = "nvidia"; }},
    {"amd", [](State& s) { s.query().vendor = "amd"; }},
    {"intel", [](State& s) { s.query().vendor = "intel"; }},
    {"apple", [](State& s) { s.query().vendor = "apple"; }},
    {"google", [](State& s) { s.query().vendor = "google"; }},
    {"ecc", [](State& s) { require(s, "ecc"); }},
    {"nvlink", [](State& s) { require(s, "nvlink"); }},
    {"mig", [](State& s) { require(s, "mig"); }},
    {"lowest energy", [](State& s) { s.query().objective = Objective::energy; }},
    {"least energy", [](State& s) { s.query().objective = Objective::energy; }},
    {"energy efficient", [](State& s) { s.query().objective = Objective::energy; }},
    {"most efficient", [](State& s) { s.query().objective = Objective::energy; }},
    {"greenest", [](State& s) { s.query().objective = Objective::energy; }},
    {"energy-efficient", [](State& s) { s.query().objective = Objective::energy; }},
    {"cheapest to buy", [](State& s) { s.query().objective = Objective::price; s.query().buy = true; }},
    {"to buy", [](State& s) { s.query().objective = Objective::price; s.query().buy = true; }},
    {"buy", [](State& s) { s.query().objective = Objective::price; s.query().buy = true; }},
    {"purchase", [](State& s) { s.query().objective = Objective::price; s.query().buy = true; }},
    {"cheapest", [](State& s) { s.query().objective = Objective::cost; }},
    {"cheap", [](State& s) { s.query().objective = Objective::cost; }},
    {"cheaply", [](State& s) { s.query().objective = Objective::cost; }},
    {"lowest cost", [](State& s) { s.query().objective = Objective::cost; }},
    {"fastest", [](State& s) { s.query().objective = Objective::time; }},
    {"quickest", [](State& s) { s.query().objective = Objective::time; }},
    {"fast", [](State& s) { s.query().objective = Objective::time; }},
    {"rent", [](State&) {}}, {"renting", [](State&) {}}, {"cloud", [](State&) {}},
    {"on-demand", [](State& s) { s.query().price_kind = "on_demand"; }},
    {"on demand", [](State& s) { s.query().price_kind = "on_demand"; }},
    {"spot", [](State& s) { s.query().price_kind = "spot"; }},
    {"reserved", [](State& s) { s.query().price_kind = "reserved"; }},
    {"marketplace", [](State& s) { s.query().price_kind = "marketplace"; }},
};

constexpr Word precision_words[] = {
    {"4-bit", [](State& s) { s.four_bits = true; }}, {"4bit", [](State& s) { s.four_bits = true; }},
    {"4 bit", [](State& s) { s.four_bits = true; }}, {"int4", [](State& s) { s.four_bits = true; }},
    {"8-bit", [](State& s) { s.workload().quantization = "int8"; }},
    {"8bit", [](State& s) { s.workload().quantization = "int8"; }},
    {"int8", [](State& s) { s.workload().quantization = "int8"; }},
    {"nf4", [](State& s) { s.workload().quantization = "nf4"; }},
    {"gptq", [](State& s) { s.workload().quantization = "gptq-int4"; }},
    {"awq", [](State& s) { s.workload().quantization = "awq-int4"; }},
    {"mxfp4", [](State& s) { s.workload().quantization = "mxfp4"; }},
    {"nvfp4", [](State& s) { s.workload().quantization = "nvfp4"; }},
    {"bf16", [](State& s) { s.workload().compute = ComputeType::bf16; }},
    {"fp16", [](State& s) { s.workload().compute = ComputeType::fp16; }},
    {"fp32", [](State& s) { s.workload().compute = ComputeType::fp32; }},
};
// clang-format on

std::size_t words_in(std::string_view text) {
    return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

bool stands_at(const State& state, std::size_t at, std::string_view text) {
    for (std::size_t i = at; !text.empty(); ++i) {
        const std::size_t space = std::min(text.find(' '), text.size());
        if (state.word(i) != text.substr(0, space)) {
            return false;
        }
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return true;
}

// The longest entry that stands at `at`.
template <std::size_t N>
std::size_t apply_words(State& state, std::size_t at, const Word (&table)[N]) {
    const Word* best = nullptr;
    for (const Word& word : table) {
        const bool longer = best == nullptr || words_in(word.text) > words_in(best->text);
        if (longer && stands_at(state, at, word.text)) {
            best = &word;
        }
    }
    if (best == nullptr) {
        return 0;
    }
    best->apply(state);
    return words_in(best->text);
}

// "run" serves a model unless the question trains one ("a training run").
bool trains_somewhere(const State& state) {
    for (const std::string& word : state.words) {
        for (const char* stem : {"tun", "lora", "train", "sft", "scratch"}) {
            if (word.find(stem) != std::string::npos) {
                return true;
            }
        }
    }
    return false;
}

std::size_t match_provider(State& state, std::size_t at) {
    for (const Offer& offer : state.vocabulary.catalog.offers) {
        if (state.word(at) == offer.provider) {
            state.query().provider = offer.provider;
            return 1;
        }
    }
    return 0;
}

std::size_t match_framework(State& state, std::size_t at) {
    const Profiles& profiles = state.vocabulary.profiles;
    const SoftwareProfile* profile = profiles.software_profile(state.word(at));
    // The word for "no stack in particular" may stand in a sentence for anything.
    if (profile == nullptr || profile == profiles.unnamed_software()) {
        return 0;
    }
    state.workload().framework = profile->id;
    return 1;
}

std::size_t match_profile(State& state, std::size_t at) {
    for (const WorkloadProfile& profile : state.vocabulary.profiles.workloads) {
        std::string spaced = profile.id;
        std::replace(spaced.begin(), spaced.end(), '-', ' ');
        const bool whole = state.word(at) == profile.id;
        // "fine-tuning" and "llm-training" are methods first; as ids they need --profile.
        if (profile.id == "fine-tuning") {
            continue;
        }
        if (whole || stands_at(state, at, spaced)) {
            state.query().profile = profile.id;
            return whole ? 1 : words_in(spaced);
        }
    }
    if (state.word(at) == "hpc") {
        state.query().profile = "scientific-computing";
        return 1;
    }
    return 0;
}

}  // namespace

std::size_t match_method(State& state, std::size_t at) {
    const std::string_view word = state.word(at);
    if ((word == "run" || word == "running") && !trains_somewhere(state)) {
        // "can my 24 GB card run it" asks for the types of weights on one card.
        state.query().ladder =
            state.query().ladder || state.word(0) == "can" || state.word(0) == "will";
        serve(state);
        return 1;
    }
    const std::size_t profile = match_profile(state, at);
    return profile > 0 ? profile : apply_words(state, at, method_words);
}

std::size_t match_setting(State& state, std::size_t at) {
    if (state.word(at) == "fp8" || state.word(at) == "gguf") {
        // fp8 is a storage format when serving and an operand type when training.
        if (state.word(at) == "fp8" && trains_somewhere(state)) {
            state.workload().compute = ComputeType::fp8;
        } else {
            state.workload().quantization = state.word(at) == "fp8" ? "fp8" : "q4_k_m";
        }
        return 1;
    }
    const bool typed = state.word(at).find('_') != std::string_view::npos;
    if (typed && gguf_file(state.word(at))) {
        state.workload().quantization = std::string(state.word(at));
        return 1;
    }
    if (const std::size_t taken = apply_words(state, at, constraint_words); taken > 0) {
        return taken;
    }
    if (const std::size_t taken = apply_words(state, at, precision_words); taken > 0) {
        return taken;
    }
    const std::size_t framework = match_framework(state, at);
    return framework > 0 ? framework : match_provider(state, at);
}

}  // namespace ridgeline::question
