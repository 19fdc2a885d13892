#include "advise/reading/models/styled_model.h"

#include "advise/reading/models/model_words.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/words/names.h"

#include <algorithm>
#include <string>

// A model of one's own, likened to a family: the size that is told is its own.

namespace ridgeline::reading {
namespace {

/// The token that says that something is like the name before it; 0: none stands behind the name
/// and its version.
std::size_t likening_word(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t longest_version = 2;  // "gpt - 3", "llama 3 1"
    for (std::size_t i = at + 1; i <= at + 1 + longest_version; ++i) {
        if (!sentence.follows(i) || !sentence.open(i)) {
            return 0;
        }
        if (is_any(sentence.word(i),
                   "style styled type like based sized shaped architecture arch")) {
            return i;
        }
        if (!is_version_piece(sentence.word(i))) {
            return 0;
        }
    }
    return 0;
}

bool is_open_size(const Sentence& sentence, std::size_t i) {
    return sentence.open(i) && is_size_piece(sentence.word(i));
}

/// The token of the size behind that word, with what may stand between: "style model of 1.3b",
/// "style decoder, 350m"; 0: there is none.
std::size_t size_behind(const Sentence& sentence, std::size_t style) {
    for (std::size_t i = style + 1; i < sentence.tokens.size() && i < style + 5; ++i) {
        if (is_open_size(sentence, i)) {
            const bool work = is_work(sentence.word(i), sentence.word(i + 1));
            return work ? 0 : i;
        }
        if (!is_any(sentence.word(i),
                    "model models llm network decoder encoder transformer lm of with a at about "
                    "around ~ only")) {
            return 0;
        }
    }
    return 0;
}

}  // namespace

bool match_styled_model(Sentence& sentence, std::size_t at) {
    const auto own = model_pieces(sentence.word(at));
    if (own.empty() || sentence.names.models_by_family.count(own.front()) == 0) {
        return false;
    }
    const std::size_t style = likening_word(sentence, at);
    if (style == 0) {
        return false;
    }
    // "a 350M param bert style model"
    const std::size_t noun = first_of_words(
        sentence, at, "param params parameter parameters encoder decoder only a small tiny large");
    const bool before = noun > 0 && sentence.follows(noun) && is_open_size(sentence, noun - 1);
    const std::size_t size = before ? noun - 1 : size_behind(sentence, style);
    if (size == 0 && !before) {
        return false;
    }
    const std::string said(sentence.word(size));
    sentence.claim(size);
    take_model(sentence, before ? size : at, before ? style + 1 : std::max(style, size) + 1, said,
               true);
    return true;
}

}  // namespace ridgeline::reading
