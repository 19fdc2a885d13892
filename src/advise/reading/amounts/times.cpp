#include "advise/reading/amounts/times.h"

#include "advise/reading/amounts/pictures.h"
#include "advise/reading/amounts/recordings.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <cmath>

// Numbers with a unit of time: deadlines, months of renting, hours a day, latencies.

namespace ridgeline::reading {

namespace {

/// "under 3 s for 500 token answers", "response time 5 s, 200 token replies": answers whose length
/// is told right behind a time have it as a whole, where it is no first token's.
bool is_of_told_length(const Sentence& sentence, std::size_t before, std::size_t at,
                       std::size_t end) {
    const bool linked = is_any(sentence.word(end), "for on per");
    const std::size_t number = end + (linked ? 1 : 0);
    const auto measure = measure_at(sentence, number);
    if (!measure || near_words(sentence, before, at, "first ttft tpot itl token") ||
        !(linked || near_words(sentence, before, at, "response answer reply total"))) {
        return false;
    }
    std::size_t noun = number + measure->length;
    noun += is_any(sentence.word(noun), "token tokens tok toks word words") ? 1 : 0;
    return is_any(sentence.word(noun), reply_words);
}

/// Tokens of an answer, told beside the time of it, with one past its words.
struct ToldTokens {
    double count = 0;  ///< 0: none were told
    std::size_t from = 0;
    std::size_t end = 0;
};

/// "prompt of 4000 tokens", "prefill 4000 tokens": the nearest noun or verb before the number at
/// token `at` tells that they are read; "8k context, 200 tokens": a noun with a number of its own
/// tells of that one.
bool is_read_length(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 7;
    for (std::size_t i = at; i > clause_start(sentence, at, farthest); --i) {
        const std::string_view word = sentence.word(i - 1);
        const bool counted = i > 1 && sentence.follows(i - 1) && has_digit(sentence.word(i - 2)) &&
                             measure_at(sentence, i - 2);
        if (is_any(word, reply_words) ||
            is_any(word,
                   "generate generates generating generated output outputs out write writes "
                   "writing tokens token tok toks")) {
            return false;
        }
        if (is_any(word, "prompt prompts input inputs context contexts ctx document documents")) {
            return !counted;
        }
        if (is_any(word,
                   "read reads reading prefill prefills prefilling process processes "
                   "processing ingest ingests ingesting")) {
            return true;
        }
    }
    return false;
}

/// "4 s for 200 tokens", "200 tokens in under 4 s": those that are read have a noun of their own,
/// and a rate that was seen is no limit.
ToldTokens tokens_of_time(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr double longest = 50e3;
    const auto told = [&](std::size_t number) {
        const auto measure = measure_at(sentence, number);
        const std::size_t noun = measure ? number + measure->length : number;
        const bool tokens = measure && measure->unit.empty() && measure->value > 1 &&
                            measure->value <= longest && sentence.follows(noun) &&
                            is_any(sentence.word(noun), "tokens token toks tok");
        const bool read =
            sentence.follows(noun + 1) &&
            is_any(sentence.word(noun + 1),
                   "prompt prompts input inputs context ctx long of per second sec s");
        const bool reply =
            sentence.follows(noun + 1) && is_any(sentence.word(noun + 1), reply_words);
        const bool taken = measure && sentence.reading.input_tokens == measure->value;
        const bool before = !reply && tokens && (taken || is_read_length(sentence, number));
        return tokens && !read && !before ? ToldTokens{measure->value, number, noun + 1}
                                          : ToldTokens{};
    };
    if (near_words(sentence, clause_start(sentence, at, 4), at, "first ttft") ||
        sentence.any_word("get getting got took takes")) {
        return {};
    }
    if (is_any(sentence.word(end), "for per") && sentence.follows(end)) {
        return told(end + 1);
    }
    std::size_t tokens =
        first_of_words(sentence, at, "in within under below less than about max at most");
    // "a 500 token answer in less than 6 s"
    tokens -= tokens > 2 && tokens < at && is_any(sentence.word(tokens - 1), reply_words) ? 1 : 0;
    if (tokens == at || tokens < 2 || !sentence.follows(tokens)) {
        return {};
    }
    const ToldTokens before = told(tokens - 2);
    return before.end == tokens ? before : ToldTokens{};
}

}  // namespace

bool is_of_whole_answers(const Sentence& sentence, std::size_t before, std::size_t at,
                         std::size_t end) {
    if (is_of_told_length(sentence, before, at, end) ||
        tokens_of_time(sentence, at, end).count > 0) {
        return true;
    }
    const auto told = [&](std::size_t from, std::size_t to) {
        return near_words(sentence, from, to, "e2e end whole entire complete");
    };
    return told(before, at) || told(end, end + 6);
}

bool is_of_replies(const Sentence& sentence, std::size_t before, std::size_t at, std::size_t end) {
    const auto told = [&](std::size_t from, std::size_t to) {
        return near_words(sentence, from, to, reply_words);
    };
    const auto starts = [&](std::size_t from, std::size_t to) {
        return near_words(sentence, from, to, "first ttft token tok tpot itl start starts begin");
    };
    const bool behind = sentence.follows(end) &&
                        (is_any(sentence.word(end), "per for each a an") || told(end, end + 1)) &&
                        told(end, end + 3);
    return (told(before, at) || behind) && !starts(before, at) && !starts(end, end + 4);
}

namespace {

constexpr double month_s = 30 * 86400.0;

enum class TimeRole { deadline, months, hours_per_day, ttft, tpot, answer, reply, latency, none };

/// "3 hours a day", "2 h/day", "8 hours daily".
bool is_of_a_period(const Sentence& sentence, std::size_t end) {
    return (is_any(sentence.word(end), "a per each every") &&
            is_any(sentence.word(end + 1), "day daily week month night evening weekday workday")) ||
           (is_any(sentence.word(end), "day d") && sentence.tokens[end].gap == Gap::slash) ||
           sentence.word(end) == "daily";
}

constexpr double longest_wait_unit_s = 60;  // nobody waits hours for one answer

/// Of a second or less: what is waited for.
TimeRole role_of_short_time(const Sentence& sentence, std::size_t before, std::size_t at,
                            std::size_t end) {
    if (is_of_whole_answers(sentence, before, at, end)) {
        return TimeRole::answer;
    }
    // "ttft below half a second and 25ms/token": what stands behind another number is of that one.
    std::size_t clause = end;
    while (clause < end + 5 && clause < sentence.tokens.size() && sentence.word(clause) != "and" &&
           !has_digit(sentence.word(clause))) {
        ++clause;
    }
    // "30ms tokens"
    if ((is_any(sentence.word(end), "tokens toks") ||
         near_words(sentence, end, std::min(end + 3, clause), "token tpot itl tok")) &&
        !near_words(sentence, end, std::min(end + 3, clause), "first ttft")) {
        return TimeRole::tpot;
    }
    if (near_words(sentence, end, clause, "ttft first")) {
        return TimeRole::ttft;
    }
    if (near_words(sentence, before, at, "tpot itl")) {
        return TimeRole::tpot;
    }
    return near_words(sentence, before, at, "ttft first") ? TimeRole::ttft : TimeRole::latency;
}

/// "within 3 days", "in about a month"; "in the cloud for 36 months": "in" belongs to what stands
/// right behind it.
bool is_limit(const Sentence& sentence, std::size_t before, std::size_t at) {
    return near_words(sentence, before, at,
                      "within inside under by deadline before than most finish max") ||
           (at > 0 &&
            (sentence.word(at - 1) == "in" ||
             (at > 1 && sentence.word(at - 2) == "in" &&
              is_any(sentence.word(at - 1), "about around the next just only a roughly"))));
}

/// "each under 4 minutes", "5 min per clip", of what makes pictures: the time is that of one.
bool is_of_each(const Sentence& sentence, std::size_t at, std::size_t end) {
    const bool each =
        near_words(sentence, clause_start(sentence, at, 5), at, "each every per") ||
        (sentence.follows(end) && is_any(sentence.word(end), "each apiece")) ||
        (sentence.follows(end) &&
         (is_any(sentence.word(end), "per a an for") || sentence.tokens[end].gap == Gap::slash) &&
         near_words(sentence, end, end + 3, "clip video image picture pic img photo render one"));
    return each && makes_pictures(sentence);
}

TimeRole role_of(const Sentence& sentence, std::size_t at, std::size_t end, double unit_s,
                 double hours) {
    const std::size_t before = clause_start(sentence, at, 4);
    // "interrupted every 6 h", "a checkpoint every 2 hours": how often, no time that anything
    // takes.
    if (at > 0 && sentence.word(at - 1) == "every" &&
        near_words(
            sentence, before, at,
            "interrupt interrupts interrupted interruption interruptions preempted evicted "
            "killed dies checkpoint checkpoints checkpointing restart restarts")) {
        return TimeRole::none;
    }
    if (unit_s == 3600 && sentence.follows(end) && is_of_a_period(sentence, end)) {
        return TimeRole::hours_per_day;
    }
    if (unit_s <= longest_wait_unit_s && is_of_whole_answers(sentence, before, at, end)) {
        return TimeRole::answer;
    }
    const bool minutes = unit_s > 1 && unit_s <= longest_wait_unit_s;
    if (minutes && near_words(sentence, before, at, "first ttft")) {
        return TimeRole::ttft;
    }
    if (unit_s <= longest_wait_unit_s &&
        is_of_replies(sentence, clause_start(sentence, at, 6), at, end)) {
        return TimeRole::reply;
    }
    if (unit_s <= 1) {
        return role_of_short_time(sentence, before, at, end);
    }
    if (unit_s <= 3600 && is_of_each(sentence, at, end)) {
        return TimeRole::latency;
    }
    const bool limits = is_limit(sentence, before, at);
    const bool owns = weighs_owning(sentence);
    // A deadline of hours is no matter of owning: they are those of a day.
    if (unit_s == 3600 && owns && !limits && hours <= 24) {
        return TimeRole::hours_per_day;
    }
    if (unit_s >= month_s) {
        return limits && !owns ? TimeRole::deadline : TimeRole::months;
    }
    return owns && !limits && unit_s >= 86400 ? TimeRole::months : TimeRole::deadline;
}

/// "train 8b in 1 second": a run ends in a time, however short; what is trained answers nobody.
bool is_of_a_run(const Sentence& sentence, std::size_t at) {
    return is_limit(sentence, clause_start(sentence, at, 4), at) &&
           sentence.any_word(
               "train training finetune finetuning tune tuning pretrain pretraining "
               "sft") &&
           !sentence.any_word(
               "serve serving inference chat answer answers reply replies respond "
               "latency token tokens step steps");
}

/// The words behind a time that said which one it is.
void claim_role_words(Sentence& sentence, std::size_t end) {
    for (std::size_t i = end; i < end + 4 && sentence.open(i) && sentence.follows(i); ++i) {
        if (is_any(sentence.word(i), "ttft tpot itl first token output tok per latency")) {
            sentence.claim(i);
        } else if (!is_any(sentence.word(i), "to the a")) {
            return;
        }
    }
}

/// "hours a day", "/day", "daily" behind token `end`: one past it.
std::size_t end_of_period(const Sentence& sentence, std::size_t end) {
    if (!sentence.follows(end)) {
        return end;
    }
    if (sentence.word(end) == "daily" || sentence.tokens[end].gap == Gap::slash) {
        return end + 1;
    }
    return is_any(sentence.word(end), "a per each every") ? end + 2 : end;
}

/// "200 tokens in under 4 s": so long is the answer; they were read as a length before.
void take_length_of_answer(Sentence& sentence, std::size_t at, std::size_t end) {
    Reading& reading = sentence.reading;
    const ToldTokens told = tokens_of_time(sentence, at, end);
    if (told.count == 0 || reading.output_tokens) {
        return;
    }
    const int count = static_cast<int>(told.count);
    reading.output_tokens = count;
    reading.sequence = reading.sequence == count ? std::nullopt : reading.sequence;
    reading.tokens = reading.tokens == told.count ? std::nullopt : reading.tokens;
    sentence.claim(told.from, told.end - told.from);
}

}  // namespace

void take_time(Sentence& sentence, std::size_t at, std::size_t end, double amount, double unit_s,
               bool negative) {
    Measure measure;
    measure.value = amount;
    measure.negative = negative;
    if (!in_range(sentence, at, measure, 1e-9, 1e9, "a time")) {
        return;
    }
    Reading& reading = sentence.reading;
    const double seconds = amount * unit_s;
    switch (role_of(sentence, at, end, unit_s, seconds / 3600)) {
        case TimeRole::hours_per_day:
            reading.hours_per_day = amount / (sentence.word(end + 1) == "week"    ? 7
                                              : sentence.word(end + 1) == "month" ? 30
                                                                                  : 1);
            end = end_of_period(sentence, end);
            break;
        case TimeRole::months:
            reading.months = seconds / month_s;
            break;
        case TimeRole::deadline:
            reading.deadline_s = seconds;
            break;
        case TimeRole::tpot:
            reading.tpot_s = seconds;
            break;
        case TimeRole::ttft:
            reading.ttft_s = seconds;
            break;
        case TimeRole::answer:
            sentence.answer_s = seconds;
            take_length_of_answer(sentence, at, end);
            break;
        case TimeRole::reply:
            sentence.answer_s = seconds;
            sentence.answer_open = true;
            break;
        case TimeRole::latency:
            if (is_of_a_run(sentence, at)) {
                reading.deadline_s = seconds;
            } else if (!reading.ttft_s) {
                reading.ttft_s = seconds;
                const bool one = makes_pictures(sentence) &&
                                 (is_limit(sentence, clause_start(sentence, at, 4), at) ||
                                  is_of_each(sentence, at, end));
                sentence.assume(
                    "ttft_s", fmt::format("{:g}", seconds),
                    one ? time_of_one : "a latency without a name is that of the first token");
            }
            break;
        case TimeRole::none:
            break;
    }
    sentence.claim(at, end - at);
    claim_role_words(sentence, end);
}

bool match_time(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return false;
    }
    const bool glued = !measure->unit.empty();
    const std::size_t unit_at = at + measure->length;
    const double unit_s =
        glued ? seconds_of(measure->unit)
              : (sentence.follows(unit_at) ? seconds_of(sentence.word(unit_at)) : 0);
    // "h100 x8 minutes": so many cards, and a time that is asked for.
    const bool counts_parts = at > 1 && sentence.word(at - 1) == "x" &&
                              std::ranges::any_of(sentence.mentions, [at](const Mention& each) {
                                  return each.end + 1 == at;
                              });
    if (counts_parts && !glued) {
        return false;
    }
    // "4090s" are cards.
    if (unit_s == 0 || (glued && measure->unit == "s" && measure->value >= 100 &&
                        measure->value == std::floor(measure->value))) {
        return false;
    }
    const std::size_t end = unit_at + (glued ? 0 : 1);
    const std::string_view unit = glued ? std::string_view(measure->unit) : sentence.word(unit_at);
    if (unit == "w" && measure->value > most_weeks) {
        return false;  // "300 W" are watts
    }
    // "11k/month" is a rate of something, no time.
    if (!glued && sentence.tokens[unit_at].gap == Gap::slash) {
        return false;
    }
    // "3d volumes" have dimensions; "in 3d" is a deadline.
    const bool dimensions = glued && measure->unit == "d" && measure->value <= 4 &&
                            !near_words(sentence, clause_start(sentence, at, 2), at,
                                        "in within under by deadline than");
    if (dimensions) {
        sentence.claim(at);
        return true;
    }
    if (take_recordings(sentence, at, end, *measure, unit_s)) {
        return true;
    }
    if (measure->scaled && !measure->kilo) {
        return false;  // nobody waits for millions of any of them
    }
    take_time(sentence, at, end, measure->value, unit_s, measure->negative);
    return true;
}

}  // namespace ridgeline::reading
