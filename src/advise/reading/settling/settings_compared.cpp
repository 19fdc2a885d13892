#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

// Settings of which several values are compared: "batch 8 vs 32 vs 128", "4k vs 32k context", "with
// and without flash attention", "gradient checkpointing on or off".

namespace ridgeline::reading {
namespace {

/// A setting that numbers are compared of, as `Reading::alternatives_of` names it.
struct NumberedSetting {
    Field field;
    std::string_view name;
};
constexpr NumberedSetting numbered[] = {
    {Field::batch, "batch"},          {Field::micro_batch, "micro_batch"},
    {Field::sequence, "sequence"},    {Field::input, "input_tokens"},
    {Field::output, "output_tokens"}, {Field::rank, "rank"},
    {Field::users, "concurrency"},    {Field::pixels, "image_size"},
    {Field::steps, "steps"},
};

std::string_view setting_of(Field field) {
    const auto found =
        std::find_if(std::begin(numbered), std::end(numbered),
                     [&](const NumberedSetting& each) { return each.field == field; });
    return found == std::end(numbered) ? std::string_view() : found->name;
}

bool parts_values(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i), "vs versus or against and to") && sentence.follows(i);
}

/// Numbers that stand one behind another, parted by "vs", "or", "and" or commas, and the tokens of
/// them.
struct NumberList {
    std::vector<double> values;
    std::size_t end = 0;
    bool compared = false;
    bool ranged = false;  ///< "from 1 to 64"
};

/// Tokens from `i` on that name the setting, before its number or behind it, whatever step has read
/// them; 0: none.
std::size_t noun_tokens(const Sentence& sentence, std::size_t i, std::string_view noun) {
    std::string words;
    std::size_t found = 0;
    for (std::size_t n = 0; n < 2 && !noun.empty() && sentence.follows(i + n); ++n) {
        words += sentence.word(i + n);
        found = setting_of(field_named_before(words)) == noun ||
                        setting_of(field_named_after(words)) == noun
                    ? n + 1
                    : found;
    }
    return found;
}

/// A number at token i; "single" and "one" beside users are 1.
std::optional<Measure> value_at(const Sentence& sentence, std::size_t i) {
    const bool alone =
        is_any(sentence.word(i), "single one") && noun_tokens(sentence, i + 1, "concurrency") > 0;
    // "an 8b, 4 users": a size is no load, and no part of a name is: "2 users, 3090 or 4090".
    const bool size = parameters_in(sentence.word(i)) && sentence.word(i).ends_with('b');
    const bool part = std::ranges::any_of(sentence.mentions, [i](const Mention& each) {
        return !each.parts.empty() && i >= each.at && i < each.end;
    });
    return alone          ? std::optional(Measure{.value = 1, .unit = ""})
           : size || part ? std::nullopt
                          : measure_at(sentence, i);
}

/// Tokens of what parts the number before token i from the next one: a word, or a comma alone.
std::optional<std::size_t> separator_at(const Sentence& sentence, std::size_t i) {
    if (i >= sentence.tokens.size()) {
        return std::nullopt;
    }
    const std::size_t before = sentence.tokens[i - 1].end;
    const std::size_t begin = std::max(before, sentence.tokens[i].begin);
    // "2k, 8k", "2k / 8k"
    const bool comma =
        std::string_view(sentence.text).substr(before, begin - before).find_first_of(",/") !=
        std::string_view::npos;
    if (parts_values(sentence, i) ||
        (is_any(sentence.word(i), "and & or") && (comma || sentence.follows(i)))) {
        return 1;
    }
    return comma ? std::optional<std::size_t>(0) : std::nullopt;
}

/// "1M context, 8x A100": so many of what is named, whatever stands before.
bool counts_a_part(const Sentence& sentence, std::size_t at, std::size_t end) {
    const bool named = std::ranges::any_of(sentence.mentions,
                                           [end](const Mention& each) { return each.at == end; });
    return is_any(sentence.word(end), "x gpu gpus card cards") ||
           (named && amount_in(sentence.word(at)) && sentence.follows(end));
}

NumberList numbers_at(const Sentence& sentence, std::size_t at, std::string_view noun) {
    NumberList list{{}, at};
    for (std::size_t i = at; i < sentence.tokens.size();) {
        const auto number = value_at(sentence, i);
        if (!number || !number->unit.empty() || number->value <= 0) {
            break;
        }
        if (!list.values.empty() && counts_a_part(sentence, i, i + number->length)) {
            break;
        }
        // "completions of 4096 tokens and 16 generations"
        if (!list.values.empty() && is_any(sentence.word(i + number->length),
                                           "generations rollouts completions answers responses")) {
            break;
        }
        const double thousands = number->kilo && noun != "batch" && number->value < 1e6 &&
                                         static_cast<long>(number->value / 1000) % 5 != 0
                                     ? 1.024
                                     : 1;
        list.values.push_back(number->value * thousands);
        i += number->length;
        list.end = i;
        // The unit may stand behind each: "4k context vs 32k context".
        i += noun_tokens(sentence, i, noun);
        // "r=256 all-linear vs r=16"
        i += is_any(sentence.word(i), "all-linear all_linear")               ? 1
             : sentence.word(i) == "all" && sentence.word(i + 1) == "linear" ? 2
                                                                             : 0;
        const auto parted = separator_at(sentence, i);
        if (!parted) {
            break;
        }
        list.compared = list.compared || (*parted > 0 && !is_any(sentence.word(i), "and & to"));
        list.ranged = list.ranged || (*parted > 0 && sentence.word(i) == "to");
        i += *parted;
        i += noun_tokens(sentence, i, noun);  // "batch 8 vs batch 32"
    }
    return list;
}

