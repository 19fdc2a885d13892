#include "advise/reading/amounts/rates.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <cmath>
#include <string>

// Several of the same at once on one hardware ("3 replicas", "4 finetunes in parallel"), and one
// more of what is there ("a third 3090").

namespace ridgeline::reading {

bool happen_together(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i),
                   "simultaneously concurrently parallel simultaneous concurrent") ||
            (sentence.word(i) == "at" && sentence.word(i + 1) == "once") ||
            (sentence.word(i) == "same" && is_any(sentence.word(i + 1), "time moment")) ||
            (sentence.word(i) == "side" && sentence.word(i + 1) == "by")) {
            return true;
        }
    }
    return false;
}

namespace {

bool is_copy(std::string_view word) { return is_any(word, "replicas replica copies duplicates"); }

/// "tp=2 or two replicas": copies that are weighed against one that is spread.
bool weighs_copies(const Sentence& sentence) {
    bool spread = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool glued = word == "tp" || (word.starts_with("tp") && word.size() <= 4 &&
                                            all_digits(word.substr(2)));
        spread =
            spread || glued || (word == "tensor" && sentence.word(i + 1).starts_with("parallel"));
    }
    return spread && sentence.any_word("or vs versus against than over");
}

bool is_run(std::string_view word) {
    return is_any(word, "trainings finetunes finetunings runs jobs experiments trials");
}

/// "3 different 7b models", "4 7b models loaded at once": served side by side on one hardware.
bool are_models_beside(const Sentence& sentence, std::size_t at, bool together) {
    if (sentence.word(at) != "models") {
        return false;
    }
    for (std::size_t i = at > 3 ? at - 3 : 0; i < sentence.tokens.size(); ++i) {
        together = together ||
                   (i < at && is_any(sentence.word(i), "different separate distinct")) ||
                   sentence.word(i) == "loaded" ||
                   (is_any(sentence.word(i), "one same single") &&
                    is_any(sentence.word(i + 1), "gpu card box machine server"));
    }
    return together;
}

/// "3 replicas", "4 lora trainings at the same time": a number, up to two words, and what runs.
void match_copies(Sentence& sentence, std::size_t at, bool together) {
    constexpr double most = 64;
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!measure || !measure->unit.empty() || measure->value < 2 || measure->value > most ||
        measure->value != std::floor(measure->value)) {
        return;
    }
    constexpr int most_between = 3;  // words, beside the name of the model
    int words = 0;
    bool named = false;
    for (std::size_t i = at + 1; words < most_between && sentence.follows(i); ++i) {
        const bool sized = parameters_in(sentence.word(i)).has_value();
        if (sized || (i >= sentence.model_at && i < sentence.model_end)) {
            named = true;
            continue;
        }
        ++words;
        const bool tunes =
            sentence.word(i) == "fine" && is_any(sentence.word(i + 1), "tunes tunings");
        const bool training = sentence.word(i) == "training" && is_run(sentence.word(i + 1));
        const bool runs = together && (is_run(sentence.word(i)) || tunes || training);
        const bool instances = sentence.word(i) == "instances" && sentence.word(i + 1) == "of" &&
                               i + 2 == sentence.model_at;
        const bool models = named && are_models_beside(sentence, i, together);
        if (is_copy(sentence.word(i)) && weighs_copies(sentence)) {
            sentence.claim(at);
            sentence.claim(i);
            sentence.marks.push_back({Means::infer, "", i, 1});
            return;
        }
        if (is_copy(sentence.word(i)) || instances || runs || models) {
            sentence.reading.copies = static_cast<int>(measure->value);
            if (runs || models) {
                const bool trained =
                    runs || sentence.has(Means::train) || sentence.has(Means::tune);
                sentence.marks.push_back({trained ? Means::train : Means::infer, "", i, 1});
            }
            sentence.claim(at);
            return;
        }
        if (has_digit(sentence.word(i))) {
            return;
        }
    }
}

