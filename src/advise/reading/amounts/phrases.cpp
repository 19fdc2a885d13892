#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"
#include "estimate/serving/gguf.h"

#include <algorithm>

// Phrases of the lexicon, longest first; GGUF types; misspelt words.

namespace ridgeline::reading {
namespace {

/// Twice the same letters in another order or one letter more count as one change.
struct Guess {
    std::string word;
    std::size_t distance = 99;
    bool clear = false;
};

Guess nearest_word(std::string_view word, const std::vector<std::string_view>& candidates) {
    const std::size_t most = word.size() >= 6 ? 2 : 0;
    Guess best;
    std::size_t second = 99;
    for (const std::string_view candidate : candidates) {
        const std::size_t longer = std::max(candidate.size(), word.size());
        if (longer - std::min(candidate.size(), word.size()) > most ||
            (candidate[0] != word[0] && candidate[1] != word[1])) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        // Two wrong letters in a short word leave too little of it.
        const std::size_t allowed = longer >= 8 ? most : std::min<std::size_t>(most, 1);
        if (distance > allowed) {
            continue;
        }
        if (distance < best.distance) {
            second = best.distance;
            best.word = candidate;
            best.distance = distance;
        } else {
            second = std::min(second, distance);
        }
    }
    best.clear = best.distance < second || best.distance == 1;
    return best;
}

/// A long word that no phrase has, as the nearest that one has: "simultanous".
std::string as_meant(const Sentence& sentence, const Token& token) {
    const Lexicon& lexicon = sentence.names.lexicon;
    const std::string& word = token.text;
    const bool plain = std::all_of(word.begin(), word.end(), is_letter);
    if (token.claimed || token.foreign || !plain || word.size() < 6 || word.size() > 24 ||
        lexicon.knows(word)) {
        return word;
    }
    const Guess guess = nearest_word(word, lexicon.inner_words());
    return guess.word.empty() || !guess.clear ? word : guess.word;
}

/// "max tokens/s": what a period stands behind is a rate, whose "tokens" belong to no length.
bool cut_from_period(const Sentence& sentence, std::span<const Phrase* const> rows,
                     std::size_t end) {
    return load_period_at(sentence, end).first > 0 &&
           std::any_of(rows.begin(), rows.end(), [](const Phrase* row) {
               return row->means == Means::ask && row->value == "largest_sequence";
           });
}

/// The longest phrase from token `at` on whose tokens nothing else has claimed; `spelt` are the
/// tokens as they were meant, which count in phrases of several words alone.
std::size_t mark_phrase(Sentence& sentence, std::size_t at, const std::vector<std::string>& spelt) {
    const Lexicon& lexicon = sentence.names.lexicon;
    std::string key;
    std::size_t best = 0;
    bool mended = false;
    std::span<const Phrase* const> rows;
    for (std::size_t n = 0; n < lexicon.longest() + 2; ++n) {
        const std::size_t i = at + n;
        // "fp8: number of l40s": what a colon parts is no phrase.
        if (!sentence.open(i) ||
            (n > 0 && (!sentence.follows(i) || parted_by_colon(sentence, i)))) {
            break;
        }
        if (sentence.tokens[i].gap == Gap::slash) {
            key += '/';
        }
        mended = mended || spelt[i] != sentence.word(i);
        key += spelt[i];
        if (key.size() > 48) {
            break;
        }
        const auto found = lexicon.find(n == 0 && key.front() == '/' ? key.substr(1) : key);
        if (!found.empty() && !(mended && n == 0) && !cut_from_period(sentence, found, i + 1)) {
            best = n + 1;
            rows = found;
        } else if (n == 0 && key.front() == '/' && !lexicon.find(key).empty()) {
            best = 1;
            rows = lexicon.find(key);
        }
    }
    for (const Phrase* row : rows) {
        sentence.marks.push_back({row->means, row->value, at, best});
    }
    sentence.claim(at, best);
    return best;
}

}  // namespace

void recognise_phrases(Sentence& sentence) {
    std::vector<std::string> spelt;
    for (const Token& token : sentence.tokens) {
        spelt.push_back(as_meant(sentence, token));
    }
    for (std::size_t i = 0; i < sentence.tokens.size();) {
        i += sentence.open(i) ? std::max<std::size_t>(1, mark_phrase(sentence, i, spelt)) : 1;
    }
}

void recognise_weights(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.word(i).size() > 6) {
            continue;
        }
        // "q4_k_m", "iq4_xs", "q8_0": up to three tokens.
        for (std::size_t length = 3; length >= 2; --length) {
            std::string name(sentence.word(i));
            bool joined = true;
            for (std::size_t k = 1; k < length; ++k) {
                joined = joined && sentence.open(i + k) && sentence.follows(i + k);
                name += "_" + std::string(sentence.word(i + k));
            }
            if (joined && gguf_file(name) && sentence.beside_cache(i, length)) {
                sentence.reading.kv_cache = name;
                sentence.claim(i, length);
                break;
            }
            if (joined && gguf_file(name)) {
                if (sentence.files.empty()) {
                    sentence.reading.quantization = name;
                }
                sentence.files.emplace_back(name, i);
                sentence.claim(i, length);
                break;
            }
        }
    }
}

void recognise_spelling(Sentence& sentence) {
    const Lexicon& lexicon = sentence.names.lexicon;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string word(sentence.word(i));
        const bool plain = std::all_of(word.begin(), word.end(), is_letter);
        if (!sentence.open(i) || sentence.tokens[i].foreign || word.size() < 6 ||
            word.size() > 24 || !plain || sentence.names.stand_ins.contains(word)) {
            continue;  // "deepspeech" is no "deepspeed"
        }
        const Guess guess = nearest_word(word, lexicon.long_words());
        if (guess.word.empty() || !guess.clear) {
            continue;
        }
        for (const Phrase* row : lexicon.find(guess.word)) {
            sentence.marks.push_back({row->means, row->value, i, 1});
        }
        sentence.claim(i);
    }
}

}  // namespace ridgeline::reading
