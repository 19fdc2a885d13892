#include "advise/reading/lexicon.h"

#include "base/order.h"
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
    std::vector<std::pair<std::string_view, const Phrase*>> rows;
    constexpr std::size_t about_as_many = 4096;  // rows of the tables
    rows.reserve(about_as_many);
    words_.reserve(about_as_many);
    for (const std::span<const Phrase> table : {std::span<const Phrase>(fillers_),
                                                work_phrases(),
                                                hardware_phrases(),
                                                asking_phrases()}) {
        for (const Phrase& phrase : table) {
            const auto blanks = std::count(phrase.words.begin(), phrase.words.end(), ' ');
            const auto spaces = blanks + std::count(phrase.words.begin(), phrase.words.end(), '/');
            const std::string_view text =
                blanks == 0 ? phrase.words : std::string_view(texts_.emplace_back(joined(phrase.words)));
            rows.emplace_back(text, &phrase);
            longest_ = std::max(longest_, static_cast<std::size_t>(spaces) + 1);
            // "finetunign" is near "fine tuning" too.
            if (spaces <= 1 && phrase.words.size() >= 6 && phrase.words.find('/') == phrase.words.npos) {
                long_words_.push_back(text);
            }
            for (std::string_view rest = phrase.words; !rest.empty();) {
                const std::string_view word = rest.substr(0, rest.find(' '));
                rest.remove_prefix(std::min(rest.size(), word.size() + 1));
                words_.insert(word);
                if (spaces > 0 && word.size() >= 6) {
                    inner_words_.push_back(word);
                }
            }
        }
    }
    stable_order(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [text, phrase] : rows) {
        joined_.push_back(text);
        phrases_.push_back(phrase);
    }
    for (std::vector<std::string_view>* words : {&long_words_, &inner_words_}) {
        std::sort(words->begin(), words->end());
        words->erase(std::unique(words->begin(), words->end()), words->end());
    }
}

const Lexicon& Lexicon::shared() {
    static const Lexicon lexicon;
    return lexicon;
}

std::span<const Phrase* const> Lexicon::find(std::string_view joined) const {
    const auto found = std::ranges::equal_range(joined_, joined);
    return {phrases_.data() + (found.begin() - joined_.begin()), found.size()};
}

}  // namespace ridgeline::reading
