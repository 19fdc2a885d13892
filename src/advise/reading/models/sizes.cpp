#include "advise/reading/models/model_words.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// A model told by its size alone.

namespace ridgeline::reading {
namespace {

/// "a32b" of "1t-a32b", as Qwen writes its mixtures of experts; empty: it is none.
std::string active_piece(std::string_view word) {
    return word.size() > 2 && word.front() == 'a' && is_size_piece(word.substr(1))
               ? std::string(word.substr(1))
               : std::string();
}

bool says_active(const Sentence& sentence, std::size_t at) {
    return sentence.follows(at) && is_any(sentence.word(at), "active activated");
}

/// Parameters of a mixture of experts that each token takes: "32b active", "a32b"; claims them.
std::string active_size(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i)) {
            continue;
        }
        const std::string piece = active_piece(sentence.word(i));
        if (!piece.empty()) {
            sentence.claim(i);
            return piece;
        }
        const bool billions =
            is_any(sentence.word(i + 1), "billion b") && all_digits(sentence.word(i));
        const std::size_t end = i + (billions ? 2 : 1);
        if ((is_size_piece(sentence.word(i)) || billions) && says_active(sentence, end)) {
            sentence.claim(i, end + 1 - i);
            return std::string(sentence.word(i)) + (billions ? "b" : "");
        }
    }
    return "";
}

/// Parameters by the name of the model that was read: "7b", "llama-3.1-405b"; 0: it tells none.
double size_by_name(const std::string& model) {
    double size = parameters_in(model).value_or(0);
    for (const std::string& piece : split(model, '-')) {
        size = is_size_piece(piece) ? parameters_in(piece).value_or(size) : size;
    }
    return size;
}

/// "train 3b on 300B", "how long 7b on 1T": so much is read; a second size of what trains would
/// stand beside the first.
bool is_read(const Sentence& sentence, std::size_t at) {
    constexpr double least_tokens = 1e9;
    constexpr double least_over_size = 5;
    constexpr double least_over_size_unsaid = 20;  // where no training is spoken of
    const double size = size_by_name(sentence.reading.model);
    const double said = parameters_in(sentence.word(at)).value_or(0);
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    const bool fits = trains ? said >= std::max(least_tokens, least_over_size * size)
                             : !sentence.has(Means::infer) && sentence.asks("duration days") &&
                                   said >= least_over_size_unsaid * size;
    return at > 0 && sentence.follows(at) && is_any(sentence.word(at - 1), "on over through") &&
           !sentence.reading.tokens && size > 0 && fits;
}

/// "a ~120b model": of the sizes that models are known by, those that mixtures of experts alone
/// bear; empty: it is none.
std::string mixture_of_size(const Sentence& sentence, const std::string& size) {
    constexpr double least = 1e11;  // smaller ones are dense as often
    const auto& known = sentence.vocabulary;
    if (parameters_in(size).value_or(0) < least || !known.architecture ||
        sentence.any_word("dense") || sentence.has(Means::train)) {
        return {};
    }
    // "a 100b class model": the nearest of about that size.
    constexpr double alike = 0.2;
    const bool about = sentence.any_word("class ish sized size");
    const double said = *parameters_in(size);
    const auto named = [&](const std::string& piece) {
        const double own = is_size_piece(piece) ? parameters_in(piece).value_or(0) : 0;
        return piece == size || (about && std::abs(own - said) <= alike * said);
    };
    std::string found;
    for (const std::string& id : known.profiles.model_ids) {
        const auto pieces = split(id, '-');
        if (std::ranges::none_of(pieces, named)) {
            continue;
        }
        const auto architecture = known.architecture(id);
        const bool mixture =
            architecture && std::ranges::any_of(architecture->stacks, [](const auto& stack) {
                return stack.moe.has_value();
            });
        if (!mixture && !about) {
            return {};
        }
        found = mixture ? id : found;
    }
    return found;
}

/// "1T moe with 32b active": the size with that of its active part, "1t-a32b".
void settle_experts(Sentence& sentence, const std::string& active) {
    Reading& reading = sentence.reading;
    if (const std::string mixture =
            active.empty() ? mixture_of_size(sentence, reading.model) : std::string();
        !mixture.empty()) {
        sentence.assume("model", mixture,
                        "models of " + reading.model +
                            " are mixtures of experts; say \"dense\" for one that is not");
        reading.model = mixture;
        return;
    }
    const auto total = parameters_in(reading.model);
    const bool experts = sentence.any_word("moe moes mixture sparse");
    if (!total || (active.empty() && !experts)) {
        return;
    }
    std::string part = active;
    if (part.empty()) {
        // Between Mixtral's 3.6 and Kimi's 31 parameters for each active one; Qwen and GLM lie
        // about the middle. The largest are sparser: DeepSeek V3 671B of 37B, Ling 1T of 50B, Kimi
        // K2 1T of 32B.
        constexpr double largest_from = 500e9;
        const bool largest = *total >= largest_from;
        part = fmt::format("{:.3g}b", *total / (largest ? 20 : 14) / 1e9);
        sentence.assume("active", part,
                        largest ? "a twentieth is active, as of published mixtures of half a "
                                  "trillion and more in the middle"
                                : "a fourteenth is active, as of the published mixtures' middle");
    }
    if (parameters_in(part).value_or(*total) < *total) {
        reading.model += "-a" + part;
    }
}

