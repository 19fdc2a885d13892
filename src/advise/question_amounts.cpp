#include "advise/question_reader.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

// Amounts with a unit: tokens, context, users, batch, rank, time, latency.

namespace ridgeline::question {
namespace {

// "8k" of context is 8192: lengths are powers of two.
std::optional<double> length_in(std::string_view word) {
    const auto number = number_in(word);
    if (!number || word.empty() || word.back() != 'k') {
        return number;
    }
    const double thousands = *number / 1000;
    const double exponent = std::log2(thousands);
    return thousands >= 1 && exponent == std::floor(exponent) ? thousands * 1024 : *number;
}

std::optional<int> length(State& state, std::string_view word) {
    const auto number = length_in(word);
    if (!number) {
        return std::nullopt;
    }
    if (*number < 1 || *number > 1e8 || *number != std::floor(*number)) {
        state.fail("found \"" + std::string(word) +
                   "\" tokens, expected a whole number from 1 to 1e8");
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

std::optional<double> seconds_of_unit(std::string_view unit) {
    if (is_any(unit, {"second", "seconds", "sec", "secs", "s"})) {
        return 1;
    }
    if (is_any(unit, {"minute", "minutes", "min", "mins"})) {
        return 60;
    }
    if (is_any(unit, {"hour", "hours", "h", "hr", "hrs"})) {
        return 3600;
    }
    if (is_any(unit, {"day", "days", "d"})) {
        return 86400;
    }
    if (is_any(unit, {"week", "weeks"})) {
        return 7 * 86400;
    }
    if (is_any(unit, {"month", "months"})) {
        return 30 * 86400;
    }
    return std::nullopt;
}

// "2027-03-01"
bool is_date(std::string_view word) {
    bool right = word.size() == 10;
    for (std::size_t i = 0; right && i < word.size(); ++i) {
        right = i == 4 || i == 7 ? word[i] == '-' : is_digit(word[i]);
    }
    return right;
}

std::size_t match_time(State& state, std::size_t at) {
    std::size_t i = at;
    if (is_any(state.word(at), {"overnight"})) {
        state.query().deadline_s = 12 * 3600;
        state.reading.assumptions.emplace_back("overnight was taken as 12 hours");
        return 1;
    }
    while (is_any(state.word(i),
                  {"in",
                   "within",
                   "under",
                   "by",
                   "before",
                   "until",
                   "deadline",
                   "of",
                   "less",
                   "than",
                   "at",
                   "most",
                   "finish",
                   "finished",
                   "done",
                   "complete"})) {
        ++i;
    }
    const std::string_view word = state.word(i);
    if (i > at && is_date(word)) {
        state.reading.deadline_date = word;
        return i + 1 - at;
    }
    const bool article = is_any(word, {"a", "an"});
    auto amount = article ? std::optional<double>(1) : number_in(word);
    auto unit = seconds_of_unit(state.word(i + 1));
    std::size_t taken = i + 2 - at;
    if (!amount || !unit) {
        // "30d", "12h", "30-day"
        const auto end = std::find_if(word.begin(), word.end(), [](char c) {
            return std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.';
        });
        std::string_view tail = word.substr(static_cast<std::size_t>(end - word.begin()));
        if (!tail.empty() && tail.front() == '-') {
            tail.remove_prefix(1);
        }
        // "4090s" are cards: seconds and bare letters count only after a preposition.
        const bool said = i > at || tail.size() > 1;
        unit = said && tail != "s" ? seconds_of_unit(tail) : std::nullopt;
        amount = number_with_suffix(word.substr(0, static_cast<std::size_t>(end - word.begin())));
        taken = i + 1 - at;
    }
    if (!amount || !unit) {
        return 0;
    }
    if (at > 1 && is_any(state.word(at - 1), {"runs", "run", "jobs", "times"})) {
        return 0;  // "10 runs a month" is how often, not by when
    }
    if (positive(state, word, *amount)) {
        state.query().deadline_s = *amount * *unit;
    }
    return taken;
}

std::size_t match_latency(State& state, std::size_t at) {
    const std::string_view name = state.word(at);
    if (!is_any(name, {"ttft", "tpot"})) {
        return 0;
    }
    std::size_t i = at + 1;
    while (
        is_any(state.word(i), {"under", "below", "of", "at", "most", "less", "than", "within"})) {
        ++i;
    }
    std::string_view word = state.word(i);
    std::string_view unit = state.word(i + 1);
    std::size_t taken = i + 2 - at;
    for (const std::string_view glued : {std::string_view("ms"), std::string_view("s")}) {
        if (word.size() > glued.size() && word.substr(word.size() - glued.size()) == glued) {
            word.remove_suffix(glued.size());
            unit = glued;
            --taken;
            break;
        }
    }
    const auto value = number_in(word);
    if (!value || !is_any(unit, {"ms", "s", "second", "seconds", "milliseconds"})) {
        state.fail("found \"" + std::string(name) + " " + std::string(state.word(at + 1)) +
                   "\", expected a time such as \"" + std::string(name) + " 500 ms\"");
        return 1;
    }
    if (positive(state, word, *value)) {
        const double scale = unit.substr(0, 1) == "m" ? 1e-3 : 1;
        (name == "ttft" ? state.query().ttft_s : state.query().tpot_s) = *value * scale;
    }
    return taken;
}

bool is_token_word(std::string_view word) {
    return is_any(word, {"tokens", "token", "toks"});
}

std::size_t match_tokens(State& state, std::size_t at) {
    const auto number = number_in(state.word(at));
    if (!number) {
        return 0;
    }
    // "1 trillion tokens"
    double scale = 1;
    std::size_t i = at + 1;
    if (is_any(state.word(i), {"trillion", "billion", "million"})) {
        scale = state.word(i) == "trillion" ? 1e12 : state.word(i) == "billion" ? 1e9 : 1e6;
        ++i;
    }
    if (!is_token_word(state.word(i))) {
        return 0;
    }
    // "4096 tokens context" is a length of one sequence.
    if (is_any(state.word(i + 1), {"context", "sequence", "sequences"})) {
        if (const auto value = length(state, state.word(at))) {
            state.workload().sequence_length = *value;
        }
        return i + 2 - at;
    }
    if (positive(state, state.word(at), *number)) {
        state.workload().duration_tokens = *number * scale;
    }
    return i + 1 - at;
}

/// Public datasets by name: samples of the training part and bytes on storage.
struct NamedDataset {
    std::string_view name;
    double samples;
    double bytes;
};
constexpr NamedDataset datasets[] = {
    {"imagenet", 1'281'167, 148e9},     // ILSVRC 2012, image-net.org
    {"imagenet-1k", 1'281'167, 148e9},  // the same
    {"coco", 118'287, 19.3e9},          // train2017, cocodataset.org
    {"cifar-10", 50'000, 0.17e9},       // cs.toronto.edu/~kriz/cifar.html
};

/// "imagenet", "90 epochs": the length of a run in samples.
std::size_t match_dataset(State& state, std::size_t at) {
    for (const NamedDataset& dataset : datasets) {
        if (state.word(at) == dataset.name) {
            state.workload().dataset_samples = dataset.samples;
            state.workload().dataset_bytes = dataset.bytes;
            return 1;
        }
    }
    const auto number = number_in(state.word(at));
    if (!number || !is_any(state.word(at + 1), {"epochs", "epoch"})) {
        return 0;
    }
    if (positive(state, state.word(at), *number)) {
        state.workload().duration_epochs = *number;
    }
    return 2;
}

std::size_t match_context(State& state, std::size_t at) {
    const auto names_length = [&](std::size_t i) {
        return is_any(state.word(i), {"context", "ctx", "sequence", "seq", "seqlen", "sequences"});
    };
    if (names_length(at)) {
        std::size_t i = at + 1;
        while (is_any(state.word(i), {"length", "len", "of", "window", "is", "size"})) {
            ++i;
        }
        if (const auto value = length(state, state.word(i))) {
            state.workload().sequence_length = *value;
            return i + 1 - at + (is_token_word(state.word(i + 1)) ? 1 : 0);
        }
        return i - at;
    }
    if (names_length(at + 1)) {
        if (const auto value = length(state, state.word(at))) {
            state.workload().sequence_length = *value;
            const bool tail = is_any(state.word(at + 2), {"length", "len", "window"});
            return tail ? 3 : 2;
        }
    }
    return 0;
}

Serving& serving_of(State& state) {
    if (!state.workload().serving) {
        state.workload().serving = Serving{};
    }
    state.workload().task = Task::inference;
    return *state.workload().serving;
}

std::size_t match_users(State& state, std::size_t at) {
    if (is_any(state.word(at), {"concurrency"})) {
        if (const auto value = count_in(state, state.word(at + 1))) {
            serving_of(state).concurrency = *value;
            return 2;
        }
        return 0;
    }
    const auto number = number_in(state.word(at));
    if (!number) {
        return 0;
    }
    std::size_t i = at + 1;
    const std::string_view unit = state.word(i);
    const bool a_second = is_any(unit, {"requests", "request"}) &&
                          (is_any(state.word(i + 1), {"per", "a", "/"}) &&
                           is_any(state.word(i + 2), {"second", "s", "sec"}));
    if (a_second || is_any(unit, {"rps", "req/s", "requests/s", "qps"})) {
        if (positive(state, state.word(at), *number)) {
            serving_of(state);
            state.query().requests_per_s = *number;
        }
        return a_second ? 4 : 2;
    }
    if (is_any(unit, {"concurrent", "simultaneous", "parallel"})) {
        ++i;
    }
    const bool people = is_any(
        state.word(i), {"users", "user", "requests", "sessions", "streams", "chats", "request"});
    if (!people && i == at + 1) {
        return 0;
    }
    if (const auto value = count_in(state, state.word(at))) {
        serving_of(state).concurrency = *value;
    }
    return i + (people ? 1 : 0) - at;
}

std::size_t match_batch_or_rank(State& state, std::size_t at) {
    const bool micro = state.word(at) == "micro" || state.word(at) == "micro-batch";
    const bool rank = is_any(state.word(at), {"rank", "r", "lora-rank"});
    const bool batch = micro || is_any(state.word(at), {"batch", "batch-size", "global"});
    if (!rank && !batch) {
        return 0;
    }
    std::size_t i = at + 1;
    while (is_any(state.word(i), {"batch", "size", "of", "is", "="})) {
        ++i;
    }
    if (!number_in(state.word(i))) {
        return 0;
    }
    if (const auto value = count_in(state, state.word(i))) {
        auto& field = rank    ? state.workload().lora_rank
                      : micro ? state.workload().micro_batch
                              : state.workload().global_batch;
        field = *value;
    }
    return i + 1 - at;
}

// "thousands of GPUs": a round number, said in the answer.
std::size_t match_many_accelerators(State& state, std::size_t at) {
    const std::string_view word = state.word(at);
    const int count = word == "hundreds" ? 512 : word == "thousands" ? 4096 : 0;
    const std::size_t of = state.word(at + 1) == "of" ? 1 : 0;
    if (count == 0 || !is_any(state.word(at + 1 + of), {"gpus", "accelerators", "cards"})) {
        return 0;
    }
    state.query().exact_accelerators = count;
    state.reading.assumptions.push_back(std::string(word) + " was taken as " +
                                        std::to_string(count));
    return 2 + of;
}

std::size_t match_most_accelerators(State& state, std::size_t at) {
    std::size_t i = at;
    while (
        is_any(state.word(i), {"up", "to", "at", "most", "max", "maximum", "no", "more", "than"})) {
        ++i;
    }
    const auto number = i > at ? number_in(state.word(i)) : std::nullopt;
    if (!number || !is_any(state.word(i + 1), {"gpu", "gpus", "cards", "card", "accelerators"})) {
        return 0;
    }
    if (const auto value = count_in(state, state.word(i))) {
        state.query().max_accelerators = *value;
    }
    return i + 2 - at;
}

}  // namespace

bool positive(State& state, std::string_view word, double value) {
    if (value > 0 && std::isfinite(value)) {
        return true;
    }
    state.fail("found \"" + std::string(word) + "\", expected a number above zero");
    return false;
}

std::size_t match_amount(State& state, std::size_t at) {
    static constexpr Matcher matchers[] = {match_tokens,
                                           match_dataset,
                                           match_context,
                                           match_users,
                                           match_batch_or_rank,
                                           match_latency,
                                           match_most_accelerators,
                                           match_many_accelerators};
    for (const Matcher matcher : matchers) {
        if (const std::size_t taken = matcher(state, at); taken > 0 || state.error) {
            return taken;
        }
    }
    return 0;
}

std::size_t match_constraint(State& state, std::size_t at) {
    if (const std::size_t taken = match_money(state, at); taken > 0 || state.error) {
        return taken;
    }
    return match_time(state, at);
}

}  // namespace ridgeline::question
