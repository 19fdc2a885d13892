#include "advise/reading/amounts.h"
#include "advise/reading/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cmath>

// Times: deadlines, months of renting, hours a day, latencies, dates.

namespace ridgeline::reading {

bool is_of_whole_answers(const Sentence& sentence,
                         std::size_t before,
                         std::size_t at,
                         std::size_t end) {
    const auto told = [&](std::size_t from, std::size_t to) {
        return near_words(sentence, from, to, {"e2e", "end", "whole", "entire", "complete"});
    };
    return told(before, at) || told(end, end + 6);
}

bool weighs_owning(const Sentence& sentence) {
    const bool rents = sentence.any_word({"rent", "renting", "rental", "rentals", "cloud", "rented",
                                          "lease", "leasing", "leased", "opex", "hire"});
    const bool buys =
        sentence.any_word({"buy", "buying", "bought", "purchase", "purchasing", "purchased", "own",
                           "owning", "owned", "prem", "premise", "premises", "capex", "house"});
    return (rents && buys) ||
           sentence.any_word({"tco", "even", "breakeven", "ownership", "owning", "amortize",
                              "amortise", "amortizes", "amortises", "amortized", "amortised",
                              "amortization", "payback", "capex", "roi"});
}

namespace {

constexpr double month_s = 30 * 86400.0;

/// Tokens back from `at` within the same clause.
std::size_t clause_start(const Sentence& sentence, std::size_t at, std::size_t most) {
    std::size_t i = at;
    while (i > 0 && at - i < most && sentence.tokens[i].gap != Gap::stop) {
        --i;
    }
    return i;
}

enum class TimeRole { deadline, months, hours_per_day, ttft, tpot, answer, latency, none };

TimeRole role_of(const Sentence& sentence,
                 std::size_t at,
                 std::size_t end,
                 double unit_s,
                 double hours) {
    const std::size_t before = clause_start(sentence, at, 4);
    const bool short_time = unit_s <= 1;
    if (unit_s == 3600 && sentence.follows(end) &&
        ((is_any(sentence.word(end), {"a", "per", "each", "every"}) &&
          is_any(sentence.word(end + 1), {"day", "daily", "week", "month"})) ||
         (sentence.tokens[end].gap == Gap::slash && is_any(sentence.word(end), {"day", "d"})) ||
         sentence.word(end) == "daily")) {
        return TimeRole::hours_per_day;
    }
    if (short_time) {
        if (is_of_whole_answers(sentence, before, at, end)) {
            return TimeRole::answer;
        }
        if (near_words(sentence, end, end + 3, {"token", "tpot", "itl", "tok"}) &&
            !near_words(sentence, end, end + 3, {"first", "ttft"})) {
            return TimeRole::tpot;
        }
        if (near_words(sentence, end, end + 5, {"ttft", "first"})) {
            return TimeRole::ttft;
        }
        if (near_words(sentence, before, at, {"tpot", "itl"})) {
            return TimeRole::tpot;
        }
        if (near_words(sentence, before, at, {"ttft", "first"})) {
            return TimeRole::ttft;
        }
        return TimeRole::latency;
    }
    // "in the cloud for 36 months": "in" belongs to what stands right behind it.
    const bool within =
        near_words(sentence,
                   before,
                   at,
                   {"within", "under", "by", "deadline", "before", "than", "most", "finish", "max"}) ||
        (at > 0 && (sentence.word(at - 1) == "in" ||
                    (at > 1 && sentence.word(at - 2) == "in" &&
                     is_any(sentence.word(at - 1),
                            {"about", "around", "the", "next", "just", "only", "a", "roughly"}))));
    // A deadline of hours is no matter of owning: they are those of a day.
    if (unit_s == 3600 && weighs_owning(sentence) && !within && hours <= 24) {
        return TimeRole::hours_per_day;
    }
    if (unit_s >= month_s) {
        return within && !weighs_owning(sentence) ? TimeRole::deadline : TimeRole::months;
    }
    return weighs_owning(sentence) && !within && unit_s >= 86400 ? TimeRole::months
                                                                 : TimeRole::deadline;
}

bool is_recording(std::string_view word) {
    return is_any(word,
                  {"audio",
                   "speech",
                   "podcast",
                   "podcasts",
                   "recordings",
                   "recording",
                   "calls",
                   "interviews",
                   "lectures",
                   "meetings",
                   "voice",
                   "radio",
                   "transcripts",
                   "footage",
                   "video",
                   "videos"});
}

/// "500 hours of audio", "transcription of 1000 hours": how much there is to hear; the tokens of it
/// after the unit. Nothing: the time is one of waiting.
std::optional<std::size_t> recording_words(const Sentence& sentence,
                                           std::size_t at,
                                           std::size_t end,
                                           double unit_s) {
    for (std::size_t i = end; i < end + 4 && sentence.follows(i); ++i) {
        if (is_recording(sentence.word(i))) {
            return i + 1 - end;
        }
        if (!is_any(sentence.word(i), {"of", "worth", "recorded", "raw", "english", "my", "our"})) {
            break;
        }
    }
    if (sentence.reading.audio_s) {
        return std::nullopt;  // so much is heard; another time is one of waiting
    }
    const bool heard = sentence.any_word(
        {"transcribe", "transcribing", "transcription", "transcriptions", "whisper", "asr"});
    const bool speech = sentence.any_word({"wav2vec", "wav2vec2", "hubert", "librispeech", "speech",
                                           "conformer", "jasper", "quartznet", "rnnt"}) &&
                        at > 0 && is_any(sentence.word(at - 1), {"on", "of", "over"});
    const auto amount = measure_at(sentence, at);
    const bool many = amount && unit_s == 3600 && amount->value >= 100;  // "a 10,000 h archive"
    const bool waits = near_words(sentence,
                                  clause_start(sentence, at, 3),
                                  at,
                                  {"in", "within", "under", "by", "than", "most", "max", "for"});
    return (heard || speech) && unit_s >= 60 && !waits &&
                   (at == 0 || unit_s >= 3600 * 24 || many ||
                    !is_any(sentence.word(at - 1), {"a", "per", "every", "each"}))
               ? std::optional<std::size_t>(0)
               : std::nullopt;
}

/// "1500 meetings of 45 min": how many recordings have the length at `at`; 1: none were counted.
double recordings_before(Sentence& sentence, std::size_t at) {
    if (at < 3 || !is_any(sentence.word(at - 1), {"of", "x", "at", "about"})) {
        return 1;
    }
    const bool noun = is_recording(sentence.word(at - 2)) ||
                      is_any(sentence.word(at - 2), {"files", "clips", "episodes", "sessions", "talks", "lessons", "conversations"});
    const auto count = amount_in(sentence.word(at - 3));
    if (!noun || !count || !(count->unit.empty() || count->unit == "k")) {
        return 1;
    }
    sentence.claim(at - 3, 3);
    sentence.reading.samples.reset();
    return count->value * (count->unit == "k" ? 1000 : 1);
}

/// "5000 hours a day": what comes in a day is heard within the day. Returns the tokens of it.
std::size_t take_period_of_recordings(Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    const std::string_view word = sentence.word(at);
    const bool slash = sentence.tokens[at].gap == Gap::slash;
    const bool each = is_any(word, {"a", "per", "every", "each"}) && sentence.follows(at + 1);
    const double period = word == "daily" ? 86400
                          : each          ? seconds_of(sentence.word(at + 1))
                          : slash         ? seconds_of(word)
                                          : 0;
    if (period < 86400) {
        return 0;
    }
    if (!sentence.reading.deadline_s) {
        sentence.reading.deadline_s = period;
        sentence.assume("deadline_s", fmt::format("{:.0f}", period), "what comes in that time is heard within it");
    }
    return each ? 2 : 1;
}

void take_time(Sentence& sentence,
               std::size_t at,
               std::size_t end,
               double amount,
               double unit_s,
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
            reading.hours_per_day = amount / (sentence.word(end + 1) == "week" ? 7 : sentence.word(end + 1) == "month" ? 30 : 1);
            end += !sentence.follows(end) ? 0
                   : sentence.word(end) == "daily" || sentence.tokens[end].gap == Gap::slash ? 1
                   : is_any(sentence.word(end), {"a", "per", "each", "every"})               ? 2
                                                                                             : 0;
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
            break;
        case TimeRole::latency:
            if (!reading.ttft_s) {
                reading.ttft_s = seconds;
                sentence.assume("ttft_s",
                                fmt::format("{:g}", seconds),
                                "a latency without a name is that of the first token");
            }
            break;
        case TimeRole::none:
            break;
    }
    sentence.claim(at, end - at);
    // The words that said which time it is.
    for (std::size_t i = end; i < end + 4 && sentence.open(i) && sentence.follows(i) &&
                              is_any(sentence.word(i),
                                     {"ttft",
                                      "tpot",
                                      "itl",
                                      "first",
                                      "token",
                                      "to",
                                      "per",
                                      "output",
                                      "latency",
                                      "tok",
                                      "the",
                                      "a"});
         ++i) {
        if (is_any(sentence.word(i),
                   {"ttft", "tpot", "itl", "first", "token", "output", "tok", "per", "latency"})) {
            sentence.claim(i);
        }
    }
}

}  // namespace

