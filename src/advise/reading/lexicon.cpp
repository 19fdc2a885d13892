#include "advise/reading/lexicon.h"

#include "base/text.h"

#include <algorithm>

namespace ridgeline::reading {
namespace {

/// Words as they are looked up: joined, a slash kept ("tok/s").
std::string joined(std::string_view words) {
    std::string key;
    for (const char c : words) {
        if (c != ' ') {
            key += c;
        }
    }
    return key;
}

}  // namespace

Lexicon::Lexicon() {
    for (const std::string_view word : filler_words()) {
        fillers_.push_back({word, Means::filler, ""});
    }
    constexpr std::size_t about_as_many = 4096;  // rows of the tables
    phrases_.reserve(about_as_many);
    words_.reserve(about_as_many);
    for (const std::span<const Phrase> table : {std::span<const Phrase>(fillers_),
                                                work_phrases(),
                                                hardware_phrases(),
                                                asking_phrases()}) {
        for (const Phrase& phrase : table) {
            phrases_[joined(phrase.words)].push_back(&phrase);
            const auto spaces = std::count(phrase.words.begin(), phrase.words.end(), ' ') +
                                std::count(phrase.words.begin(), phrase.words.end(), '/');
            longest_ = std::max(longest_, static_cast<std::size_t>(spaces) + 1);
            // "finetunign" is near "fine tuning" too.
            if (spaces <= 1 && phrase.words.size() >= 6 && phrase.words.find('/') == phrase.words.npos) {
                long_words_.push_back(joined(phrase.words));
            }
            for (std::string_view rest = phrase.words; !rest.empty();) {
                const std::string_view word = rest.substr(0, rest.find(' '));
                rest.remove_prefix(std::min(rest.size(), word.size() + 1));
                words_.insert(word);
                if (spaces > 0 && word.size() >= 6) {
                    inner_words_.emplace_back(word);
                }
            }
        }
    }
    for (std::vector<std::string>* words : {&long_words_, &inner_words_}) {
        std::sort(words->begin(), words->end());
        words->erase(std::unique(words->begin(), words->end()), words->end());
    }
}

const Lexicon& Lexicon::shared() {
    static const Lexicon lexicon;
    return lexicon;
}

std::span<const Phrase* const> Lexicon::find(const std::string& joined) const {
    const auto found = phrases_.find(joined);
    return found == phrases_.end() ? std::span<const Phrase* const>()
                                   : std::span<const Phrase* const>(found->second);
}

}  // namespace ridgeline::reading
