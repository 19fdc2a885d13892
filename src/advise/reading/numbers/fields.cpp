#include "advise/reading/numbers/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// What a number with its unit fills of a reading: some of its meaning depends on its size.

namespace ridgeline::reading {

bool in_range(Sentence& sentence, std::size_t at, const Measure& measure, double least, double most,
              std::string_view what) {
    if (!measure.negative && measure.value >= least && measure.value <= most &&
        std::isfinite(measure.value)) {
        return true;
    }
    sentence.fail(fmt::format("found \"{}{}\" as {}, expected a number from {:g} to {:g}",
                              measure.negative ? "-" : "", sentence.word(at), what, least, most),
                  "Example: \"serve llama-3.1-8b to 64 users with 8k context\".");
    return false;
}

/// "is that low?", "normal?"
bool judges(const Sentence& sentence) {
    return sentence.any_word(
        "normal expected typical usual slow broken wrong ok okay good bad low poor weird odd "
        "strange "
        "reasonable right correct off faster high slowly fast issue problem misconfigured terrible "
        "decent suspicious plausible fine");
}

namespace {

/// "each 20 messages", "with 20 requests each": how many a user of a day sends; empty: nobody said.
std::optional<double> messages_of_each(Sentence& sentence, std::size_t users_at) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto measure = i == users_at ? std::nullopt : measure_at(sentence, i);
        const std::size_t noun = i + (measure ? measure->length : 0);
        const bool counts =
            measure && measure->unit.empty() && measure->value >= 1 && sentence.follows(noun) &&
            is_any(sentence.word(noun),
                   "messages message requests questions queries prompts msgs calls chats");
        if (counts) {
            sentence.claim(i, noun + 1 - i);
            return measure->value;
        }
    }
    return std::nullopt;
}

/// Fills `target` with `value` where the number that was written is a count above zero.
void set_count(Sentence& sentence, std::size_t at, const Measure& measure,
               std::optional<int>& target, double value, std::string_view what) {
    if (in_range(sentence, at, measure, 1, 1e8, what)) {
        target = static_cast<int>(std::llround(value));
    }
}

/// The same for a quantity above zero.
void set_positive(Sentence& sentence, std::size_t at, const Measure& measure,
                  std::optional<double>& target, double value, std::string_view what) {
    if (in_range(sentence, at, measure, 1e-9, 1e18, what)) {
        target = value;
    }
}

/// Lengths of sequences: "8k" is 8192, "10k" ten thousand.
double length_of(const Measure& measure) {
    if (measure.kilo) {
        const double thousands = measure.value / 1000;
        const bool round = std::fmod(thousands, 5) == 0;
        return round ? measure.value : thousands * 1024;
    }
    const bool millions =
        measure.scaled && std::fmod(measure.value, 1e6) == 0 && measure.value < 1e8;
    return millions ? measure.value / 1e6 * 1048576 : measure.value;
}

/// "why do i only get 6 tok/s", "my 3090 gets 18 tok/s, is that normal": a rate that was seen, no
/// limit.
bool is_observed(const Sentence& sentence, std::size_t at) {
    const bool wished = sentence.any_word("can will could would want need must least enough");
    const std::size_t before = at - std::min<std::size_t>(at, 4);
    const bool seen = near_words(sentence, before, at,
                                 "only getting seeing hitting measured measure got observe "
                                 "observed observing averaging benchmarked clocked "
                                 "stuck");
    const bool sought = sentence.mentions.empty() ||
                        sentence.any_word("what which how best cheapest recommend should");
    const bool told = near_words(
        sentence, before, at,
        "get gets gives give giving gave see sees shows show showing reports reported reads");
    // A rate of what is there is told by its judge: "does 12 tok/s, normal?"
    // "what mfu is 3200 tok/s on a 7b": a share is that of a rate which is there.
    const bool share = sentence.any_word("mfu hfu") && !sentence.mentions.empty() &&
                       !sentence.any_word("need want reach target");
    return sentence.any_word("why") || share ||
           (!wished && (seen || ((told || !sought) && judges(sentence))));
}

/// "20 tok/s per user", "500 tok/s single stream": a rate of each, in so many words.
bool is_of_each(const Sentence& sentence, std::size_t at) {
    const std::size_t from = at - std::min<std::size_t>(at, 4);
    return near_words(sentence, from, at + 8,
                      "user users each stream streams person request session apiece everyone") ||
           sentence.any_word("single alone myself interactive");
}

