#include "advise/reading/models/best_model.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <algorithm>

// Names of models with a wrong letter or two: "stable difusion", "mixtrall".

namespace ridgeline::reading {
namespace {

/// Shorter words are too near to too many others.
constexpr std::size_t least_letters = 6;

bool is_plain(std::string_view word) {
    return word.size() >= least_letters && word.size() <= 20 &&
           std::all_of(word.begin(), word.end(), is_letter);
}

/// The one word of models' names within a letter of `word`, or two of a long one that begins alike;
/// empty: there is none, or there are several.
std::string nearest_name(std::string_view word, const std::unordered_set<std::string>& names) {
    constexpr std::size_t long_word = 9;
    const std::size_t most = word.size() >= long_word ? 2 : 1;
    std::string best;
    std::size_t least = most + 1;
    bool several = false;
    for (const std::string& name : names) {
        const bool plural =
            word.size() == name.size() + 1 && word.starts_with(name) && word.back() == 's';
        const bool near = name.size() >= least_letters && !plural && name.front() == word.front() &&
                          name.size() + most >= word.size() && word.size() + most >= name.size();
        const std::size_t distance = near ? edit_distance(word, name) : most + 1;
        several =
            distance == least && distance <= most ? true : (distance < least ? false : several);
        if (distance < least) {
            least = distance;
            best = name;
        }
    }
    return least <= most && !several ? best : std::string();
}

/// "gemmma", "qwenn2.5": a name of four letters or more with one letter written twice; a version
/// may stand behind it. Empty: it is none.
std::string without_doubled_letter(const std::string& word, const Names& names) {
    constexpr std::size_t least = 4;
    const std::size_t letters = static_cast<std::size_t>(
        std::find_if_not(word.begin(), word.end(), is_letter) - word.begin());
    for (std::size_t i = 1; i < letters && letters > least; ++i) {
        std::string once = word;
        once.erase(i, word[i] == word[i - 1] ? 1 : 0);
        const auto is_name = [&](const std::string& text) {
            return names.model_words.contains(text) || names.models_by_family.contains(text);
        };
        const bool shorter = once.size() < word.size();
        if (shorter && (is_name(once) || is_name(once.substr(0, letters - 1)))) {
            return once;
        }
    }
    return "";
}

/// The version and the size that stand behind token i.
std::vector<std::string> numbers_behind(const Sentence& sentence, std::size_t i) {
    std::vector<std::string> pieces;
    for (std::size_t k = i + 1; sentence.follows(k) && sentence.open(k) && pieces.size() < 2; ++k) {
        const std::string_view word = sentence.word(k);
        if (!is_version_piece(word) && !is_size_piece(word)) {
            break;
        }
        pieces.emplace_back(word);
    }
    return pieces;
}

/// "lama 3.1 70b", "quen 2.5", "minstral 7b": short names are near to much else, but not with a
/// version or size of theirs behind them. The one family within a letter, or two where both numbers
/// stand there, that has such a model; empty: there is none, or there are several.
std::string name_by_its_numbers(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t least = 4;
    const std::string& word = sentence.tokens[i].text;
    const std::vector<std::string> numbers = numbers_behind(sentence, i);
    const std::size_t most =
        std::min(numbers.size(), word.size() > least ? std::size_t{2} : std::size_t{1});
    if (numbers.empty() || word.size() < least || !std::ranges::all_of(word, is_letter)) {
        return "";
    }
    std::string best;
    std::size_t nearest = most + 1;
    bool several = false;
    for (const auto& [family, models] : sentence.names.models_by_family) {
        if (family.size() < least || family.size() + most < word.size() ||
            word.size() + most < family.size()) {
            continue;
        }
        const std::size_t distance = edit_distance(word, family);
        std::vector<std::string> pieces{family};
        pieces.insert(pieces.end(), numbers.begin(), numbers.end());
        if (distance > std::min(most, nearest) || best_of(models, pieces) == nullptr) {
            continue;
        }
        several = distance == nearest;
        nearest = distance;
        best = family;
    }
    return several ? std::string() : best;
}

}  // namespace

void recognise_model_spelling(Sentence& sentence) {
    const Lexicon& lexicon = sentence.names.lexicon;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        Token& token = sentence.tokens[i];
        const bool counted =
            i > 0 && unit_after_number(sentence, i, "").field != Field::none;  // "10 coders"
        const bool known = counted || sentence.names.model_words.contains(token.text) ||
                           lexicon.knows(token.text) || !lexicon.find(token.text).empty();
        // Names of networks that no profile has are no other name with a wrong letter.
        const bool other = sentence.names.stand_ins.contains(token.text) ||
                           is_any(token.text,
                                  "conformer informer reformer performer autoformer linformer "
                                  "perceiver squeezeformer "
                                  "branchformer zipformer emformer graphormer");
        const bool owner = i + 1 < sentence.tokens.size() &&
                           sentence.tokens[i + 1].gap == Gap::slash;  // "mistralai/mixtral-8x7b"
        if (!sentence.open(i) || token.foreign || known || other || owner) {
            continue;
        }
        if (std::string meant = without_doubled_letter(token.text, sentence.names);
            !meant.empty()) {
            token.text = std::move(meant);
            continue;
        }
        if (std::string meant = name_by_its_numbers(sentence, i); !meant.empty()) {
            token.text = std::move(meant);
            continue;
        }
        // "starcodr2": the version stands behind the name.
        const auto version = std::find_if_not(token.text.begin(), token.text.end(), is_letter);
        const std::string letters(token.text.begin(), version);
        const std::string behind(version, token.text.end());
        const bool written =
            !behind.empty() && std::ranges::any_of(sentence.names.models_by_key, [&](auto& each) {
                return each.first.find(token.text) != std::string::npos;
            });
        if (!is_plain(letters) || behind.size() > 3 || written ||
            behind.find_first_not_of("0123456789.") != behind.npos) {
            continue;
        }
        if (std::string meant = nearest_name(letters, sentence.names.model_words); !meant.empty()) {
            token.text = meant + behind;
        }
    }
    // "codestral-size 22b": a model like it.
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (sentence.tokens[i].gap == Gap::joint && is_any(sentence.word(i), "size sized class") &&
            sentence.names.model_words.contains(std::string(sentence.word(i - 1)))) {
            sentence.claim(i);
        }
    }
}

/// Units are short, and a number beside them is lost with them.
void recognise_unit_spelling(Sentence& sentence) {
    static constexpr std::string_view units[] = {"context",  "prompt",   "prompts",   "tokens",
                                                 "token",    "sequence", "epochs",    "concurrent",
                                                 "requests", "examples", "samples",   "images",
                                                 "latency",  "output",   "throughput"};
    const Lexicon& lexicon = sentence.names.lexicon;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        std::string& word = sentence.tokens[i].text;
        const bool letters = std::all_of(word.begin(), word.end(), is_letter);
        const bool plain = word.size() >= 5 && letters;
        if (i > 0 && sentence.word(i - 1) == "how" && letters && !lexicon.knows(word)) {
            for (const std::string_view asked : {"many", "much", "long", "fast", "large"}) {
                if (edit_distance(word, asked) == 1) {
                    word = asked;
                    break;
                }
            }
        }
        if (!sentence.open(i) || sentence.tokens[i].foreign || !plain || lexicon.knows(word) ||
            !lexicon.find(word).empty() || follows_numbers(sentence, i) || names_number(word)) {
            continue;
        }
        for (const std::string_view unit : units) {
            if (unit.front() == word.front() && edit_distance(word, unit) == 1) {
                word = unit;
                break;
            }
        }
    }
}

}  // namespace ridgeline::reading