/// "how many 7b qlora jobs side by side", "how many sd 1.5 trainings in parallel": as many as the
/// hardware holds.
void match_open_copies(Sentence& sentence, std::size_t at, bool together) {
    const bool asked = at > 0 && ((sentence.word(at) == "many" && sentence.word(at - 1) == "how") ||
                                  (sentence.word(at) == "of" && sentence.word(at - 1) == "number"));
    if (!asked || !together) {
        return;
    }
    constexpr std::size_t farthest = 7;
    bool trains = false;
    for (std::size_t i = at + 1; i < at + farthest && sentence.follows(i); ++i) {
        const bool tunes =
            sentence.word(i) == "fine" && is_any(sentence.word(i + 1), "tunes tunings");
        trains = trains ||
                 is_any(sentence.word(i), "lora qlora training finetuning finetune tuning full");
        if (is_any(sentence.word(i), "trainings finetunes finetunings") || tunes ||
            (trains && is_any(sentence.word(i), "jobs runs experiments trials processes"))) {
            sentence.marks.push_back({Means::ask, "largest_copies", i, 1});
            sentence.marks.push_back({Means::train, "", i, 1});
            sentence.claim(at - 1, 2);
            sentence.claim(i, tunes ? 2 : 1);
            return;
        }
    }
}

/// "third", "2nd": the place in a row; 0: none.
int ordinal_of(std::string_view word) {
    static constexpr std::pair<std::string_view, int> words[] = {
        {"second", 2}, {"2nd", 2}, {"third", 3}, {"3rd", 3}, {"fourth", 4}, {"4th", 4},
        {"fifth", 5},  {"5th", 5}, {"sixth", 6}, {"6th", 6}, {"eighth", 8}, {"8th", 8}};
    for (const auto& [name, place] : words) {
        if (name == word) {
            return place;
        }
    }
    return 0;
}

/// "per second", "tokens a second": a time, no place in a row.
bool is_period(const Sentence& sentence, std::size_t at) {
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::ask && at >= mark.at && at < mark.at + mark.length) {
            return true;  // of a rate that is asked for
        }
    }
    const std::string_view before = at > 0 ? sentence.word(at - 1) : std::string_view();
    return is_any(before, "per each every") ||
           (is_any(before, "a in") && at > 1 && is_made(sentence.word(at - 2)));
}

/// Tokens from `at` on that are a card or a part, after a word of kind or maker: 0: there is none.
bool card_follows(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i < at + 2 && sentence.follows(i); ++i) {
        if (is_any(sentence.word(i), "gpu card one accelerator")) {
            return true;
        }
        if (is_any(sentence.word(i), "on with for of in at from")) {
            return false;
        }
        for (const Mention& mention : sentence.mentions) {
            if (mention.at == i) {
                return true;
            }
        }
    }
    return false;
}

/// "adding a third card to my 2x 3090", "another 4090": what is there beside one more of it, unless
/// it is asked whether so many suffice.
void match_addition(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool another = is_any(word, "another additional extra") ||
                         (word == "more" && at > 0 && sentence.word(at - 1) == "one");
    const int place = is_period(sentence, at) ? 0 : ordinal_of(word);
    const bool adds =
        another || sentence.any_word(
                       "add adding added adds get getting grab buy buying plus install help helps");
    if ((!another && place == 0) || !adds || !card_follows(sentence, at + 1) ||
        sentence.mentions.empty() || sentence.mentions.size() > 2) {
        return;
    }
    Mention& owned = sentence.mentions.front();
    const std::string& added = sentence.mentions.back().name;
    const bool same = owned.name == added;
    const bool mine = sentence.has(Means::owned) || owned.count || place > 0 ||
                      sentence.any_word("my our have own");
    // "would a second one help or do i need a 5090": one more of what is there, against the other.
    if (!same && mine && place > 1 && owned.count.value_or(place - 1) == place - 1 &&
        sentence.has(Means::either)) {
        owned.count = place;
        sentence.assume("count", std::to_string(place), "those that are there and one more");
        sentence.marks.push_back({Means::versus, "", at, 1});
        sentence.claim(at);
        return;
    }
    if (!same || !mine) {
        return;
    }
    const int before = place > 0 ? place - 1 : owned.count.value_or(1);
    const bool suffices = sentence.asks("strong_fit") || sentence.asks("hardware");
    sentence.claim(at);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "add adding added adds install")) {
            sentence.claim(i);
        }
    }
    sentence.mentions.resize(1);
    if (suffices) {
        owned.count = before + 1;
        sentence.assume("count", std::to_string(before + 1), "those that are there and one more");
        return;
    }
    owned.count = before;
    Mention more = owned;
    more.count = before + 1;
    sentence.mentions.push_back(std::move(more));
    sentence.marks.push_back({Means::versus, "", at, 1});
}

}  // namespace

void recognise_copies(Sentence& sentence) {
    const bool together = happen_together(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.reading.copies) {
            match_copies(sentence, i, together);
            match_open_copies(sentence, i, together);
        }
    }
}

void recognise_additions(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_addition(sentence, i);
    }
}

}  // namespace ridgeline::reading
