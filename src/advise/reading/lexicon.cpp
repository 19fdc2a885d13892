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
    std::vector<std::pair<std::string, const Phrase*>> rows;
    for (const std::span<const Phrase> table : {std::span<const Phrase>(fillers_),
                                                work_phrases(),
                                                hardware_phrases(),
                                                asking_phrases()}) {
        for (const Phrase& phrase : table) {
            rows.emplace_back(joined(phrase.words), &phrase);
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
                words_.push_back(word);
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
    std::sort(words_.begin(), words_.end());
    std::stable_sort(
        rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [words, phrase] : rows) {
        joined_.push_back(std::move(words));
        phrases_.push_back(phrase);
    }
}

bool Lexicon::knows(std::string_view word) const {
    return std::binary_search(words_.begin(), words_.end(), word);
}

const Lexicon& Lexicon::shared() {
    static const Lexicon lexicon;
    return lexicon;
}

std::span<const Phrase* const> Lexicon::find(const std::string& joined) const {
    const auto [first, last] = std::equal_range(joined_.begin(), joined_.end(), joined);
    return {phrases_.data() + (first - joined_.begin()), static_cast<std::size_t>(last - first)};
}

}  // namespace ridgeline::reading
