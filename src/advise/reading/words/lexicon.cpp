#include "advise/reading/words/lexicon.h"

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

/// The pieces of a text, one after the other.
struct Pieces {
    Pieces(std::string_view text, char parts) : rest(text), mark(parts) {}
    bool next() {
        if (rest.empty()) {
            return false;
        }
        piece = rest.substr(0, rest.find(mark));
        rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
        return true;
    }
    std::string_view rest;
    char mark;
    std::string_view piece{};
};

}  // namespace

Lexicon::Lexicon(std::span<const Phrase> engines) {
    constexpr std::size_t about_as_many = 6144;  // phrases
    all_.reserve(about_as_many);
    all_.assign(engines.begin(), engines.end());
    for (Pieces words(filler_words(), ' '); words.next();) {
        all_.push_back({words.piece, Means::filler, ""});
    }
    for (const std::span<const Meaning> table :
         {work_phrases(), hardware_phrases(), asking_phrases()}) {
        for (const Meaning& meaning : table) {
            for (Pieces phrases(meaning.phrases, '|'); phrases.next();) {
                all_.push_back({phrases.piece, meaning.means, meaning.value});
            }
        }
    }
    std::vector<std::pair<std::string_view, const Phrase*>> rows;
    rows.reserve(all_.size());
    words_.reserve(all_.size());
    for (const Phrase& phrase : all_) {
        rows.emplace_back(add_words(phrase.words), &phrase);
    }
    stable_order(rows.begin(), rows.end(),
                 [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [text, phrase] : rows) {
        joined_.push_back(text);
        phrases_.push_back(phrase);
    }
    for (std::vector<std::string_view>* words : {&long_words_, &inner_words_}) {
        std::sort(words->begin(), words->end());
        words->erase(std::unique(words->begin(), words->end()), words->end());
    }
}

/// The phrase as it is looked up; its words are known from now on.
std::string_view Lexicon::add_words(std::string_view phrase) {
    const auto blanks = std::count(phrase.begin(), phrase.end(), ' ');
    const auto spaces = blanks + std::count(phrase.begin(), phrase.end(), '/');
    const std::string_view text =
        blanks == 0 ? phrase : std::string_view(texts_.emplace_back(joined(phrase)));
    longest_ = std::max(longest_, static_cast<std::size_t>(spaces) + 1);
    // "finetunign" is near "fine tuning" too.
    if (spaces <= 1 && phrase.size() >= 6 && phrase.find('/') == phrase.npos) {
        long_words_.push_back(text);
    }
    for (Pieces words(phrase, ' '); words.next();) {
        words_.insert(words.piece);
        if (spaces > 0 && words.piece.size() >= 6) {
            inner_words_.push_back(words.piece);
        }
    }
    return text;
}

std::span<const Phrase* const> Lexicon::find(std::string_view joined) const {
    const auto [first, last] = std::equal_range(joined_.begin(), joined_.end(), joined);
    return {phrases_.data() + (first - joined_.begin()), static_cast<std::size_t>(last - first)};
}

}  // namespace ridgeline::reading
