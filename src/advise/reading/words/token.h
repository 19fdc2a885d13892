#pragma once

#include "base/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::reading {

/// What stands between a token and the one before it.
enum class Gap { none, joint, slash, colon, space, paren, stop };

/// One word, number or sign of a question. `text` is lower case, without apostrophes and accents.
struct Token {
    std::string text;
    std::size_t begin = 0;  ///< bytes of the question
    std::size_t end = 0;
    Gap gap = Gap::stop;
    bool negative = false;  ///< a minus sign stands before the number
    bool foreign = false;   ///< letters of another script
    bool claimed = false;   ///< a recogniser has understood it
};

struct Tokens {
    std::vector<Token> list;
    std::string decimal_comma;  ///< the first number written with one, as found ("1,3b")
};

/// A question as tokens. Counts that are glued to a name are parted ("8xh100", "h100x8", "x8");
/// "8x7b" is a name. Thousands commas are dropped.
Tokens tokens_of(std::string_view question);

/// The same for who looks for words of English alone: those of other languages that the tables of
/// words have are put into English too.
Tokens tokens_in_english(std::string_view question);

/// Letters, digits and dots of a name: what is left to compare when people join words differently.
std::string bare(std::string_view text);

/// A number with the letters that are glued to it: 24 and "gb" of "24gb". Number words have none.
struct Amount {
    double value = 0;
    std::string unit;
};
std::optional<Amount> amount_in(std::string_view word);

/// The scale of "k", "thousand", "m", "million", "b", "bn", "billion", "t", "trillion"; 0: none.
double scale_of_word(std::string_view word);

/// "70b", "1.5b", "350m", "1t": a number of parameters.
std::optional<double> parameters_in(std::string_view word);

}  // namespace ridgeline::reading