/// The name before or behind a list of numbers that says what they set.
std::string_view noun_of(Sentence& sentence, std::size_t at, std::size_t end) {
    for (std::size_t from = at - std::min<std::size_t>(at, 3); from < at; ++from) {
        // What stands there is claimed by the step that read its first number.
        std::string words;
        for (std::size_t i = from; i < at && sentence.follows(i + (i == from ? 1 : 0)); ++i) {
            words += is_any(sentence.word(i), "of = size sweep") && i + 1 == at
                         ? ""
                         : std::string(sentence.word(i));
        }
        const std::string_view name = setting_of(field_named_before(words));
        if (!name.empty()) {
            return name;
        }
    }
    std::string words;
    for (std::size_t i = end; i < end + 2 && sentence.follows(i); ++i) {
        words += sentence.word(i);
        const std::string_view name = setting_of(field_named_after(words));
        if (!name.empty()) {
            return name;
        }
    }
    return "";
}

/// "at concurrency 1, 8 and 32", "batch 1 and batch 32": each of what is listed has its figure,
/// where a rate or memory is asked for and the last number is of nothing else.
bool lists_loads(const Sentence& sentence, std::size_t at, const NumberList& list,
                 std::string_view setting) {
    const bool rate = sentence.asks("throughput ttft tpot latency images");
    const bool memory = sentence.asks("memory strong_memory") && !sentence.asks("kv_cache");
    const bool fits = sentence.asks("strong_fit fit") || sentence.any_word("fits sweep");
    const bool asked = setting == "concurrency" || setting == "batch" ? rate || memory
                       : setting == "sequence"                        ? memory || fits
                                                                      : false;
    const Field last =
        sentence.follows(list.end) ? field_named_after(sentence.word(list.end)) : Field::none;
    const bool plan = at > 0 && is_any(sentence.word(at - 1), "tp pp dp ep zero rank r");
    return asked && !list.ranged && !plan && (last == Field::none || setting_of(last) == setting);
}

constexpr double longest_raised = 1e8;  // "from 7b to 13b" are sizes of models

/// "batch 8 vs 32 vs 128".
bool match_numbers(Sentence& sentence, std::size_t at) {
    const bool part = std::ranges::any_of(
        sentence.mentions, [&](const Mention& each) { return at >= each.at && at < each.end; });
    const bool model =
        at >= sentence.model_at && at < sentence.model_end && !sentence.reading.model.empty();
    NumberList list = part || model ? NumberList{} : numbers_at(sentence, at, "");
    std::string_view first =
        list.values.empty() ? std::string_view() : noun_of(sentence, at, list.end);
    // "how much more memory from 8k to 64k": thousands are those of a context.
    const bool raised = at > 0 && sentence.word(at - 1) == "from" && list.values.size() == 2 &&
                        list.values.front() >= 1000 && list.values.back() <= longest_raised &&
                        sentence.asks("memory strong_memory ram kv_cache");
    first = first.empty() && raised ? "sequence" : first;
    list = first.empty() ? list : numbers_at(sentence, at, first);
    list.compared = list.compared || (raised && list.values.size() == 2);
    const bool listed = !list.compared && list.values.size() > 1 && !first.empty() &&
                        lists_loads(sentence, at, list, first);
    if (list.values.size() < 2 || !(list.compared || listed) || first.empty()) {
        return false;
    }
    Reading& reading = sentence.reading;
    reading.alternatives_of = first;
    constexpr double most = 1e8;
    for (const double value : list.values) {
        if (value < 1 || value > most) {
            sentence.fail(fmt::format("found {:g} as a {}, expected a number from 1 to {:g}", value,
                                      first, most));
            return true;
        }
        reading.alternatives.push_back(fmt::format("{:.0f}", value));
    }
    sentence.claim(at, list.end - at);
    // "seq-len sweep 4k, 16k"
    for (std::size_t i = at;
         i > 0 && is_any(sentence.word(i - 1), "seq sequence len length context ctx size sweep");
         --i) {
        sentence.claim(i - 1);
    }
    if (!listed) {
        sentence.marks.push_back({Means::versus, "", at, list.end - at});
    }
    return true;
}

