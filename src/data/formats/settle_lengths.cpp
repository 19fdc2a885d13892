// Lengths, batches and requests that formats count in units of their own.
#include "base/text.h"
#include "data/formats/importer.h"
#include "data/formats/misfit.h"
#include "spec/preference.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {

namespace {

/// "org/Llama-3.2-1B-Instruct" in its words.
std::vector<std::string> name_words(const std::string& name) {
    std::string words(last_part(name));
    std::ranges::replace_if(
        words, [](char c) { return c == '_' || c == ':'; }, '-');
    return split(words, '-');
}

}  // namespace

RequestLengths longest_lengths(double tokens) {
    constexpr double usual_answer = 512;
    const double answer = std::max(1.0, std::floor(std::min(usual_answer, tokens / 4)));
    return {tokens - answer, answer};
}

/// What a format said of the first of these terms that it said anything of.
std::string Importer::term_of(std::initializer_list<std::string> names) const {
    for (const std::string& name : names) {
        if (const auto found = terms_.find(name); found != terms_.end()) {
            return found->second;
        }
    }
    return "";
}

/// The longest request that the server admits, and the key that says so.
void Importer::settle_server() {
    const bool parted = terms_.count("@length") == 0 && !length_with_suffix(term_of({"@context"}));
    const auto term = terms_.find(parted ? "@context" : "@length");
    if (term == terms_.end()) {
        return;
    }
    const std::string longer = term_of({"@longer"});
    out_.server.refuses_longer = longer == "refused";
    out_.server.caps_longer = longer == "capped";
    const auto slots = out_.options.find("concurrency");
    if (parted && slots != out_.options.end()) {
        out_.server.shared_by = std::max(1.0, number_with_suffix(slots->second).value_or(1));
    }
    for (const Main& main : mains_) {
        for (const FormatRow& row : main.table->rows) {
            if (row.sets == term->first && out_.server.length_key.empty()) {
                out_.server.length_key = row.key;
            }
        }
    }
    out_.server.longest = term->second;
    if (!length_with_suffix(term->second)) {
        terms_.erase(term);
    }
}

/// A penalty of 0 for leaving the reference keeps no reference.
void Importer::settle_scoring(const std::string& algorithm) {
    const std::string stated = term_of({"@penalty"});
    const std::string own = term_of({"@penalty." + algorithm, "@penalty.*"});
    const auto penalty = number_with_suffix(stated.empty() ? own : stated);
    if (penalty && *penalty == 0 && out_.options.emplace("reference", "false").second) {
        out_.files[mains_.back().file].defaulted.push_back(
            {"", "false", "--reference false: nothing holds the policy to it"});
    }
}

/// Whether an engine writes the answers; beside the trainer it takes the share that the tool gives
/// it where nothing is said.
void Importer::settle_engine() {
    auto& options = out_.options;
    ImportedFile& file = out_.files[mains_.back().file];
    const auto take = [&](const char* option, const char* stated, const char* usual) {
        const std::string said = term_of({stated});
        const std::string value = said.empty() ? term_of({usual}) : said;
        if (!value.empty() && options.emplace(option, value).second && said.empty()) {
            file.defaulted.push_back({"", value, fmt::format("--{} {}", option, value)});
        }
    };
    take("rollout-engine", "@engine", "@engine.*");
    const bool own = options.count("rollout-engine") > 0 && options["rollout-engine"] == "false";
    const bool apart =
        options.count("rollout-placement") > 0 && options["rollout-placement"] == "separate";
    if (own || apart) {
        options.erase("memory-fraction");
    } else {
        take("memory-fraction", "@share", "@share.*");
        take("rollout-sleeps", "@sleeps", "@sleeps.*");
    }
}

/// Answers of a round that follow from the batch, and the lengths that a trainer of such rounds
/// takes where nothing is said. Other trainers state the prompts of a round themselves.
void Importer::settle_round() {
    auto& options = out_.options;
    const auto term = [&](const std::string& name) { return term_of({name}); };
    const auto stated = options.find("algorithm");
    const auto algorithm = stated == options.end() ? std::nullopt : algorithm_named(stated->second);
    const bool generates = algorithm && PreferenceTuning{.algorithm = *algorithm}.generates();
    if (!generates) {
        terms_.erase("@completion");
        if (!algorithm) {
            for (const char* of_rounds : {"rollout-placement", "rollout-tensor"}) {
                options.erase(of_rounds);
            }
        }
        return;
    }
    settle_scoring(stated->second);
    settle_engine();
    const std::string kind = term("@round");
    if (kind.empty() || *algorithm == PreferenceAlgorithm::ppo ||
        options.count("prompts-per-round") > 0) {
        return;
    }
    if (options.count("group-size") == 0) {
        const std::string own = term("@group-size." + stated->second);
        options["group-size"] = own.empty() ? term("@group-size") : own;
        out_.files[mains_.back().file].defaulted.push_back(
            {"", options["group-size"], "--group-size " + options["group-size"]});
    }
    ImportedRound& round = out_.hardware.round.emplace();
    round.of_global_batch = kind == "batch";
    round.steps = whole_size(term("@generation-steps")).value_or(0);
    round.answers = whole_size(term("@generation-batch")).value_or(0);
    round.group = whole_size(options["group-size"]).value_or(1);
    for (const ImportedFile& file : out_.files) {
        for (const ImportNote& note : file.read) {
            if (contains(note.meaning, "--group-size")) {
                round.key = file.where + ": " + note.key;
            }
        }
    }
}

