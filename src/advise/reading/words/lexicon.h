#pragma once

#include "advise/listed_names.h"

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace ridgeline::reading {

/// What a phrase of the lexicon says.
enum class Means {
    filler,      ///< nothing: skipped without comment
    gpu,         ///< "gpu", "cards": hardware is spoken of
    model_word,  ///< "model", "llm": a model is spoken of
    train,       ///< training, `value` a method or empty
    tune,        ///< fine-tuning: the method stays open
    infer,       ///< serving or running a model
    serves_many,
    bulk,  ///< "batch inference": nobody waits for it
    framework,
    quantization,
    compute,
    optimizer,
    vendor,
    provider,
    feature,  ///< "ecc", "nvlink", "mig": required, or asked about
    price_kind,
    objective,
    profile,
    negation,
    owned,
    versus,     ///< parts sides: "vs", "compared to"
    either,     ///< "or"
    ask,        ///< a signal of an intent, `value` names it
    attribute,  ///< a figure that is asked about: "bandwidth"
    offload,    ///< states of the optimizer on the host
    processor,  ///< "on cpu": no accelerator at all
    home,       ///< "locally", "at home": a card of one's own
};

/// Values of `Means::ask`: what phrases say of the intent and of the figure that is wanted.
// clang-format off
inline constexpr auto signal_names = std::to_array<std::string_view>({
    "all_day", "budget", "buy", "cache_per_token", "chinchilla", "cloud", "cost", "days",
    "describe", "duration", "fit", "frames", "full_load", "gpu_days", "gpu_hours", "hardware", "host_ram",
    "inside", "how_fast", "how_much", "images", "instance", "kv_cache", "largest_batch", "largest_copies",
    "largest_frames", "largest_image", "largest_model", "largest_rank", "largest_sequence",
    "largest_users", "latency", "memory", "mfu", "mixed_precision", "needs_nvlink", "on_prem",
    "one_at_a_time", "overkill", "own", "part_activations", "part_adapters", "part_checkpoint",
    "part_embedding", "part_gradients", "part_logits", "part_optimizer", "part_parameters",
    "part_weights", "per_gpu",
    "per_hour", "per_layer", "per_million", "per_month", "per_sample", "per_token", "per_watt", "prefill",
    "price", "price_kinds", "price_of", "provider", "ram", "rate_of_part", "rent", "rented",
    "requests_per_hour", "requests_per_minute", "size_of",
    "smallest_part", "strong_fit", "strong_memory", "superlative", "support", "take", "throughput",
    "time_to_make", "tokens_of_run", "tpot", "ttft", "value", "weak_budget", "weak_describe",
    "weak_fit", "weak_hardware", "weak_throughput", "what_can", "what_can_do", "which",
    "which_have", "which_quant", "whole_request", "without_parts", "worth"
});
// clang-format on
using Signals = ListedNames<signal_names>;  ///< one or several: "price cost"

/// A phrase and one thing that it says; a phrase may stand in several rows. Words are joined as the
/// writer likes: "fine tune", "fine-tune" and "finetune" are one phrase.
struct Phrase {
    std::string_view words;
    Means means;
    std::string_view value;
};

/// All phrases that say one thing, parted by "|": a pointer and a length for each of some 4,000
/// would take more than they do.
struct Meaning {
    Means means;
    std::string_view value;
    std::string_view phrases;
};

std::span<const Meaning> work_phrases();      ///< methods, tasks, frameworks, types of weights
std::span<const Meaning> hardware_phrases();  ///< vendors, providers, features, prices, forms
std::span<const Meaning> asking_phrases();    ///< what tells the intents apart
std::string_view filler_words();              ///< parted by blanks

/// All phrases by their joined words: those of the tables, and names of engines, which are data.
class Lexicon {
public:
    /// engines  phrases whose texts outlive it
    explicit Lexicon(std::span<const Phrase> engines);
    /// Rows of the phrase with these joined words; empty: none.
    [[nodiscard]] std::span<const Phrase* const> find(std::string_view joined) const;
    [[nodiscard]] std::size_t longest() const { return longest_; }
    /// Single words of six letters or more, for spelling.
    [[nodiscard]] const std::vector<std::string_view>& long_words() const { return long_words_; }
    /// Words of that length inside phrases of several.
    [[nodiscard]] const std::vector<std::string_view>& inner_words() const { return inner_words_; }
    [[nodiscard]] bool knows(std::string_view word) const { return words_.contains(word); }

private:
    std::string_view add_words(std::string_view phrase);
    // Side by side, in the order of the joined words.
    std::vector<std::string_view> joined_;
    std::vector<const Phrase*> phrases_;
    std::deque<std::string> texts_;  ///< joined words that stand in no table
    std::vector<Phrase> all_;        ///< every phrase with one meaning
    std::vector<std::string_view> long_words_;
    std::vector<std::string_view> inner_words_;
    std::unordered_set<std::string_view> words_;  ///< all of the phrases
    std::size_t longest_ = 1;
};

}  // namespace ridgeline::reading