double seconds_of(std::string_view unit) {
    struct Name {
        std::string_view word;
        double seconds;
    };
    static constexpr double day = 86400;
    static constexpr Name names[] = {
        {"ms", 1e-3},
        {"msec", 1e-3},
        {"millisecond", 1e-3},
        {"milliseconds", 1e-3},
        {"millis", 1e-3},
        {"s", 1},
        {"sec", 1},
        {"secs", 1},
        {"second", 1},
        {"seconds", 1},
        {"min", 60},
        {"mins", 60},
        {"minute", 60},
        {"minutes", 60},
        {"h", 3600},
        {"hr", 3600},
        {"hrs", 3600},
        {"hour", 3600},
        {"hours", 3600},
        {"stunden", 3600},
        {"d", day},
        {"day", day},
        {"days", day},
        {"tage", day},
        {"week", 7 * day},
        {"fortnight", 14 * day},
        {"weeks", 7 * day},
        {"wk", 7 * day},
        {"w", 7 * day},
        {"month", 30 * day},
        {"months", 30 * day},
        {"mo", 30 * day},
        {"mos", 30 * day},
        {"monate", 30 * day},
        {"meses", 30 * day},
        {"mois", 30 * day},
        {"year", 360 * day},
        {"years", 360 * day},
        {"yr", 360 * day},
        {"yrs", 360 * day},
        {"jahre", 360 * day},
        {"y", 360 * day},
        {"quarter", 90 * day},
    };
    for (const Name& name : names) {
        if (name.word == unit) {
            return name.seconds;
        }
    }
    return 0;
}