/// The draft that proposes tokens: a look-up of n-grams has no weights, the name of a model often
/// tells its size. Heads that were trained for the model (EAGLE, Medusa) tell none.
void Importer::settle_draft() {
    auto& options = out_.options;
    const std::string method = lower(term_of({"@draft-method"}));
    const std::string model = term_of({"@draft-model"});
    if (mains_.empty() || (method.empty() && model.empty())) {
        return;
    }
    ImportedFile& file = out_.files[mains_.back().file];
    const auto settle = [&](const std::string& option, const std::string& value) {
        if (!value.empty() && options.emplace(option, value).second) {
            file.defaulted.push_back({"", value, fmt::format("--{} {}", option, value)});
        }
    };
    std::string size = contains(method, "ngram") || contains(lower(model), "ngram") ? "0" : "";
    for (const std::string& word : size.empty() ? name_words(model) : std::vector<std::string>()) {
        const auto number = number_with_suffix(word);
        size = number && *number >= 1e6 && *number <= 1e13 ? word : size;
    }
    for (const char* head : {"eagle", "medusa", "mtp", "nextn", "mlp_speculator"}) {
        size = contains(method, head) || contains(lower(model), head) ? "" : size;
    }
    if (size.empty()) {
        file.uncounted.push_back(
            {"draft", model.empty() ? method : model, "a draft model beside it"});
        return;
    }
    settle("draft-parameters", size);
    settle("draft-tokens", term_of({"@draft-tokens"}));
}

/// What follows from the number of ranks: a micro-batch that all of them share, and how often one
/// is accumulated where the tool looks for a batch of some size (ms-swift: 16 samples).
void Importer::settle_batch() {
    const auto algorithm = out_.options.find("algorithm");
    const std::string own =
        algorithm == out_.options.end() ? "" : term_of({"@least-batch." + algorithm->second});
    if (!out_.hardware.accumulation && out_.options.count("batch") == 0) {
        out_.hardware.least_batch = whole_size(own.empty() ? term_of({"@least-batch"}) : own);
    }
    if (out_.options.count("micro-batch") == 0) {
        out_.hardware.shared_micro = whole_size(term_of({"@shared-micro-batch"}));
    }
}

/// Lengths and batches that a format counts in other units.
void Importer::settle_tokens() {
    auto& options = out_.options;
    const auto term = [&](const char* name) {
        const auto found = terms_.find(name);
        return found == terms_.end() ? std::nullopt : length_with_suffix(found->second);
    };
    const auto option = [&](const char* name) {
        const auto found = options.find(name);
        return found == options.end() ? std::nullopt : length_with_suffix(found->second);
    };
    // The longest that prompt and answer of a rollout may be.
    if (const auto completion = term("@completion")) {
        constexpr double usual_prompt = 512;
        options["longest-tokens"] =
            fmt::format("{:.0f}", term("@prompt").value_or(usual_prompt) + *completion);
        options["sequence"] = options["longest-tokens"];
    }
    const auto sequence = option("sequence");
    if (const auto tokens = term("@microbatch-tokens");
        tokens && sequence && *tokens >= *sequence) {
        options["micro-batch"] = fmt::format("{:.0f}", std::floor(*tokens / *sequence));
    }
    if (options.count("shard-group") > 0 && options["sharding"] != "hsdp") {
        options.erase("shard-group");  // shards over all data-parallel ranks
    }
    if (const auto tokens = term("@step-tokens"); tokens && sequence && *tokens >= *sequence) {
        options["batch"] = fmt::format("{:.0f}", std::floor(*tokens / *sequence));
    }
    if (terms_.count("@expert-parallel") > 0) {
        options["expert"] =
            fmt::format("{:.0f}", option("tensor").value_or(1) * option("data").value_or(1));
    }
    // Data-parallel attention is inside the tensor group, over all of which the experts lie
    // (SGLang's
    // --enable-dp-attention, TensorRT-LLM's enable_attention_dp, which takes the whole group).
    if (const auto attention = terms_.find("@attention-data"); attention != terms_.end()) {
        const double group = option("tensor").value_or(1);
        const double data =
            attention->second == "whole" ? group : std::max(1.0, option("data").value_or(1));
        if (data > 1 && std::fmod(group, data) == 0) {
            options["tensor"] = fmt::format("{:.0f}", group / data);
            options["data"] = fmt::format("{:.0f}", data);
            options["expert"] = fmt::format("{:.0f}", group);
        }
    }
    // One cache is shared by all slots.
    auto length = term("@length");
    if (const auto all = term("@context"); all && !length) {
        length = std::floor(*all / std::max(1.0, option("concurrency").value_or(1)));
    }
    // The longest request that a server admits is what it must hold.
    if (!length || *length < 2 || options.count("input-tokens") > 0) {
        return;
    }
    const RequestLengths longest = longest_lengths(*length);
    options["input-tokens"] = fmt::format("{:.0f}", longest.input);
    options["output-tokens"] = fmt::format("{:.0f}", longest.output);
    if (!out_.files.empty()) {
        ImportedFile& file = mains_.empty() ? out_.files.back() : out_.files[mains_.back().file];
        file.defaulted.push_back(
            {"", options["input-tokens"],
             fmt::format("--input-tokens {} --output-tokens {}: the longest request admitted",
                         options["input-tokens"], options["output-tokens"])});
    }
}

}  // namespace ridgeline
