#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"

#include <fmt/format.h>

#include <algorithm>

// Numbers of tokens whose scale nothing knows, or whose word has nine zeros in one language and
// twelve in another.

namespace ridgeline::reading {
namespace {

/// Words of Russian, Chinese, Japanese and Korean with scales in them.
bool has_foreign_scale(const Token& token) {
    constexpr std::string_view scales[] = {
        "\u4ebf",
        "\u5104",
        "\u4e07",
        "\u842c",
        "\ub9cc",
        "\uc5b5",
        "\u043c\u0438\u043b\u043b\u0438"};  // the stem of million and billion
    return token.foreign && std::ranges::any_of(scales, [&](std::string_view scale) {
               return token.text.find(scale) != std::string::npos;
           });
}

/// "100 wibbles of tokens", "siete mil millones de tokens" behind training, whose number nothing
/// reads: a run of another length would be told.
void refuse_unread_tokens(Sentence& sentence) {
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    for (std::size_t i = 1; trains && !sentence.reading.tokens && i + 1 < sentence.tokens.size();
         ++i) {
        const std::size_t noun = past_words(sentence, i + 1, "of de di von d");
        if (!sentence.follows(i + 1) || !sentence.follows(noun) ||
            !is_any(sentence.word(noun), "tokens token")) {
            continue;
        }
        const std::string_view before = sentence.word(i - 1);
        const bool unread = sentence.open(i) && sentence.open(i - 1) && has_digit(before) &&
                            amount_in(before) && !amount_in(sentence.word(i)) &&
                            noun > i + 1;  // "64 packed tokens" counts them
        const bool spelt = scale_of_word(sentence.word(i)) >= 1e6 && sentence.open(i - 1) &&
                           sentence.follows(i) && sentence.word(i).size() > 2 &&
                           !sentence.names.lexicon.knows(std::string(before));
        if (unread || spelt || (sentence.open(i) && has_foreign_scale(sentence.tokens[i]))) {
            sentence.fail(fmt::format("found \"{} {} {}\", a number of tokens that is not known",
                                      before, sentence.word(i), sentence.word(noun)),
                          "Write it in figures: \"100B tokens\" or \"1e11 tokens\".");
        }
    }
}

}  // namespace

void tell_scale(Sentence& sentence) {
    refuse_unread_tokens(sentence);
    const bool licensed = sentence.any_word("license licence licensed");  // "under mit license"
    const bool german = sentence.any_word("wie lange auf fur wieviel dauert trainieren") ||
                        (!licensed && sentence.any_word("mit"));
    const bool french = sentence.any_word("combien avec sur pour entrainer faut temps");
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool short_scale = is_any(word, "billion billions") && (german || french);
        const bool long_scale = is_any(word, "billones billon billionen bilioes bilioni");
        if (sentence.reading.tokens && (short_scale || long_scale)) {
            sentence.assume("tokens", fmt::format("{:.4g}", *sentence.reading.tokens),
                            fmt::format("\"{}\" was taken as 10^{}{}", word, short_scale ? 9 : 12,
                                        short_scale ? ", as in English" : ""));
        }
    }
}

}  // namespace ridgeline::reading