/// Tokens a second of all users together, as requests of the usual answer.
void set_rate(Sentence& sentence, std::size_t at, const Measure& measure,
              double tokens_per_second) {
    const double each = sentence.reading.output_tokens.value_or(Serving{}.output_tokens);
    set_positive(sentence, at, measure, sentence.reading.requests_per_s, tokens_per_second / each,
                 "a rate");
    sentence.assume(
        "requests_per_s", fmt::format("{:.3g}", tokens_per_second / each),
        fmt::format("{:.3g} tokens a second in answers of {:g}", tokens_per_second, each));
}

/// Are many tokens those of a run? Those of one sequence are fewer.
constexpr double least_run_tokens = 2e5;

/// Fields that take the number as it stands.
struct CountField {
    Field field;
    std::optional<int> Reading::*member;
    bool length;  ///< of a sequence: see length_of
    std::string_view what;
};
constexpr CountField count_fields[] = {
    {Field::sequence, &Reading::sequence, true, "a length"},
    {Field::input, &Reading::input_tokens, true, "a prompt's length"},
    {Field::output, &Reading::output_tokens, true, "an answer's length"},
    {Field::batch, &Reading::batch, false, "a batch"},
    {Field::micro_batch, &Reading::micro_batch, false, "a micro-batch"},
    {Field::rank, &Reading::rank, false, "a rank"},
    {Field::users, &Reading::concurrency, false, "a number of users"},
    {Field::group, &Reading::group, false, "a number of answers to a prompt"},
};

/// Fields that take the number divided by what they are counted in.
struct QuantityField {
    Field field;
    std::optional<double> Reading::*member;
    double divisor;
    std::string_view what;
};
constexpr QuantityField quantity_fields[] = {
    {Field::per_second, &Reading::requests_per_s, 1, "a rate"},
    {Field::per_minute, &Reading::requests_per_s, 60, "a rate"},
    {Field::per_hour, &Reading::requests_per_s, 3600, "a rate"},
    {Field::per_day, &Reading::requests_per_s, 86400, "a rate"},
    {Field::samples, &Reading::samples, 1, "a number of examples"},
    {Field::thousand_samples, &Reading::samples, 1e-3, "a number of examples"},
    {Field::epochs, &Reading::epochs, 1, "epochs"},
    {Field::memory, &Reading::memory_gib, 1, "a memory size"},
    {Field::host_memory, &Reading::host_memory_gib, 1, "the host's memory"},
    {Field::host_terabytes, &Reading::host_memory_gib, 1e-3, "the host's memory"},
    {Field::weight_bits, &Reading::weight_bits, 1, "bits of a weight"},
    {Field::steps, &Reading::steps, 1, "a number of steps"},
};

/// "65k", "131k", "8k" of a batch: the power of two that is written so; else the number itself.
double batch_of(const Measure& measure) {
    constexpr double most = 1e6;
    if (!measure.scaled || measure.value < 1000 || measure.value >= most) {
        return measure.value;
    }
    const double power = std::exp2(std::round(std::log2(measure.value)));
    return std::floor(power / 1000) * 1000 == measure.value ? power : length_of(measure);
}

/// Fills a field of the tables; false: it is in neither.
bool take_plain(Sentence& sentence, std::size_t at, const Measure& measure, Field field) {
    for (const CountField& count : count_fields) {
        if (count.field == field) {
            const double value = count.length            ? length_of(measure)
                                 : field == Field::batch ? batch_of(measure)
                                                         : measure.value;
            set_count(sentence, at, measure, sentence.reading.*count.member, value, count.what);
            return true;
        }
    }
    for (const QuantityField& quantity : quantity_fields) {
        if (quantity.field == field) {
            const double value = measure.value / quantity.divisor;
            set_positive(sentence, at, measure, sentence.reading.*quantity.member, value,
                         quantity.what);
            if (field == Field::per_day) {
                sentence.assume("load", "even",
                                "an even load over the day: name the rate of its busiest hour, "
                                "which is higher");
            }
            return true;
        }
    }
    return false;
}

