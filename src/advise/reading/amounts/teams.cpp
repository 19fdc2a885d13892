#include "advise/reading/amounts/teams.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// People who use a service: a team, the seats of a call center, the share of them that is at it at
// the same moment.

namespace ridgeline::reading {

bool match_lines(Sentence& sentence, std::size_t at) {
    constexpr std::string_view phones =
        "call calls contact center centre hotline captioning captions subtitles live "
        "transcription dictation telephone phone";
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    if (!measure || !measure->unit.empty() || measure->scaled || measure->value < 1 ||
        !sentence.follows(noun) ||
        !is_any(sentence.word(noun),
                "seat seats agent agents line lines operator operators channel channels microphone "
                "microphones") ||
        !(near_words(sentence, noun + 1, noun + 5, phones) ||
          near_words(sentence, at - std::min<std::size_t>(at, 5), at, phones))) {
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

namespace {

constexpr std::string_view people =
    "user users people person persons dev devs developer developers engineer engineers employee "
    "employees staff student students customer customers client clients member members subscriber "
    "subscribers seat seats colleague colleagues coworker coworkers agent agents player players worker workers "
    "researchers accounts heads team company";

/// A share at token `at` and one past it; zero: none stands there.
std::pair<double, std::size_t> share_at(const Sentence& sentence, std::size_t at) {
    struct Part {
        std::string_view word;
        double share;
    };
    static constexpr Part parts[] = {{"half", 0.5},      {"third", 1.0 / 3}, {"quarter", 0.25},
                                     {"fifth", 0.2},     {"tenth", 0.1},     {"twentieth", 0.05},
                                     {"hundredth", 0.01}};
    for (const Part& part : parts) {
        const bool article = at > 0 && is_any(sentence.word(at - 1), "a one");
        if (sentence.word(at) == part.word && (article || part.word == "half")) {
            return {part.share, at + 1};
        }
    }
    // "one in five", "1 out of 10"
    const std::size_t of = at + (sentence.word(at + 1) == "out" ? 3 : 2);
    const auto many = is_any(sentence.word(at), "one 1") &&
                              is_any(sentence.word(of - 1), "in of") && sentence.follows(of)
                          ? measure_at(sentence, of)
                          : std::nullopt;
    if (many && many->unit.empty() && many->value >= 2 && many->value <= 1000) {
        return {1 / many->value, of + many->length};
    }
    const auto measure = measure_at(sentence, at);
    if (!measure || measure->value <= 0 || measure->value > 100 || measure->negative) {
        return {0, at};
    }
    const std::size_t behind = at + measure->length;
    if (is_any(measure->unit, "% percent pct")) {
        return {measure->value / 100, behind};
    }
    const bool apart = measure->unit.empty() && sentence.follows(behind) &&
                       is_any(sentence.word(behind), "% percent pct");
    return {apart ? measure->value / 100 : 0, behind + 1};
}

/// Tokens at `at` that say that people are at it together: "active", "at once"; 0: none do.
std::size_t together_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (is_any(word,
               "active concurrent concurrently concurrency simultaneous simultaneously online "
               "parallel")) {
        return 1;
    }
    if (word == "at" && is_any(sentence.word(at + 1), "once peak")) {
        return 2;
    }
    const std::size_t noun = at + (sentence.word(at + 2) == "same" ? 3 : 2);
    return word == "at" && is_any(sentence.word(at + 1), "the a any one") &&
                   is_any(sentence.word(noun), "time moment instant")
               ? noun + 1 - at
               : 0;
}

/// Tokens behind a share that say that its people are at it together; empty: it is another share.
/// "half of our 60 devs are active at once": their number stays to be read.
std::vector<std::size_t> words_of_share(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 9;
    std::vector<std::size_t> words;
    bool together = false;
    bool counted = false;  // people whose number stands before them
    for (std::size_t i = at; i < at + farthest && sentence.follows(i);) {
        const std::size_t length = together_at(sentence, i);
        const bool person = is_any(sentence.word(i), people);
        if (length == 0 && !person && measure_at(sentence, i)) {
            counted = true;
            ++i;
            continue;
        }
        if (length == 0 && !person &&
            !is_any(sentence.word(i),
                    "of them the those our these is are will be use using asking busy typing "
                    "logged in us it all")) {
            break;
        }
        for (const std::size_t end = i + std::max<std::size_t>(length, 1); i < end; ++i) {
            if (!(person && counted)) {
                words.push_back(i);
            }
        }
        together = together || length > 0;
    }
    return together ? words : std::vector<std::size_t>{};
}

}  // namespace

void recognise_active_share(Sentence& sentence) {
    if (!sentence.any_word(people)) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto [share, past] = sentence.open(i) ? share_at(sentence, i) : std::pair(0.0, i);
        if (share <= 0) {
            continue;
        }
        // "peak concurrency of 10 %", "concurrency: 10 %"
        const std::size_t first =
            first_of_words(sentence, i, "of is at about around roughly ~ a one");
        const bool named = first > 0 && sentence.follows(first) &&
                           is_any(sentence.word(first - 1), "concurrency simultaneity");
        const auto words = words_of_share(sentence, past);
        if (words.empty() && !named) {
            continue;
        }
        sentence.active_share = share;
        sentence.claim(named ? first - 1 : first, past - (named ? first - 1 : first));
        for (const std::size_t word : words) {
            sentence.claim(word);
        }
        return;
    }
}

void count_active_share(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.active_share <= 0 || sentence.heads < 2 || sentence.together) {
        return;
    }
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {  // "32 concurrent": told as it is
        const auto told = is_any(sentence.word(i), "concurrent simultaneous")
                              ? measure_at(sentence, i - 1)
                              : std::nullopt;
        if (told && told->unit.empty()) {
            return;
        }
    }
    const double at_once = std::max(1.0, std::ceil(sentence.active_share * sentence.heads - 1e-9));
    reading.concurrency = static_cast<int>(at_once);
    forget_assumed(reading, "concurrency");
    sentence.assume("concurrency", fmt::format("{:g}", at_once),
                    fmt::format("{:g} % of {:g} people ask at the same moment",
                                100 * sentence.active_share, sentence.heads));
}

}  // namespace ridgeline::reading