bool match_time(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || (measure->scaled && !measure->kilo)) {
        return false;
    }
    const bool glued = !measure->unit.empty();
    const std::size_t unit_at = at + measure->length;
    const double unit_s =
        glued ? seconds_of(measure->unit)
              : (sentence.follows(unit_at) ? seconds_of(sentence.word(unit_at)) : 0);
    // "4090s" are cards.
    if (unit_s == 0 || (glued && measure->unit == "s" && measure->value >= 100 &&
                        measure->value == std::floor(measure->value))) {
        return false;
    }
    const std::size_t end = unit_at + (glued ? 0 : 1);
    // "300W" are watts.
    if (glued && measure->unit == "w" && measure->value > 12) {
        return false;
    }
    // "3d volumes" have dimensions; "in 3d" is a deadline.
    const bool dimensions = glued && measure->unit == "d" && measure->value <= 4 &&
                            !near_words(sentence,
                                        clause_start(sentence, at, 2),
                                        at,
                                        {"in", "within", "under", "by", "deadline", "than"});
    if (dimensions) {
        sentence.claim(at);
        return true;
    }
    if (const auto words = recording_words(sentence, at, end, unit_s)) {
        if (in_range(sentence, at, *measure, 1e-9, 1e9, "a length of audio")) {
            sentence.reading.audio_s = measure->value * unit_s * recordings_before(sentence, at);
        }
        const std::size_t heard = end + *words;
        sentence.claim(at, heard + take_period_of_recordings(sentence, heard) - at);
        return true;
    }
    take_time(sentence, at, end, measure->value, unit_s, measure->negative);
    return true;
}

