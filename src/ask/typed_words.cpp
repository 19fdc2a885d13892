#include "ask/typed_words.h"

#include "advise/reading/words/sentence.h"

#include <algorithm>

namespace ridgeline::ask {

TypedWords typed_words(const std::string& question) {
    const reading::Tokens tokens = reading::tokens_in_english(question);
    TypedWords words;
    for (const reading::Token& token : tokens.list) {
        words.push_back(token.text);
    }
    return words;
}

bool has_word_of(const TypedWords& words, std::string_view list) {
    return list.empty() || std::ranges::any_of(words, [list](const std::string& word) {
               return reading::is_any(word, list);
           });
}

}  // namespace ridgeline::ask
