#include "advise/reading/amounts/teams.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/numbers/fields.h"

#include <algorithm>

// People who use a service: a team, the seats of a call center.

namespace ridgeline::reading {

bool match_lines(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    if (!measure || !measure->unit.empty() || measure->scaled || measure->value < 1 ||
        !sentence.follows(noun) ||
        !is_any(sentence.word(noun),
                "seat seats agent agents line lines operator operators channel channels microphone "
                "microphones") ||
        !near_words(sentence, noun + 1, noun + 5,
                    "call calls contact center centre hotline captioning captions subtitles live "
                    "transcription dictation telephone phone")) {
        return false;
    }
    take(sentence, at, *measure, Field::users);
    sentence.claim(at, noun + 1 - at);
    return true;
}

bool match_team(Sentence& sentence, std::size_t at) {
    const bool answers = sentence.any_word("grpo ppo rloo rlhf rl");  // a "group of 8" of a prompt
    const bool team =
        is_any(sentence.word(at),
               "team teams department dept class classroom office startup company lab organisation "
               "organization org crew squad staff family household club school agency firm "
               "institute faculty") ||
        (sentence.word(at) == "group" && !answers);
    std::size_t number = at + 1;
    if (!team || !sentence.follows(number) || !is_any(sentence.word(number), "of with")) {
        return false;
    }
    ++number;
    while (sentence.follows(number) &&
           is_any(sentence.word(number), "about around roughly some ~ up to maybe")) {
        ++number;
    }
    const auto measure = sentence.follows(number) && sentence.open(number)
                             ? measure_at(sentence, number)
                             : std::nullopt;
    const std::size_t end = number + (measure ? measure->length : 0);
    const bool part =
        std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                    [&](const Mention& each) { return each.at == end || each.at == end + 1; });
    const Match unit = unit_after_number(sentence, end, "");
    if (!measure || !measure->unit.empty() || measure->value < 2 ||
        (measure->scaled && !measure->kilo) || part ||
        !(unit.field == Field::none || unit.field == Field::users) ||
        counts_no_load(sentence, end)) {
        return false;
    }
    take(sentence, number, *measure, Field::users);
    sentence.claim(at, end + unit.length - at);
    return true;
}

}  // namespace ridgeline::reading
