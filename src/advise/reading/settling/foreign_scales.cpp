#include "advise/reading/settling/steps.h"

#include <fmt/format.h>

#include <algorithm>

// Numbers of tokens whose scale nothing knows, or whose word has nine zeros in one language and
// twelve in another.

namespace ridgeline::reading {
namespace {

/// "100 wibbles of tokens" behind training: a run of another length would be told.
void refuse_unread_tokens(Sentence& sentence) {
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    for (std::size_t i = 0; trains && !sentence.reading.tokens && i + 2 < sentence.tokens.size();
         ++i) {
        const auto number = sentence.open(i) ? amount_in(sentence.word(i)) : std::nullopt;
        const bool scale = number && has_digit(sentence.word(i)) && sentence.open(i + 1) &&
                           sentence.follows(i + 1) && !amount_in(sentence.word(i + 1));
        const std::size_t noun = past_words(sentence, i + 2, "of de di von d");
        if (scale && sentence.follows(noun) && is_any(sentence.word(noun), "tokens token")) {
            sentence.fail(fmt::format("found \"{} {} {}\", a number of tokens that is not known",
                                      sentence.word(i), sentence.word(i + 1), sentence.word(noun)),
                          "Write it in figures: \"100B tokens\" or \"1e11 tokens\".");
        }
    }
}

}  // namespace

void tell_scale(Sentence& sentence) {
    refuse_unread_tokens(sentence);
    const bool german = sentence.any_word("wie lange mit auf fur wieviel dauert trainieren");
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