/// A size as it is written, and its tokens.
struct SaidSize {
    std::string size;  ///< "70b"; empty: none stands there
    std::size_t length = 1;
};

/// "7 billion", "124M": parameters as a piece of a name.
std::string size_of_number(double parameters) {
    const double billions = parameters / 1e9;
    const bool small = billions < 1;
    std::string digits = fmt::format("{:f}", small ? billions * 1e3 : billions);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) {
        digits.pop_back();
    }
    return digits + (small ? "m" : "b");
}

SaidSize size_at(Sentence& sentence, std::size_t at) {
    const std::string word(sentence.word(at));
    if (is_any(word, "8x7b 8x22b")) {
        const std::string size = "mixtral-" + word;
        sentence.assume("model", size, "\"" + word + "\" is how Mixtral's sizes are written");
        return {size};
    }
    if (is_size_piece(word)) {
        return {word.ends_with("bn") ? word.substr(0, word.size() - 1) : word};
    }
    const auto measure = measure_at(sentence, at);
    const bool parameters = measure && measure->scaled && measure->unit.empty() &&
                            measure->value >= 1e6 && measure->value <= 1e14 && !measure->kilo;
    return parameters ? SaidSize{size_of_number(measure->value), measure->length} : SaidSize{};
}

/// "codestral-size 22b": the size alone is meant, not the model that has it.
void drop_named_size(Sentence& sentence, const std::string& size) {
    Reading& reading = sentence.reading;
    const std::size_t like = sentence.model_end;
    if (reading.model_known || like == 0 || !sentence.follows(like) ||
        !is_any(sentence.word(like), "size sized class like")) {
        return;
    }
    std::erase(reading.unknown_names, reading.model);
    sentence.assume("model", size, "of the size of " + reading.model + ", which is not known");
    reading.model.clear();
    reading.model_known = true;
    sentence.claim(like);
}

/// "a 124M gpt2": the size that the model has, whose id does not tell it.
bool is_size_of_model(const Sentence& sentence, const std::string& size) {
    constexpr double alike = 0.1;
    const auto model = sentence.named_architecture();
    const auto said = parameters_in(size);
    const bool counted = model && (!model->stacks.empty() || model->published_parameters);
    if (!counted || !said) {
        return false;
    }
    const double own = model->stacks.empty() ? static_cast<double>(*model->published_parameters)
                                             : static_cast<double>(count_parameters(*model).total);
    return std::abs(*said - own) <= alike * own;
}

/// "an lstm with 2M parameters": the size is that of a network of a kind, of which a published one
/// is estimated.
bool is_of_open_network(const Sentence& sentence) {
    return std::ranges::any_of(sentence.reading.assumed, [](const AssumedField& each) {
        return each.field == "model" && each.why.ends_with("leaves version and size open");
    });
}

/// "1B to 7B", "3b-8b", "between 1b and 7b": sizes of which none is compared with the other.
bool is_range_with(const Sentence& sentence, std::size_t at) {
    const std::size_t first = sentence.model_at;
    if (!parameters_in(sentence.reading.model) || at <= first || !sentence.follows(at) ||
        sentence.any_word("vs versus than distill distilling compress prune upgrade from jump "
                          "more less extra additional difference")) {
        return false;
    }
    const bool joint = at == first + 1 && sentence.tokens[at].gap == Gap::joint;
    const bool between =
        first > 0 && sentence.word(first - 1) == "between" && sentence.word(at - 1) == "and";
    const bool up_to = is_any(sentence.word(at - 1), "to through until bis");
    return joint || (at == first + 2 && (between || up_to));
}

std::string largest_of_range(std::string_view low, std::string_view high) {
    return fmt::format("of sizes from {} to {} the largest: what does for it does for the others",
                       low, high);
}

