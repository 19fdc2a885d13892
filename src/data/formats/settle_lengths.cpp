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

RequestLengths longest_lengths(double tokens) {
    constexpr double usual_answer = 512;
    const double answer = std::max(1.0, std::floor(std::min(usual_answer, tokens / 4)));
    return {tokens - answer, answer};
}

/// The longest request that the server admits, and the key that says so.
void Importer::settle_server() {
    const auto term = terms_.find("@length");
    if (term == terms_.end()) {
        return;
    }
    for (const Main& main : mains_) {
        for (const FormatRow& row : main.table->rows) {
            if (row.sets == "@length" && out_.server.length_key.empty()) {
                out_.server.length_key = row.key;
            }
        }
    }
    out_.server.longest = term->second;
    if (term->second == "model") {
        terms_.erase(term);
    }
}

/// Answers of a round that follow from the batch, and the lengths that a trainer of such rounds
/// takes where nothing is said. Other trainers state the prompts of a round themselves.
void Importer::settle_round() {
    auto& options = out_.options;
    const auto term = [&](const std::string& name) {
        const auto found = terms_.find(name);
        return found == terms_.end() ? std::string() : found->second;
    };
    const auto stated = options.find("algorithm");
    const auto algorithm = stated == options.end() ? std::nullopt : algorithm_named(stated->second);
    const bool generates = algorithm && PreferenceTuning{.algorithm = *algorithm}.generates();
    if (!generates) {
        terms_.erase("@completion");
        return;
    }
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
    const auto sequence = option("sequence");
    if (const auto tokens = term("@microbatch-tokens");
        tokens && sequence && *tokens >= *sequence) {
        options["micro-batch"] = fmt::format("{:.0f}", std::floor(*tokens / *sequence));
    }
    // The longest that prompt and answer of a rollout may be.
    if (const auto completion = term("@completion")) {
        constexpr double usual_prompt = 512;
        options["longest-tokens"] =
            fmt::format("{:.0f}", term("@prompt").value_or(usual_prompt) + *completion);
        options["sequence"] = options["longest-tokens"];
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
