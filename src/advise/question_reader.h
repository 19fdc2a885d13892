#pragma once

#include "advise/question.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::question {

/// Words of a question, lower case, without punctuation.
std::vector<std::string> words_of(std::string_view text);

/// What the matchers fill in while they walk over the words.
struct State {
    const Vocabulary& vocabulary;
    std::vector<std::string> words;
    Reading reading;
    std::optional<Error> error;
    int count = 0;             ///< "8 x" and "two" before the hardware they count
    bool one_owned = false;  ///< "my 4090": one, where no number says otherwise
    bool serves_many = false;  ///< "serve", as opposed to "run" or "chat"
    bool pretrains = false;
    bool four_bits = false;  ///< "4-bit" before the method is known
    bool says_fine_tune = false;

    [[nodiscard]] std::string_view word(std::size_t i) const {
        return i < words.size() ? std::string_view(words[i]) : std::string_view();
    }
    Query& query() { return reading.query; }
    WorkloadDocument& workload() { return reading.query.workload; }
    void fail(std::string message, std::string hint = {});
};

/// Each matcher looks at the words from `at` on and returns how many it understood; 0: none.
using Matcher = std::size_t (*)(State& state, std::size_t at);

std::size_t match_model(State& state, std::size_t at);
std::size_t match_hardware(State& state, std::size_t at);
std::size_t match_method(State& state, std::size_t at);
std::size_t match_amount(State& state, std::size_t at);      ///< tokens, users, context, ranks
std::size_t match_constraint(State& state, std::size_t at);  ///< money, time, vendor, features
std::size_t match_money(State& state, std::size_t at);       ///< part of match_constraint
std::size_t match_setting(State& state, std::size_t at);     ///< precision, framework, profile

/// A number with suffix, or a number word ("two"); nothing when it is neither.
std::optional<double> number_in(std::string_view word);
/// The number as a positive int, or a failure that names it.
std::optional<int> count_in(State& state, std::string_view word);
/// The value is a number above zero; else the question fails and names `word`.
bool positive(State& state, std::string_view word, double value);
bool is_filler(std::string_view word);

/// A word that looks like a model's name and is nearly one: always a failure or nothing.
std::size_t match_misspelt(State& state, std::size_t at);

inline bool is_any(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}
inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool has_digit(std::string_view word) {
    return std::any_of(word.begin(), word.end(), is_digit);
}

}  // namespace ridgeline::question
