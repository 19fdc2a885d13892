#include "advise/reading/words/token.h"
#include "base/number.h"

#include <algorithm>
#include <span>

// Numbers as people write them: "8", "1.5b", "two", "trillion".

namespace ridgeline::reading {
namespace {

struct NumberWord {
    std::string_view word;
    double value;
};
// clang-format off
constexpr NumberWord number_words[] = {
    {"zero", 0},    {"one", 1},       {"two", 2},       {"three", 3},    {"four", 4},    {"five", 5},     {"six", 6},
    {"seven", 7},   {"eight", 8},     {"nine", 9},      {"ten", 10},     {"eleven", 11}, {"twelve", 12},  {"thirteen", 13},
    {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16}, {"twenty", 20},  {"thirty", 30}, {"forty", 40},   {"fifty", 50},
    {"sixty", 60},  {"seventy", 70},  {"eighty", 80},   {"ninety", 90},
    // German, French, Spanish, Italian, Portuguese
    {"zwei", 2},    {"drei", 3},      {"vier", 4},      {"funf", 5},     {"sechs", 6},   {"sieben", 7},   {"acht", 8},
    {"deux", 2},    {"trois", 3},     {"quatre", 4},    {"cinq", 5},     {"huit", 8},    {"tres", 3},     {"cuatro", 4},
    {"cinco", 5},   {"seis", 6},      {"ocho", 8},      {"tre", 3},      {"quattro", 4}, {"cinque", 5},   {"otto", 8},
    {"dois", 2},    {"duas", 2},      {"quatro", 4},    {"oito", 8},     {"twee", 2},    {"drie", 3},     {"zes", 6},
};
// clang-format on
// clang-format off
constexpr NumberWord scale_words[] = {
    {"k", 1e3},          {"thousand", 1e3}, {"m", 1e6},        {"mm", 1e6},
    {"mil", 1e6},        {"million", 1e6},  {"mio", 1e6},      {"mln", 1e6},
    {"b", 1e9},          {"bn", 1e9},       {"billion", 1e9},  {"t", 1e12},
    {"lakh", 1e5},       {"lakhs", 1e5},    {"crore", 1e7},    {"crores", 1e7},
    {"trillion", 1e12},  {"tn", 1e12},      {"millions", 1e6}, {"billions", 1e9},
    {"trillions", 1e12}, {"grand", 1e3},    {"hundred", 1e2},
    {"tenthousand", 1e4}, {"hundredmillion", 1e8},
    // German, French, Spanish, Italian and Portuguese: a "Milliarde" has nine zeros.
    {"millionen", 1e6},  {"milliarde", 1e9}, {"milliarden", 1e9}, {"milliards", 1e9},
    {"millones", 1e6},   {"millon", 1e6},    {"milioni", 1e6},    {"milione", 1e6},
    {"milhoes", 1e6},    {"milhao", 1e6},    {"miliardi", 1e9},      {"miliardo", 1e9},
    {"mrd", 1e9},        {"mld", 1e9},       {"bilhoes", 1e9},       {"bilhao", 1e9},
    // Of twelve zeros, but in Brazil, whose words end in -lhao.
    {"trilhoes", 1e12},  {"trilhao", 1e12},  {"billones", 1e12},     {"billon", 1e12},
    {"bilioes", 1e12},   {"billionen", 1e12}, {"bilioni", 1e12},
};
// clang-format on

std::optional<double> value_of(std::span<const NumberWord> words, std::string_view word) {
    const auto found = std::ranges::find(words, word, &NumberWord::word);
    return found != words.end() ? std::optional(found->value) : std::nullopt;
}

}  // namespace

std::optional<Amount> amount_in(std::string_view word) {
    if (const auto named = value_of(number_words, word)) {
        return Amount{*named, ""};
    }
    const auto number =
        word.empty() || !is_digit(word.front()) ? std::nullopt : leading_number(word);
    if (!number && !word.empty() && is_digit(word.front())) {
        // "1e400": past all that a number can be; what it counts refuses it.
        constexpr double beyond = 1e300;
        const std::size_t length = std::min(word.find_first_not_of("0123456789.e"), word.size());
        return Amount{beyond, std::string(word.substr(length))};
    }
    if (!number) {
        return std::nullopt;
    }
    Amount amount{number->value, std::string(word.substr(number->length))};
    return std::ranges::all_of(amount.unit, is_letter) ? std::optional(amount) : std::nullopt;
}

double scale_of_word(std::string_view word) { return value_of(scale_words, word).value_or(0); }

std::optional<double> parameters_in(std::string_view word) {
    const auto amount = has_digit(word) ? amount_in(word) : std::nullopt;
    if (!amount || amount->value <= 0 ||
        (amount->unit != "b" && amount->unit != "m" && amount->unit != "t" &&
         amount->unit != "bn")) {
        return std::nullopt;
    }
    const double parameters = amount->value * scale_of_word(amount->unit);
    return parameters >= 1e6 && parameters <= 1e14 ? std::optional(parameters) : std::nullopt;
}

}  // namespace ridgeline::reading