/// Tokens of a run, or of one sequence where they are few.
void take_tokens(Sentence& sentence, std::size_t at, const Measure& measure) {
    Reading& reading = sentence.reading;
    if (measure.value >= least_run_tokens) {
        set_positive(sentence, at, measure, reading.tokens, measure.value, "a number of tokens");
    } else {
        set_count(sentence, at, measure, reading.sequence, length_of(measure), "a length");
    }
}

/// "40 tok/s": of all users, seen on one's own hardware, or wished for each user.
void take_tokens_per_second(Sentence& sentence, std::size_t at, const Measure& measure) {
    Reading& reading = sentence.reading;
    const auto total_from = [&](std::size_t from) {
        return near_words(sentence, from, at + 5, "total aggregate overall combined altogether");
    };
    if (!is_observed(sentence, at) &&
        (total_from(at - std::min<std::size_t>(at, 3)) || total_from(at))) {
        set_rate(sentence, at, measure, measure.value);
        return;
    }
    if (is_observed(sentence, at)) {
        sentence.marks.push_back({Means::ask, "throughput", at, 1});
        set_positive(sentence, at, measure, reading.seen_tokens_per_s, measure.value, "a rate");
        if (near_words(sentence, at, at + 6, "gpu card device accelerator")) {
            sentence.marks.push_back({Means::ask, "per_gpu", at, 1});
        }
        return;
    }
    if (!is_of_each(sentence, at)) {
        reading.open_tokens_per_s = measure.value;
    }
    const double seconds = 1 / std::max(measure.value, 1e-9);
    set_positive(sentence, at, measure, reading.tpot_s, seconds, "a rate");
    sentence.assume("tpot_s", fmt::format("{:.4g}", seconds),
                    fmt::format("{:g} tokens a second for each user", measure.value));
}

/// "5000 users a day": what comes in the busiest hour.
void take_users_a_day(Sentence& sentence, std::size_t at, const Measure& measure) {
    constexpr double usual_requests = 10;
    constexpr double busiest_hour = 3;  // times the mean of the day
    const double requests = messages_of_each(sentence, at).value_or(usual_requests);
    const double rate = measure.value * requests * busiest_hour / 86400;
    set_positive(sentence, at, measure, sentence.reading.requests_per_s, rate, "a rate");
    sentence.assume("requests_per_s", fmt::format("{:.3g}", rate),
                    fmt::format("{:g} users a day, {:g} requests each, {:g} times the mean "
                                "in the busiest hour",
                                measure.value, requests, busiest_hour));
}

/// "idle 70% of the time", "70 % of the day unused": whether the share at token `at` is that of
/// which nothing runs. Of two shares ("utilised 30%, idle 70%") each has its own word.
bool is_idle_share(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::string_view idle =
        "idle idles idling unused ungenutzt inactive inactif inactifs ociosa ociosas ocioso "
        "ociosos";
    constexpr std::string_view between =
        "for about around roughly some nearly almost up to at ~ zu a de the of time day days hours "
        "they it are is sit sits sitting stand stands standing being";
    std::size_t before = at;
    while (before > 0 && sentence.follows(before) && is_any(sentence.word(before - 1), between)) {
        --before;
    }
    if (before > 0 && sentence.follows(before) && is_any(sentence.word(before - 1), idle)) {
        return true;
    }
    std::size_t behind = end;
    while (sentence.follows(behind) && is_any(sentence.word(behind), "% percent pct prozent")) {
        ++behind;
    }
    while (sentence.follows(behind) && is_any(sentence.word(behind), between)) {
        ++behind;
    }
    return sentence.follows(behind) && is_any(sentence.word(behind), idle);
}

/// "30 % utilization": so much of each day.
void take_use(Sentence& sentence, std::size_t at, const Measure& measure) {
    const bool weighed =
        sentence.any_word("rent renting rented rental cloud vs versus against") &&
        sentence.any_word("own owning buy buying bought purchase") &&
        !sentence.any_word("tax vat discount deposit more less cheaper off interest");
    if (measure.value > 100 ||
        (!weighed &&
         !sentence.any_word("utilization utilisation util utilized use usage busy load "
                            "duty occupancy run runs running time loaded idle idling unused "
                            "ungenutzt"))) {
        return;
    }
    const bool idle = is_idle_share(sentence, at, at + measure.length);
    // Of "utilised 30%, idle 70%" the first has told it.
    if (idle && sentence.reading.hours_per_day) {
        sentence.claim(at, measure.length);
        return;
    }
    const double share = idle ? 100 - measure.value : measure.value;
    const double hours = 0.24 * share;
    set_positive(sentence, at, measure, sentence.reading.hours_per_day, hours, "a share");
    sentence.assume(
        "hours_per_day", fmt::format("{:g}", hours),
        idle ? fmt::format("{:g} % of the day, idle the other {:g} %", share, measure.value)
             : fmt::format("{:g} % of the day", share));
}

