#include "advise/reading/amounts/time_words.h"

#include "advise/reading/amounts/recordings.h"
#include "advise/reading/amounts/times.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <string>

// Times without a number: "overnight", "around the clock", "half a day".

namespace ridgeline::reading {
namespace {

/// A part of a day or week, by whose end something must be done.
struct SpanOfTime {
    int hours = 0;  ///< 0: none is told
    std::string_view told{};
};

/// "by tomorrow", "before tonight", "by the end of the week", "until next month": days from now; 0:
/// it is no such time.
double days_until(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool turned = is_any(word, "week month");
    const double days = word == "tomorrow"              ? 1
                        : is_any(word, "tonight today") ? 0.5
                        : word == "week"                ? 7
                        : word == "month"               ? 30
                                                        : 0;
    std::size_t from = at;
    bool next = false;  // "next week", "end of the day"
    while (days > 0 && from > 0 && sentence.follows(from) &&
           is_any(sentence.word(from - 1), "next the end of this")) {
        next = next || is_any(sentence.word(from - 1), "next end this");
        --from;
    }
    const bool until = from > 0 && sentence.follows(from) &&
                       is_any(sentence.word(from - 1), "by before until till");
    return until && (next || !turned) ? days : 0;
}

SpanOfTime span_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view before = at > 0 ? sentence.word(at - 1) : std::string_view();
    if (word == "overnight") {
        return {12, "overnight"};
    }
    if (word == "morning" && is_any(before, "by till until before")) {
        return {12, "by morning"};
    }
    if (word == "evening" && is_any(before, "an one the this")) {
        return {4, "an evening"};
    }
    if (const double days = days_until(sentence, at); days > 0) {
        return {static_cast<int>(24 * days), "by then"};
    }
    const bool weekend = word == "weekend" && near_words(sentence, clause_start(sentence, at, 3),
                                                         at, "over in a within");
    return weekend ? SpanOfTime{48, "a weekend"} : SpanOfTime{};
}

/// "24/7", "around the clock", "day and night", "non-stop": its tokens; 0: it stands not there.
std::size_t always_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (word == "24" && sentence.word(at + 1) == "7" && sentence.tokens[at + 1].gap == Gap::slash) {
        return 2;
    }
    const bool clock = is_any(word, "around round") && sentence.word(at + 1) == "the" &&
                       sentence.word(at + 2) == "clock";
    const bool always =
        word == "day" && sentence.word(at + 1) == "and" && sentence.word(at + 2) == "night";
    const bool apart = word == "non" && sentence.word(at + 1) == "stop";
    return clock || always ? 3 : apart ? 2 : is_any(word, "24x7 nonstop") ? 1 : 0;
}

/// "an hour of audio", "half an hour of speech": how much there is to hear; `unit` is the token of
/// the time's unit.
bool take_spelt_recording(Sentence& sentence, std::size_t at, std::size_t unit, double amount) {
    const double unit_s = seconds_of(sentence.word(unit));
    return unit_s >= 60 && is_any(sentence.word(unit + 1), "of worth") &&
           take_recordings(sentence, at, unit + 1, {amount, {}}, unit_s);
}

/// "half a second", "a quarter of an hour", "sub-second first token", "in a month".
bool match_spelt_amount(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (word == "sub" && is_any(sentence.word(at + 1), "second minute") &&
        sentence.follows(at + 1)) {
        take_time(sentence, at, at + 2, 1, seconds_of(sentence.word(at + 1)), false);
        return true;
    }
    if (word == "half" || word == "quarter") {
        std::size_t unit = at + 1;
        while (unit < at + 3 && is_any(sentence.word(unit), "a an of")) {
            ++unit;
        }
        const double of_s = sentence.follows(unit) ? seconds_of(sentence.word(unit)) : 0;
        if (of_s > 0 && take_spelt_recording(sentence, at, unit, word == "half" ? 0.5 : 0.25)) {
            return true;
        }
        if (of_s > 0) {
            take_time(sentence, at, unit + 1, word == "half" ? 0.5 : 0.25, of_s, false);
            return true;
        }
    }
    if (is_any(word, "a an one") && sentence.follows(at + 1) &&
        take_spelt_recording(sentence, at, at + 1, 1)) {
        return true;
    }
    const bool article =
        is_any(word, "a an one") && at > 0 &&
        is_any(sentence.word(at - 1),
               "in inside within for over after under below than most about around roughly "
               "have got take takes max maximum to") &&
        sentence.follows(at + 1);
    const double unit_s = article ? seconds_of(sentence.word(at + 1)) : 0;
    // "ttft under a second"; "10 images in a second" is a rate.
    const std::size_t clause = clause_start(sentence, at, 5);
    const bool waited = unit_s > 0 && unit_s <= 60 &&
                        is_any(sentence.word(at - 1), "under below within than most max") &&
                        (near_words(sentence, clause, at, "ttft first latency") ||
                         near_words(sentence, clause, at, reply_words));
    if (unit_s < 3600 && !waited) {
        return false;
    }
    take_time(sentence, at, at + 2, 1, unit_s, false);
    return true;
}

}  // namespace

bool match_time_words(Sentence& sentence, std::size_t at) {
    if (const auto [hours, told] = span_at(sentence, at); hours > 0) {
        if (sentence.follows(at + 1) && sentence.tokens[at + 1].gap == Gap::paren) {
            return false;  // "overnight (10h)" says how long
        }
        sentence.reading.deadline_s = hours * 3600.0;
        sentence.assume("deadline_s", std::to_string(hours * 3600),
                        fmt::format("{} was taken as {} hours", told, hours));
        sentence.claim(at);
        return true;
    }
    if (const std::size_t always = always_at(sentence, at)) {
        sentence.reading.hours_per_day = 24;
        sentence.claim(at, always);
        return true;
    }
    if (sentence.word(at) == "single" && sentence.follows(at + 1) &&
        is_any(sentence.word(at + 1), "user request stream client session")) {
        sentence.reading.concurrency = 1;
        sentence.claim(at, 2);
        return true;
    }
    return match_spelt_amount(sentence, at);
}

}  // namespace ridgeline::reading