/// The first size is the model's where none is named; others are told or compared.
void take_size(Sentence& sentence, std::size_t at, const std::string& size) {
    if (sentence.reading.model.empty()) {
        sentence.reading.model = size;
        sentence.model_at = at;
        // "8-13b models": the lower one has the unit of the other.
        const bool range = at > 0 && sentence.tokens[at].gap == Gap::joint &&
                           sentence.open(at - 1) && all_digits(sentence.word(at - 1)) &&
                           sentence.word(at - 1).size() <= 3 &&
                           sentence.tokens[at - 1].gap != Gap::joint;
        if (range) {
            const std::string low = std::string(sentence.word(at - 1)) + size.back();
            sentence.claim(at - 1);
            sentence.assume("model", size, largest_of_range(low, size));
        }
        return;
    }
    if (is_range_with(sentence, at)) {
        const std::string low = sentence.reading.model;
        const bool larger = parameters_in(size).value_or(0) > parameters_in(low).value_or(0);
        sentence.reading.model = larger ? size : low;
        sentence.assume("model", sentence.reading.model,
                        largest_of_range(larger ? low : size, larger ? size : low));
        return;
    }
    if (sentence.reading.model.find(size) != std::string::npos ||
        is_size_of_model(sentence, size)) {
        sentence.repeated_models.emplace_back(size, at);
        return;
    }
    // "sdxl and a 7b q4", "whisper + llm 3b": another model, no size of the first.
    std::size_t joint = at;
    while (joint > 0 && joint + 3 > at &&
           is_any(sentence.word(joint - 1), "a an one the llm model lm chat")) {
        --joint;
    }
    const bool another =
        joint > 0 && is_any(sentence.word(joint - 1), "and plus + & with beside alongside");
    if (is_of_open_network(sentence) && !another) {
        sentence.assume(
            "parameters", size,
            sentence.reading.model +
                " is estimated with its own size: memory of weights and time follow theirs");
        return;
    }
    sentence.other_models.emplace_back(size, at);
    // "distill a 70b into an 8b": the second is trained.
    const std::size_t article = at > 1 && is_any(sentence.word(at - 1), "a an one") ? 2 : 1;
    const bool into = at >= article && sentence.word(at - article) == "into";
    if (into && sentence.any_word("distill distilling distillation distil")) {
        std::swap(sentence.reading.model, sentence.other_models.back().first);
        std::swap(sentence.model_at, sentence.other_models.back().second);
    }
}

}  // namespace

/// Bare sizes: "70b", "7 billion parameters", "124M params".
/// "a 9e22 b model": a size that no network has is refused, for no other is meant.
void refuse_size_beyond_sense(Sentence& sentence) {
    constexpr double most = 1e14;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto amount = sentence.open(i) ? amount_in(sentence.word(i)) : std::nullopt;
        const bool size = amount && is_any(amount->unit, "b bn t") &&
                          is_any(sentence.word(i + 1), "model network llm parameters params");
        const double scale = amount && amount->unit == "t" ? 1e12 : 1e9;
        if (size && amount->value * scale > most) {
            sentence.fail(fmt::format("found a model of {:.3g} parameters, expected at most {:.0e}",
                                      amount->value * scale, most));
            return;
        }
    }
}

void recognise_sizes(Sentence& sentence) {
    refuse_size_beyond_sense(sentence);
    const std::string active = sentence.reading.model.empty() ? active_size(sentence) : "";
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i)) {
            continue;
        }
        if (is_read(sentence, i)) {
            sentence.reading.tokens = parameters_in(sentence.word(i));
            sentence.assume("tokens", format_count(*sentence.reading.tokens),
                            "what is trained on, though no unit was said");
            if (!sentence.has(Means::train) && !sentence.has(Means::tune)) {
                sentence.marks.push_back({Means::train, "", i, 1});
            }
            sentence.claim(i);
            continue;
        }
        const auto [size, length] = size_at(sentence, i);
        if (size.empty()) {
            continue;
        }
        if (sentence.tokens[i].negative) {
            sentence.fail("found \"-" + size + "\", expected a size above zero",
                          "Example: \"lora 8B on one 24GB card\".");
            return;
        }
        const std::size_t end = i + length;
        // "20M cells": the size of a grid.
        if (sentence.follows(end) &&
            is_any(sentence.word(end),
                   "cell cells dof dofs unknowns particles voxels vertices bodies atoms elements "
                   "gridpoints molecules")) {
            continue;
        }
        const bool noun =
            sentence.follows(end) &&
            is_any(sentence.word(end), "parameter parameters params param model models dense");
        sentence.claim(i, length + (noun ? 1 : 0));
        drop_named_size(sentence, size);
        take_size(sentence, i, size);
    }
    settle_experts(sentence, active);
}

void recognise_operations(Sentence& sentence) {
    constexpr double least_run = 1e19;      // less is the rate of a machine
    constexpr double tokens_for_each = 20;  // of a parameter: Hoffmann et al. 2022
    Reading& reading = sentence.reading;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size() && reading.model.empty(); ++i) {
        const std::size_t power = sentence.word(i).find('e');
        if (!sentence.open(i) || power == std::string_view::npos || power == 0 ||
            !is_any(sentence.word(i + 1), "flop flops operations")) {
            continue;
        }
        const auto digits = number_with_suffix(sentence.word(i).substr(0, power));
        const auto tens = number_with_suffix(sentence.word(i).substr(power + 1));
        const double run = digits && tens ? *digits * std::pow(10, *tens) : 0;
        if (run < least_run || run > 1e28) {
            continue;
        }
        const double billions = std::sqrt(run / (6 * tokens_for_each)) / 1e9;
        reading.model = fmt::format("{:.3g}b", billions);
        reading.tokens = run / (6 * billions * 1e9);
        reading.method = "full";
        sentence.assume("model", reading.model,
                        "the size that so many operations train best, by 20 tokens a parameter: "
                        "another size takes as long");
        sentence.marks.push_back({Means::train, "full", i, 2});
        sentence.claim(i, 2);
    }
}

}  // namespace ridgeline::reading