/// "our 500 employees", "a company of 500": of so many who may, a tenth does at the same moment, as
/// servers of an office are sized; up to fifty may all be at it.
Measure at_once(Sentence& sentence, std::size_t at, const Measure& measure) {
    constexpr double usual_share = 0.1;
    constexpr double small = 50;
    const std::size_t from = clause_start(sentence, at, 4);
    const std::size_t end = at + measure.length + 4;
    const bool heads = near_words(sentence, from, end,
                                  "employee employees staff headcount personnel workforce company "
                                  "firm enterprise organisation organization corporation agency "
                                  "university school college students pupils subscribers accounts "
                                  "lawyers attorneys doctors physicians nurses teachers");
    const bool told = near_words(sentence, from, end,
                                 "concurrent concurrently simultaneous simultaneously active once "
                                 "parallel same peak at_once");
    if (!heads || told || measure.value <= small) {
        return measure;
    }
    Measure share = measure;
    share.value = std::max(small, std::ceil(usual_share * measure.value));
    assume_first(sentence.reading, "concurrency", fmt::format("{:g}", share.value),
                 fmt::format("of {:g} people a tenth, at least {:g}, ask at the same moment: say "
                             "how many do, as in \"{:g} concurrent users\"",
                             measure.value, small, share.value));
    return share;
}

/// "40 % mfu", "mfu of 40 %": whether the percentage at token `at` is that share.
bool is_share_of_peak(const Sentence& sentence, std::size_t at) {
    const std::size_t behind = past_words(sentence, at + 1, "% percent of");
    const std::size_t before = first_of_words(sentence, at, "of is at = about around only ~");
    return is_any(sentence.word(behind), "mfu hfu") ||
           (before > 0 && is_any(sentence.word(before - 1), "mfu hfu"));
}

/// Fills a field whose meaning depends on its size or on the words around it.
void take_by_context(Sentence& sentence, std::size_t at, const Measure& measure, Field field) {
    switch (field) {
        case Field::tokens:
            return take_tokens(sentence, at, measure);
        case Field::tokens_per_second:
            return take_tokens_per_second(sentence, at, measure);
        case Field::users_a_day:
            return take_users_a_day(sentence, at, measure);
        case Field::tokens_per_parameter:
            return set_positive(sentence, at, measure, sentence.tokens_per_parameter, measure.value,
                                "a ratio");
        case Field::pixels:
            if (in_range(sentence, at, measure, 16, 16384, "a size of images")) {
                sentence.reading.image_size = static_cast<int>(measure.value);
            }
            return;
        case Field::percent:
            // "20 % mfu, is that low?", "at 40 % mfu how long"
            if (is_share_of_peak(sentence, at)) {
                return set_positive(
                    sentence, at, measure,
                    judges(sentence) ? sentence.reading.seen_mfu : sentence.reading.given_mfu,
                    measure.value / 100, "a share of the peak");
            }
            return take_use(sentence, at, measure);
        default:
            return;
    }
}

}  // namespace

void take(Sentence& sentence, std::size_t at, const Measure& measure, Field field) {
    // "128k, one sequence": so many sequences, none of a token.
    constexpr double least_length = 8;
    if (field == Field::sequence && measure.value >= 1 && measure.value < least_length &&
        !measure.scaled && !measure.negative) {
        field = Field::batch;
    }
    if (field == Field::users && sentence.together) {
        return;  // "a 60 person company, 8 typing at once"
    }
    const Measure taken = field == Field::users ? at_once(sentence, at, measure) : measure;
    sentence.heads = field == Field::users ? measure.value : sentence.heads;
    if (take_plain(sentence, at, taken, field)) {
        return;
    }
    take_by_context(sentence, at, measure, field);
}

}  // namespace ridgeline::reading
