#include "advise/reading/amounts/named_amounts.h"

#include "advise/reading/amounts/times.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

// Numbers behind their name: "batch size of 8", "ttft under 500 ms".

namespace ridgeline::reading {
namespace {

bool is_link(std::string_view word) {
    return is_any(word,
                  "of is size length len window at most to about around under below less than up "
                  "target within max maximum < lower need needs "
                  "must be should in limit for p99 p95 p50 say budget avg average averaging mean");
}

bool is_latency(Field field) {
    return field == Field::ttft || field == Field::tpot || field == Field::latency;
}

/// Words of what stands between two numbers that count, not name: the number before is theirs.
bool is_counted(std::string_view word) {
    return counts_things(word) || is_any(word, "examples samples images pictures");
}

/// "batch 1024 gpu memory": the word tells which memory, and counts none.
bool describes_memory(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i), "gpu card") && sentence.follows(i + 1) &&
           is_any(sentence.word(i + 1), "memory mem vram ram usage");
}

bool is_any_field(Field field, std::initializer_list<Field> fields) {
    return std::ranges::find(fields, field) != fields.end();
}

/// "at 1024 batch 4", "2048 rank 16": a batch or a rank names the bare number right behind it,
/// whatever stands before it; "4 batch 2 gpus" has a number for each.
bool names_what_follows(const Sentence& sentence, std::size_t at) {
    const Match name = name_before_number(sentence, at);
    const std::size_t number = at + name.length;
    if (!is_any_field(name.field,
                      {Field::batch, Field::rank, Field::micro_batch, Field::sequence}) ||
        !sentence.follows(number) || !sentence.open(number)) {
        return false;
    }
    const auto measure = measure_at(sentence, number);
    const std::size_t end = measure ? number + measure->length : number;
    const bool part = std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
        return each.at == end || each.at == end + 1;  // "8 a100", "2 x a100"
    });
    const bool length = name.field == Field::sequence;
    // "1024 seq 100 batch 64": what stands behind names another number.
    const bool named = names_number(sentence.word(end)) && amount_in(sentence.word(end + 1));
    return measure && measure->unit.empty() && measure->length == 1 && !measure->kilo &&
           !(length && part) && !(length && measure->value < 64) &&
           !parameters_in(sentence.word(number)) &&
           !(sentence.follows(end) && !named && !describes_memory(sentence, end) &&
             (is_counted(sentence.word(end)) ||
              unit_after_number(sentence, end, "").field != Field::none));
}

/// "20 users 8k context": the number that stands before a name is its own, where it is no size of a
/// model.
bool has_number_before(const Sentence& sentence, std::size_t at) {
    // "1000 token prompts 100 out"
    if (at > 1 && is_any(sentence.word(at - 1), "tokens token toks tok") && sentence.follows(at) &&
        sentence.follows(at - 1) && sentence.open(at - 2) && amount_in(sentence.word(at - 2))) {
        return true;
    }
    const bool part = std::ranges::any_of(sentence.mentions, [at](const Mention& each) {
        return each.at < at && at <= each.end;  // "4090 batch 16"
    });
    const auto before = at > 0 && !part && sentence.open(at - 1) && sentence.follows(at)
                            ? amount_in(sentence.word(at - 1))
                            : std::nullopt;
    // "5M sequences of length 512", "2 million sequences of 2k": so many, however long each is.
    if (sentence.word(at) == "sequences" && at > 0 && sentence.open(at - 1) &&
        sentence.follows(at)) {
        const double scale = scale_of_word(before ? before->unit : sentence.word(at - 1));
        return before || (scale >= 1e3 && scale < 1e9);
    }
    return before && follows_numbers(sentence, at) && !parameters_in(sentence.word(at - 1)) &&
           (before->unit.empty() || scale_of_word(before->unit) > 0);
}

/// A name, and the number behind it.
struct NamedNumber {
    Match name;
    std::size_t at = 0;      ///< of the name
    std::size_t number = 0;  ///< token
    std::size_t end = 0;     ///< one past the number and its scale
    Measure measure{};

