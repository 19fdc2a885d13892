#include "advise/reading/numbers/fields.h"
#include "advise/reading/settling/asked_training.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// How accelerators share a model: "zero 3", "tp8", "tensor parallel 4", "with gradient
// checkpointing"; and percentiles of times.

namespace ridgeline::reading {
namespace {

bool names_sharding(const std::string& word) {
    const auto words = sharding_words();
    return word != "none" && std::any_of(words.begin(), words.end(),
                                         [&](const auto& each) { return each.first == word; });
}

/// "zero3", "zero-2", "zero stage 3", "fsdp", "hsdp", "ddp" at a token; the tokens of it.
std::size_t match_sharding(Sentence& sentence, std::size_t at) {
    std::string name(sentence.word(at));
    std::size_t end = at + 1;
    if (name == "zero") {
        end += is_any(sentence.word(end), "stage level") ? 1 : 0;
        if (!sentence.follows(end)) {
            return 0;
        }
        name += sentence.word(end++);
    }
    // "fms-fsdp" is a stack.
    const auto stack = at > 0 && sentence.tokens[at].gap == Gap::joint
                           ? sentence.names.lexicon.find(std::string(sentence.word(at - 1)) + name)
                           : std::span<const Phrase* const>();
    // "full shard vs hybrid shard", PyTorch's ShardingStrategy of FSDP
    const bool full = name == "full_shard" || (name == "full" && sentence.word(at + 1) == "shard");
    const bool hybrid = name == "hybrid_shard" ||
                        (name == "hybrid" && is_any(sentence.word(at + 1), "shard sharding"));
    if (full || hybrid) {
        end = at + (name.ends_with("shard") ? 1 : 2);
        name = hybrid ? "hsdp" : "fsdp";
    }
    if (!names_sharding(name) || !stack.empty()) {
        return 0;
    }
    // "fsdp full shard vs hybrid shard": the stack's name before its strategy is the same way.
    if ((full || hybrid) && !sentence.shardings.empty() &&
        sentence.shardings.back().second + 1 == at) {
        sentence.shardings.pop_back();
    }
    sentence.shardings.emplace_back(name, at);
    sentence.marks.push_back({Means::train, "", at, end - at});
    // "zero 2 vs 3": further stages behind the first, which no card that follows counts.
    while (name.starts_with("zero") && is_any(sentence.word(end), "vs versus or against") &&
           sentence.follows(end + 1) &&
           names_sharding("zero" + std::string(sentence.word(end + 1))) &&
           !is_any(sentence.word(end + 2), "node nodes gpu gpus card cards machines servers x") &&
           std::ranges::none_of(sentence.mentions,
                                [end](const Mention& each) { return each.at == end + 2; })) {
        sentence.shardings.emplace_back("zero" + std::string(sentence.word(end + 1)), end + 1);
        const bool either = sentence.word(end) == "or";
        sentence.marks.push_back({either ? Means::either : Means::versus, "", end, 1});
        end += 2;
    }
    return end - at;
}

/// Words of a degree of parallelism before its number: "tp", "tensor parallel size".
std::size_t degree_words(const Sentence& sentence, std::size_t at, std::string_view kind) {
    const std::string_view word = sentence.word(at);
    const std::string_view rest = sentence.word(at + 1);
    // "ep 3" are epochs.
    if (kind != "expert" && word == std::string{kind.front(), 'p'}) {
        return 1;
    }
    return word == kind && is_any(rest, "parallel parallelism") ? 2 : 0;
}

/// The whole number that is a degree, from 1 to 64; 0: none.
int degree_in(std::string_view digits) {
    constexpr int most = 64;
    const auto amount = all_digits(digits) ? amount_in(digits) : std::nullopt;
    return amount && amount->value >= 1 && amount->value <= most ? static_cast<int>(amount->value)
                                                                 : 0;
}

void take_degree(Sentence& sentence, std::size_t at, std::optional<int> Reading::*member,
                 int degree) {
    sentence.reading.*member = degree;
    if (member == &Reading::tensor) {
        sentence.degrees.emplace_back("tp" + std::to_string(degree), at);
    }
}

/// "tp 2 or 4", "tensor parallel 4 vs 8": further degrees behind the one at token `number`.
void take_other_degrees(Sentence& sentence, std::size_t number) {
    const auto counts = [&](std::size_t i) {
        return std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                           [&](const Mention& each) { return each.at == i + 1; }) ||
               is_any(sentence.word(i + 1), "x gpu gpus card cards");
    };
    for (std::size_t i = number + 2;
         is_any(sentence.word(i - 1), "or vs versus") && sentence.open(i) &&
         degree_in(sentence.word(i)) > 0 && !counts(i);
         i += 2) {
        sentence.degrees.emplace_back("tp" + std::string(sentence.word(i)), i);
        sentence.claim(i);
    }
}

std::size_t match_degree(Sentence& sentence, std::size_t at) {
    for (const auto& [kind, member] :
         {std::pair{"tensor", &Reading::tensor}, std::pair{"pipeline", &Reading::pipeline},
          std::pair{"context", &Reading::context_parallel},
          std::pair{"expert", &Reading::expert_parallel}}) {
        const std::string_view word = sentence.word(at);
        const bool glued = word.starts_with(std::string{kind[0], 'p'});
        if (glued && degree_in(word.substr(2)) > 0) {
            take_degree(sentence, at, member, degree_in(word.substr(2)));
            return 1;
        }
        const std::size_t words = degree_words(sentence, at, kind);
        std::size_t number = at + words;
        while (words > 0 && number < at + words + 3 &&
               is_any(sentence.word(number), "= size degree of is")) {
            ++number;
        }
        if (words > 0 && sentence.open(number) && degree_in(sentence.word(number)) > 0) {
            take_degree(sentence, at, member, degree_in(sentence.word(number)));
            take_other_degrees(sentence, number);
            return number + 1 - at;
        }
        if (words > 0 && at > 0 && sentence.follows(at) &&
            is_any(sentence.word(at - 1), "without no not w/o disable disabling avoid avoiding")) {
            sentence.reading.*member = 1;
            return words;
        }
        if (words == 2) {
            return words;  // "tensor parallelism", of no degree
        }
    }
    return 0;
}

/// "megatron tp pp dp plan", "tp/pp split": ways of sharing a model beside each other, none with a
/// number; "pp" alone is the pass of a benchmark.
std::size_t match_bare_ways(Sentence& sentence, std::size_t at) {
    constexpr std::string_view ways = "tp pp dp ep cp sp";
    std::size_t end = at;
    while (sentence.open(end) && is_any(sentence.word(end), ways)) {
        ++end;
        end += is_any(sentence.word(end), "and x & +") && is_any(sentence.word(end + 1), ways);
    }
    return end > at + 1 && degree_in(sentence.word(end)) == 0 ? end - at : 0;
}

/// "dp2", "dp = 4" beside other degrees: their product is the number of accelerators, where none is
/// said.
std::size_t match_copies_of_plan(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::size_t number = at + (is_any(sentence.word(at + 1), "= of size") ? 2 : 1);
    const bool glued = word.starts_with("dp") && degree_in(word.substr(2)) > 0;
    const int degree = glued                                      ? degree_in(word.substr(2))
                       : word == "dp" && sentence.follows(number) ? degree_in(sentence.word(number))
                                                                  : 0;
    if (degree == 0) {
        return 0;
    }
    sentence.data_degree = degree;
    return glued ? 1 : number + 1 - at;
}

/// What a switch behind its name says, and its words: "off", "is disabled", "= false", ": no"; "on"
/// alone stands before hardware.
struct Switch {
    bool said = false;
    bool on = false;
    std::size_t words = 0;
};
Switch switch_behind(const Sentence& sentence, std::size_t at) {
    std::size_t end = at;
    bool set = end < sentence.tokens.size() && parted_by_colon(sentence, end);
    while (end < at + 3 && sentence.follows(end) &&
           is_any(sentence.word(end), "= is are was be being set to turned switched")) {
        set = set || sentence.word(end) == "=";
        ++end;
    }
    const std::string_view word = end < sentence.tokens.size() && (sentence.follows(end) || set)
                                      ? sentence.word(end)
                                      : std::string_view();
    const bool off = (is_any(word, "off disabled false deactivated") &&
                      !is_any(sentence.word(end + 1), "load loading")) ||
                     (set && is_any(word, "no none"));
    const bool on = is_any(word, "enabled true activated") || (set && is_any(word, "yes on"));
    return {off || on, on, off || on ? end + 1 - at : 0};
}

/// "flash attention off", "without flash attn": of a run of training.
std::size_t match_attention(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool joined = is_any(word, "flashattention flashattn fa2");
    if (!joined && !(word == "flash" && is_any(sentence.word(at + 1), "attention attn"))) {
        return 0;
    }
    std::size_t words = joined ? 1 : 2;
    words += is_any(sentence.word(at + words), "2") && sentence.follows(at + words) ? 1 : 0;
    const Switch behind = switch_behind(sentence, at + words);
    const bool without = at > 0 && sentence.follows(at) &&
                         is_any(sentence.word(at - 1), "without no not w/o disable disabling");
    if (without || (behind.said && !behind.on)) {
        sentence.reading.attention = "eager";
        return words + behind.words;
    }
    return 0;
}

std::size_t match_checkpointing(Sentence& sentence, std::size_t at) {
    const auto is_it = [](std::string_view word) {
        return is_any(word, "checkpointing checkpoints recomputation ckpt recompute recomputing");
    };
    if (sentence.word(at) == "selective" && sentence.follows(at + 1)) {
        const std::size_t noun =
            at + (is_any(sentence.word(at + 1), "activation activations attention") ? 2 : 1);
        if (is_it(sentence.word(noun))) {
            sentence.marks.push_back({Means::train, "", at, noun + 1 - at});
            sentence.assume(selective_recompute, "selective", "attention alone is computed again");
            return noun + 1 - at;
        }
    }
    if (sentence.word(at) == "sequence" && is_any(sentence.word(at + 1), "parallel parallelism")) {
        return 2;  // what stacks with tensor parallelism have anyway
    }
    const bool kind =
        is_any(sentence.word(at), "gradient activation grad act") && is_it(sentence.word(at + 1));
    const bool alone = is_any(sentence.word(at), "checkpointing recomputation gc");
    const Switch behind = switch_behind(sentence, at + (kind ? 2 : 1));
    const bool without =
        (at > 0 && is_any(sentence.word(at - 1), "without no disable disabled disabling")) ||
        (behind.said && !behind.on);
    const bool with =
        behind.on || (at > 0 && is_any(sentence.word(at - 1), "with using full + and &"));
    if (!kind && !(alone && (with || without))) {
        return 0;
    }
    const std::size_t words = (kind ? 2 : 1) + behind.words;
    sentence.marks.push_back({Means::train, "", at, words});
    sentence.reading.recompute = !without;
    sentence.reading.keep_activations = without;
    return words;
}

/// "fused backward pass", "optimizer in backward".
std::size_t match_step_in_backward(Sentence& sentence, std::size_t at) {
    const bool fused = sentence.word(at) == "fused" && sentence.word(at + 1) == "backward";
    const bool within = is_any(sentence.word(at), "optimizer optim") &&
                        is_any(sentence.word(at + 1), "in within") &&
                        sentence.word(at + 2) == "backward";
    if (!fused && !within) {
        return 0;
    }
    const std::size_t words = fused ? 2 : 3;
    const std::size_t noun = sentence.word(at + words) == "pass" ? 1 : 0;
    sentence.marks.push_back({Means::train, "", at, words + noun});
    sentence.reading.optimizer_in_backward = true;
    return words + noun;
}

/// Whether a run of training is spoken of, in whose states alone an offload is meant.
bool is_offload_of_training(const Sentence& sentence) {
    return sentence.any_word(
        "train training trained finetune finetuning finetuned tune tuning pretrain pretraining "
        "lora qlora sft dpo grpo deepspeed zero zero1 zero2 zero3 fsdp");
}

/// "--cpu-offload-gb 10", "cpu offload 10gb": so much of the weights lies in the host's memory,
/// which is none of a card and no estimate parts. "cpu offload 64gb ram" tells what the host has,
/// as every such number does in training.
std::size_t match_part_on_host(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    std::size_t end = at;
    if (is_any(word, "cpu-offload-gb cpu_offload_gb")) {
        end = at + 1;
    } else if (word == "cpu" && is_any(sentence.word(at + 1), "offload offloading")) {
        end = at + 2;
        end += is_any(sentence.word(end), "gb of =") ? 1 : 0;
    }
    end += end > at && sentence.word(end) == "=" ? 1 : 0;
    const auto measure =
        end > at && sentence.follows(end) ? measure_at(sentence, end) : std::nullopt;
    const bool bare =
        measure && measure->unit.empty() && (end == at + 1 || sentence.word(end - 1) == "gb");
    if (!measure || !(bare || is_any(measure->unit, "gb gib g"))) {
        return 0;
    }
    const bool flag = bare || word != "cpu";
    if (!flag && sentence.follows(end + measure->length) &&
        is_any(sentence.word(end + measure->length), "ram memory system host dram ddr4 ddr5")) {
        return 0;
    }
    if (!flag && is_offload_of_training(sentence)) {
        take(sentence, end, *measure, Field::host_memory);
        sentence.claim(end, measure->length);
        return 0;
    }
    sentence.reading.unweighed.push_back(fmt::format(
        "{:g} GB of the weights in the host's memory (what is answered holds all on the cards)",
        measure->value));
    return end + measure->length - at;
}

/// "all-linear", "all linear layers", "q_proj and v_proj", "qv only": modules beside which adapters
/// stand.
std::size_t match_targets(Sentence& sentence, std::size_t at) {
    std::vector<std::string>& targets = sentence.reading.lora_targets;
    const std::string_view word = sentence.word(at);
    const bool joined = is_any(word, "all-linear all_linear");
    if (joined || (word == "all" && sentence.word(at + 1) == "linear")) {
        targets = {"all-linear"};
        const std::size_t end = at + (joined ? 1 : 2);
        const bool noun = is_any(sentence.word(end), "layers layer modules projections targets");
        return end - at + (noun ? 1 : 0);
    }
    if (word == "qv" && is_any(sentence.word(at + 1), "only proj projections targets")) {
        targets = {"q_proj", "v_proj"};
        return 2;
    }
    const bool parted = sentence.word(at + 1) == "proj";
    const std::string name(word.substr(0, word.find('_')));
    if ((parted || word == name + "_proj") && is_any(name, "q k v o gate up down")) {
        targets.push_back(name + "_proj");
        return parted ? 2 : 1;
    }
    return 0;
}

/// "p95", "95th percentile": an estimate has one time for a steady load, and its own error.
std::size_t match_percentile(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool short_form = is_any(word, "p50 p75 p90 p95 p98 p99");
    const bool long_form = sentence.word(at + 1) == "percentile" && has_digit(word);
    if (!short_form && !long_form) {
        return 0;
    }
    sentence.assume(
        "percentile", long_form ? std::string(word) + " percentile" : std::string(word),
        "not used: times are those of a steady load, ranges those of the estimate's error");
    return long_form ? 2 : 1;
}

}  // namespace

void recognise_early_settings(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        sentence.claim(i, sentence.open(i) ? match_part_on_host(sentence, i) : 0);
        sentence.claim(i, sentence.open(i) ? match_targets(sentence, i) : 0);
    }
}

void recognise_plan_words(Sentence& sentence) {
    using Matcher = std::size_t (*)(Sentence&, std::size_t);
    static constexpr Matcher matchers[] = {
        match_sharding,         match_degree,     match_copies_of_plan, match_checkpointing,
        match_step_in_backward, match_percentile, match_attention,      match_bare_ways};
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const Matcher matcher : matchers) {
            const std::size_t length = sentence.open(i) ? matcher(sentence, i) : 0;
            sentence.claim(i, length);
        }
    }
    if (!sentence.shardings.empty()) {
        sentence.reading.sharding = sentence.shardings.front().first;
    }
}

}  // namespace ridgeline::reading