/// "1 per 10 seconds", "2 images every 5 s", "an image each 30 sec": a rate, no latency.
bool match_rate_over_time(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const bool article = is_any(sentence.word(at), {"a", "an", "one"});
    if (!article && (!measure || !measure->unit.empty() || measure->negative)) {
        return false;
    }
    std::size_t every = at + (article ? 1 : measure->length);
    const bool thing = is_any(sentence.word(every),
                              {"image", "images", "picture", "pictures", "photo", "photos",
                               "request", "requests", "query", "queries", "prompt", "prompts",
                               "call", "calls", "page", "pages", "clip", "clips", "video",
                               "videos", "frame", "frames", "document", "documents"});
    every += thing ? 1 : 0;
    if ((article && !thing) || !sentence.follows(every) ||
        !is_any(sentence.word(every), {"per", "every", "each"})) {
        return false;
    }
    const auto span = measure_at(sentence, every + 1);
    if (!span || span->value <= 0 || span->negative || !sentence.follows(every + 1)) {
        return false;
    }
    std::size_t end = every + 1 + span->length;
    double unit_s = span->unit.empty() ? 0 : seconds_of(span->unit);
    if (span->unit.empty() && sentence.follows(end)) {
        unit_s = seconds_of(sentence.word(end));
        ++end;
    }
    if (unit_s <= 0) {
        return false;
    }
    sentence.reading.requests_per_s = (article ? 1.0 : measure->value) / (span->value * unit_s);
    sentence.claim(at, end - at);
    return true;
}

/// "in a month", "for a year", "overnight", "24/7".
bool match_time_words(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (word == "overnight") {
        sentence.reading.deadline_s = 12 * 3600.0;
        sentence.assume("deadline_s", "43200", "overnight was taken as 12 hours");
        sentence.claim(at);
        return true;
    }
    if (word == "morning" && at > 0 && is_any(sentence.word(at - 1), {"by", "till", "until", "before"})) {
        sentence.reading.deadline_s = 12 * 3600.0;
        sentence.assume("deadline_s", "43200", "by morning was taken as 12 hours");
        sentence.claim(at);
        return true;
    }
    if (word == "evening" && at > 0 && is_any(sentence.word(at - 1), {"an", "one", "the", "this"})) {
        sentence.reading.deadline_s = 4 * 3600.0;
        sentence.assume("deadline_s", "14400", "an evening was taken as 4 hours");
        sentence.claim(at);
        return true;
    }
    if (word == "weekend" && at > 0 &&
        near_words(sentence, clause_start(sentence, at, 3), at, {"over", "in", "a", "within"})) {
        sentence.reading.deadline_s = 48 * 3600.0;
        sentence.assume("deadline_s", "172800", "a weekend was taken as 48 hours");
        sentence.claim(at);
        return true;
    }
    if (word == "24" && sentence.word(at + 1) == "7" && sentence.tokens[at + 1].gap == Gap::slash) {
        sentence.reading.hours_per_day = 24;
        sentence.claim(at, 2);
        return true;
    }
    // "sub-second first token"
    if (word == "sub" && is_any(sentence.word(at + 1), {"second", "minute"}) && sentence.follows(at + 1)) {
        take_time(sentence, at, at + 2, 1, seconds_of(sentence.word(at + 1)), false);
        return true;
    }
    const bool clock = word == "around" && sentence.word(at + 1) == "the" &&
                       sentence.word(at + 2) == "clock";
    const bool always = word == "day" && sentence.word(at + 1) == "and" &&
                        sentence.word(at + 2) == "night";
    if (clock || always || is_any(word, {"24x7", "nonstop"})) {
        sentence.reading.hours_per_day = 24;
        sentence.claim(at, clock || always ? 3 : 1);
        return true;
    }
    if (word == "single" && sentence.follows(at + 1) &&
        is_any(sentence.word(at + 1), {"user", "request", "stream", "client", "session"})) {
        sentence.reading.concurrency = 1;
        sentence.claim(at, 2);
        return true;
    }
    if (word == "half" || word == "quarter") {
        // "half a second", "a quarter of an hour"
        std::size_t unit = at + 1;
        while (unit < at + 3 && is_any(sentence.word(unit), {"a", "an", "of"})) {
            ++unit;
        }
        const double of_s = sentence.follows(unit) ? seconds_of(sentence.word(unit)) : 0;
        if (of_s > 0) {
            take_time(sentence, at, unit + 1, word == "half" ? 0.5 : 0.25, of_s, false);
            return true;
        }
    }
    const bool article =
        is_any(word, {"a", "an", "one"}) && at > 0 &&
        is_any(sentence.word(at - 1), {"in", "within", "for", "over", "after", "under", "than", "most", "about", "around", "roughly",
                                       "have", "got", "take", "takes", "max", "maximum", "to"}) &&
        sentence.follows(at + 1);
    const double unit_s = article ? seconds_of(sentence.word(at + 1)) : 0;
    if (unit_s >= 3600) {
        take_time(sentence, at, at + 2, 1, unit_s, false);
        return true;
    }
    return false;
}

}  // namespace ridgeline::reading