    [[nodiscard]] bool direct() const {
        return number == at + name.length;
    }  ///< nothing stands between
    [[nodiscard]] bool batched() const {
        return is_any_field(name.field, {Field::batch, Field::micro_batch});
    }
};

std::optional<NamedNumber> named_number_at(const Sentence& sentence, std::size_t at) {
    NamedNumber found{name_before_number(sentence, at), at};
    if (found.name.field == Field::none ||
        (has_number_before(sentence, at) &&
         (sentence.word(at) == "sequences" || !names_what_follows(sentence, at)))) {
        return std::nullopt;
    }
    found.number = at + found.name.length;
    if (is_any_field(found.name.field, {Field::users, Field::batch}) &&
        sentence.word(found.number) == "at") {
        return std::nullopt;  // "how many concurrent users at 8k", "max batch size at 4k": how long
                              // each one's context is
    }
    while (sentence.follows(found.number) && found.number < at + found.name.length + 5 &&
           is_link(sentence.word(found.number))) {
        ++found.number;
    }
    const auto measure = sentence.follows(found.number) && sentence.open(found.number)
                             ? measure_at(sentence, found.number)
                             : std::nullopt;
    if (!measure) {
        return std::nullopt;
    }
    // "long context 70b": a size of a model.
    constexpr double longest = 1e8;
    if (found.name.field == Field::sequence && measure->value > longest &&
        parameters_in(sentence.word(found.number))) {
        return std::nullopt;
    }
    found.measure = *measure;
    found.end = found.number + measure->length;
    // "answers under 50 ms": a time is no number of tokens.
    const std::string_view unit = measure->unit.empty() && sentence.follows(found.end)
                                      ? sentence.word(found.end)
                                      : std::string_view(measure->unit);
    if (is_any_field(found.name.field, {Field::output, Field::input, Field::sequence}) &&
        unit != "m" && seconds_of(unit) > 0) {
        return std::nullopt;
    }
    // "parallel requests of 4k tokens": so long is each.
    if (found.name.field == Field::users && sentence.word(found.number - 1) == "of" &&
        is_any(unit, "tokens token toks tok context ctx")) {
        return std::nullopt;
    }
    return found;
}

void take_latency(Sentence& sentence, const NamedNumber& named, std::size_t end, double seconds) {
    const Field field = named.name.field;
    const bool whole = is_of_whole_answers(sentence, named.at - std::min<std::size_t>(named.at, 4),
                                           named.at + named.name.length, end);
    const bool per_token = near_words(sentence, end, end + 3, "token") && !whole &&
                           !near_words(sentence, end, end + 3, "first");
    if (field == Field::tpot || (field == Field::latency && per_token)) {
        sentence.reading.tpot_s = seconds;
    } else if (const std::size_t before = named.at - std::min<std::size_t>(named.at, 4);
               field == Field::latency &&
               (whole || is_of_whole_answers(sentence, before, named.at, end))) {
        sentence.answer_s = seconds;
    } else if (field == Field::latency &&
               is_of_replies(sentence, before, named.at + named.name.length, end)) {
        sentence.answer_s = seconds;
        sentence.answer_open = true;
    } else {
        sentence.reading.ttft_s = seconds;
        if (field == Field::latency) {
            sentence.assume("ttft_s", fmt::format("{:g}", seconds),
                            "a latency without a name is that of the first token");
        }
    }
}

/// "ttft under 500 ms", "latency 2 s"
bool match_latency(Sentence& sentence, const NamedNumber& named) {
    const Measure& measure = named.measure;
    const double unit_s =
        measure.unit.empty()
            ? (sentence.follows(named.end) ? seconds_of(sentence.word(named.end)) : 0)
            : seconds_of(measure.unit);
    if (unit_s == 0) {
        return false;
    }
    const std::size_t end = named.end + (measure.unit.empty() ? 1 : 0);
    if (in_range(sentence, named.number, measure, 1e-9, 1e7, "a latency")) {
        take_latency(sentence, named, end, measure.value * unit_s);
    }
    sentence.claim(named.at, named.name.length);
    sentence.claim(named.number, end - named.number);
    return true;
}