/// A thing that is there or is not, by its words.
struct Switch {
    std::string_view words;  ///< joined
    std::string_view name;   ///< of `Reading::alternatives_of`
    std::string_view on;
    std::string_view off;
};
// clang-format off
constexpr Switch switches[] = {
    {"flashattention", "attention", "flash", "eager"},     {"flashattention2", "attention", "flash", "eager"},
    {"flashattn", "attention", "flash", "eager"},          {"fa2", "attention", "flash", "eager"},
    {"gradientcheckpointing", "recompute", "full", "none"}, {"activationcheckpointing", "recompute", "full", "none"},
    {"gradientcheckpoints", "recompute", "full", "none"},   {"activationrecomputation", "recompute", "full", "none"},
    {"gradcheckpointing", "recompute", "full", "none"},     {"checkpointing", "recompute", "full", "none"},
    {"gradckpt", "recompute", "full", "none"},              {"recomputation", "recompute", "full", "none"},
    {"actckpt", "recompute", "full", "none"},               {"recompute", "recompute", "full", "none"},
    {"fp8", "quantization", "fp8", "none"},                 {"fp8training", "quantization", "fp8", "none"},
};
// clang-format on

/// The switch whose words begin at token `at`, and how many they are.
std::pair<const Switch*, std::size_t> switch_at(const Sentence& sentence, std::size_t at) {
    std::pair<const Switch*, std::size_t> found{nullptr, 0};
    std::string words;
    for (std::size_t n = 0; n < 3 && (n == 0 || sentence.follows(at + n)); ++n) {
        words += sentence.word(at + n);
        for (const Switch& each : switches) {
            if (each.words == words) {
                found = {&each, n + 1};
            }
        }
    }
    return found;
}

/// Whether both ways are spoken of around the words [at, end): "with and without", "on vs off", "or
/// not", "vs none", "save".
std::size_t both_ways(Sentence& sentence, std::size_t at, std::size_t end) {
    const auto joins = [&](std::size_t i) {
        return is_any(sentence.word(i), "and or vs versus & against");
    };
    const bool before = at > 2 && is_any(sentence.word(at - 3), "with w/ w") && joins(at - 2) &&
                        is_any(sentence.word(at - 1), "without w/o");
    if (before) {
        sentence.claim(at - 3, 3);
        return end;
    }
    if (is_any(sentence.word(end), "on enabled") && joins(end + 1) &&
        is_any(sentence.word(end + 2), "off disabled")) {
        return end + 3;
    }
    if (sentence.word(end) == "on" && sentence.word(end + 1) == "off") {  // "on/off"
        return end + 2;
    }
    // "does flash attention help", "is checkpointing worth it", "how much slower is recomputation"
    if (is_any(sentence.word(end), "help helps matter matters worth hurt hurts") ||
        (is_any(sentence.word(end), "slow slows speed speeds") &&
         is_any(sentence.word(end + 1), "down up things training it"))) {
        return end + (is_any(sentence.word(end + 1), "down up it") ? 2 : 1);
    }
    if (at > 1 && is_any(sentence.word(at - 1), "is with does") &&
        is_any(sentence.word(at - 2), "slower faster")) {
        return end;
    }
    // "is fp8 training on an h100 worth it"
    for (std::size_t i = end; at == 1 && i + 1 < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(0), "is does would will") && sentence.word(i) == "worth" &&
            is_any(sentence.word(i + 1), "it the")) {
            sentence.claim(i, 2);
            return end;
        }
    }
    // "how much does gradient checkpointing save", "memory saved by flash attention"
    if (is_any(sentence.word(end), "save saves saving") ||
        (at > 1 && is_any(sentence.word(at - 1), "by from with of") &&
         is_any(sentence.word(at - 2), "save saved saves saving savings"))) {
        if (!sentence.any_word("time money cost hours days")) {
            sentence.marks.push_back({Means::ask, "strong_memory", at, end - at});
        }
        return end + (is_any(sentence.word(end), "save saves saving") ? 1 : 0);
    }
    const bool against =
        joins(end) &&
        is_any(sentence.word(end + 1),
               "not without no none off eager naive vanilla standard normal plain regular sdpa");
    return against
               ? end + 2 +
                     (is_any(sentence.word(end + 2), "attention attn it recompute checkpointing")
                          ? 1
                          : 0)
               : 0;
}

bool match_switch(Sentence& sentence, std::size_t at) {
    const auto [thing, words] = switch_at(sentence, at);
    const bool cache = is_any(sentence.word(at + words), "kv cache");  // "fp8 kv cache"
    const std::size_t end = thing == nullptr || cache ? 0 : both_ways(sentence, at, at + words);
    if (end == 0) {
        return false;
    }
    Reading& reading = sentence.reading;
    reading.alternatives_of = thing->name;
    const bool sdpa = thing->name == "attention" && near_words(sentence, at, end, "sdpa");
    reading.alternatives = {std::string(thing->on), sdpa ? "sdpa" : std::string(thing->off)};
    reading.recompute = reading.keep_activations = false;
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return mark.at >= at && mark.at < end && mark.means != Means::train;
    });
    sentence.claim(at, end - at);
    sentence.marks.push_back({Means::versus, "", at, words});
    return true;
}

}  // namespace

bool recognise_settings_compared(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (match_switch(sentence, i) || match_numbers(sentence, i)) {
            return true;
        }
    }
    return false;
}

}  // namespace ridgeline::reading
