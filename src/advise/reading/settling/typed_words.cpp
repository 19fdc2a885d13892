#include "advise/reading/settling/steps.h"

#include <algorithm>

// What is told as not understood is told in the words of the question, whatever a name was taken
// for.

namespace ridgeline::reading {
namespace {

/// Letters and digits of the tokens from `from` to before `to`.
std::string letters_of(const Sentence& sentence, std::size_t from, std::size_t to) {
    std::string letters;
    for (std::size_t i = from; i < to; ++i) {
        letters += bare(sentence.word(i));
    }
    return letters;
}

/// The question as it was written from token `from` to before `to`.
std::string written(const Sentence& sentence, std::size_t from, std::size_t to) {
    const std::size_t begin = sentence.tokens[from].begin;
    const std::size_t end = std::min(sentence.tokens[to - 1].end, sentence.text.size());
    return lower(sentence.text.substr(begin, end - begin));
}

/// The run of tokens whose letters are those of `name`, as written; empty: there is none.
std::string run_of(const Sentence& sentence, const std::string& name) {
    constexpr std::size_t most = 8;
    std::string letters = bare(name);
    std::erase(letters, '-');
    for (std::size_t from = 0; from < sentence.tokens.size(); ++from) {
        const std::size_t last = std::min(from + most, sentence.tokens.size());
        for (std::size_t to = from + 1; to <= last; ++to) {
            if (letters_of(sentence, from, to) == letters) {
                return written(sentence, from, to);
            }
        }
    }
    return {};
}

/// The name at token `at` that was taken for the model `id`, with the words behind it that stand in
/// the id.
std::string name_at(const Sentence& sentence, std::size_t at, const std::string& id) {
    std::size_t end = at + 1;
    while (sentence.follows(end) && sentence.tokens[end].claimed &&
           (sentence.word(end).size() > 2 || has_digit(sentence.word(end))) &&
           id.find(sentence.word(end)) != id.npos) {
        ++end;
    }
    return written(sentence, at, end);
}

}  // namespace

void tell_typed_words(Sentence& sentence) {
    const Reading& read = sentence.reading;
    for (std::string& word : sentence.reading.not_understood) {
        const bool named = std::ranges::count(read.unknown_parts, word) > 0 ||
                           std::ranges::count(read.unpriced_providers, word) > 0;
        if (named || lower(sentence.text).find(word) != std::string::npos) {
            continue;  // a part or a provider is told by its name
        }
        std::string typed = run_of(sentence, word);
        const auto other = std::ranges::find(sentence.other_models, word,
                                             &std::pair<std::string, std::size_t>::first);
        if (typed.empty() && other != sentence.other_models.end()) {
            typed = name_at(sentence, other->second, word);
        }
        word = typed.empty() ? word : typed;
    }
}

}  // namespace ridgeline::reading