/// "bs 2 x 2048": so many sequences, each so long.
bool match_batch_of_lengths(Sentence& sentence, const NamedNumber& named) {
    const std::size_t length_at = named.end + 1;
    if (!named.batched() || sentence.word(named.end) != "x" || !sentence.open(length_at)) {
        return false;
    }
    const auto each = measure_at(sentence, length_at);
    if (!each || !each->unit.empty() || each->value < 64) {
        return false;
    }
    take(sentence, named.number, named.measure, named.name.field);
    take(sentence, length_at, *each, Field::sequence);
    sentence.claim(named.at, length_at + each->length - named.at);
    return true;
}

/// Whether the number is another thing's than the name's before it.
bool belongs_elsewhere(const Sentence& sentence, const NamedNumber& named) {
    const Field field = named.name.field;
    const std::size_t end = named.end;
    // "generate 5 sec": a time is no length of an answer; "batch 32 seconds per step" asks for one.
    const bool kept = named.direct() && is_any_field(field, {Field::batch, Field::micro_batch,
                                                             Field::rank, Field::sequence});
    if (!named.measure.unit.empty() ||
        (!kept && sentence.follows(end) && sentence.word(end).size() > 2 &&
         seconds_of(sentence.word(end)) > 0)) {
        return true;
    }
    // "generate 500M tokens": those of a job, of no answer.
    constexpr double longest_answer = 1e6;
    if (field == Field::output && named.measure.value >= longest_answer) {
        return true;
    }
    // "lora rank for 70b": the number is the model's.
    if ((field == Field::rank || field == Field::batch) &&
        parameters_in(sentence.word(named.number))) {
        return true;
    }
    // "batch 128 images/s": how many a second is asked, of such batches.
    const Field behind = unit_after_number(sentence, end, "").field;
    const bool rate = named.batched() && named.direct() &&
                      is_any_field(behind, {Field::per_second, Field::tokens_per_second});
    const bool of_things = named.batched() && sentence.word(named.number - 1) == "of" &&
                           is_any(sentence.word(end), "examples samples images pictures");
    const bool asked_time = kept && seconds_of(sentence.word(end)) > 0;
    if (!rate && !of_things && !asked_time && is_counted(sentence.word(end)) &&
        sentence.follows(end) && !describes_memory(sentence, end)) {
        return true;
    }
    // "seq 384 v100": a number right behind the name of a length is that length, "batch 8 h100"
    // too.
    const bool mention =
        std::ranges::any_of(sentence.mentions, [&](const Mention& each) { return each.at == end; });
    if (mention && !(named.direct() && field != Field::users)) {
        return true;
    }
    if (field == Field::users && named.name.length == 1 && sentence.word(named.at) == "users" &&
        named.number > named.at + 1) {
        return true;
    }
    // "512 in 128 out": the first number has its name behind it.
    return (field == Field::input || field == Field::output) && sentence.follows(named.at) &&
           amount_in(sentence.word(named.at - 1)) && sentence.open(named.at - 1) &&
           !parameters_in(sentence.word(named.at - 1));
}

}  // namespace

bool match_name_before(Sentence& sentence, std::size_t at) {
    const auto named = named_number_at(sentence, at);
    if (!named) {
        return false;
    }
    if (is_latency(named->name.field)) {
        return match_latency(sentence, *named);
    }
    if (match_batch_of_lengths(sentence, *named)) {
        return true;
    }
    if (belongs_elsewhere(sentence, *named)) {
        return false;
    }
    std::size_t end = named->end;
    // "batch 256 per gpu"
    const bool each = named->name.field == Field::batch && sentence.follows(end) &&
                      is_any(sentence.word(end), "per a each") &&
                      is_any(sentence.word(end + 1), "gpu card device accelerator");
    take(sentence, named->number, named->measure, each ? Field::micro_batch : named->name.field);
    end += each ? 2 : 0;
    sentence.claim(at, named->name.length);
    // "batch size 32 tokens per second" asks for a rate.
    const bool rate = unit_after_number(sentence, end, "").field == Field::tokens_per_second;
    if (!rate && is_any(sentence.word(end), "tokens token toks tok") && sentence.follows(end)) {
        ++end;
    }
    sentence.claim(named->number, end - named->number);
    return true;
}

}  // namespace ridgeline::reading
