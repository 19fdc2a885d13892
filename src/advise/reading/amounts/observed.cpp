#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/rates.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/words/sentence.h"

// What was measured on hardware that is there and is to be judged: rates of pictures, times of a
// step, of a first token, of the whole. The same numbers are limits where nobody asks for a
// judgement.

namespace ridgeline::reading {
namespace {

/// Whether the question tells of work that runs and asks what to think of it: "vllm gives me ...,
/// good?".
bool tells_and_asks(const Sentence& sentence) {
    const bool wished =
        sentence.any_word("can will could would want need must least enough within under");
    const bool sought =
        sentence.mentions.empty() || sentence.any_word("what which how best cheapest recommend");
    return !sentence.reading.model.empty() && !sentence.reading.kernel && !sought &&
           (sentence.any_word("why") || (!wished && judges(sentence)));
}

/// What a time behind a number is of: "1.1 s/step", "9 s an image", "9 s per image".
std::string_view thing_timed(const Sentence& sentence, std::size_t end) {
    const bool slash = end < sentence.tokens.size() && sentence.tokens[end].gap == Gap::slash;
    const bool article = is_any(sentence.word(end), "a an per each every");
    return slash                              ? sentence.word(end)
           : article && sentence.follows(end) ? sentence.word(end + 1)
                                              : std::string_view();
}

bool is_step(std::string_view word) {
    return is_any(word, "step steps iteration iterations iter iters it its update updates");
}

/// Seconds at token `at` and one past them; zero: no time stands there.
std::pair<double, std::size_t> seconds_at(const Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return {0, at};
    }
    const std::size_t end = at + measure->length;
    const double unit = measure->unit.empty()
                            ? (sentence.follows(end) ? seconds_of(sentence.word(end)) : 0)
                            : seconds_of(measure->unit);
    return {measure->value * unit, end + (measure->unit.empty() ? 1 : 0)};
}

/// "1.1 s/step", "9 s an image", "1.2 it/s": what no limit has the form of.
bool match_observed(Sentence& sentence, std::size_t at) {
    Reading& reading = sentence.reading;
    const auto [seconds, end] = seconds_at(sentence, at);
    const std::string_view thing = seconds > 0 ? thing_timed(sentence, end) : std::string_view();
    const std::size_t words =
        thing.empty() ? 0 : end + (sentence.tokens[end].gap == Gap::slash ? 1 : 2) - at;
    if (is_step(thing)) {
        reading.seen_step_s = seconds;
    } else if (!thing.empty() && is_made(thing) && thing != "token") {
        reading.seen_per_s = 1 / seconds;
    } else if (const auto rate = measure_at(sentence, at);
               rate && rate->unit.empty() && is_step(sentence.word(at + rate->length)) &&
               rate->value > 0) {
        const auto [period, length] = load_period_at(sentence, at + rate->length + 1);
        if (period <= 0) {
            return false;
        }
        reading.seen_step_s = period / rate->value;
        sentence.claim(at, rate->length + 1 + length);
        return true;
    } else {
        return false;
    }
    sentence.claim(at, words);
    return true;
}

/// A limit becomes what was seen; whether there was one.
bool take_seen(Reading& reading, std::optional<double>& limit, std::optional<double>& seen,
               std::string_view field) {
    if (!limit) {
        return false;
    }
    seen = seen ? seen : limit;
    limit.reset();
    forget_assumed(reading, field);
    return true;
}

}  // namespace

void recognise_observed(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!tells_and_asks(sentence)) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (match_observed(sentence, i)) {
            reading.ttft_s.reset();  // the same time, as a limit
            forget_assumed(reading, "ttft_s");
        }
    }
    const bool whole = take_seen(reading, reading.deadline_s, reading.seen_time_s, "deadline_s");
    take_seen(reading, reading.ttft_s, reading.seen_ttft_s, "ttft_s");
    take_seen(reading, reading.requests_per_s, reading.seen_per_s, "requests_per_s");
    const bool rate = reading.seen_per_s || reading.seen_step_s || reading.seen_ttft_s;
    if (!rate && !whole) {
        return;
    }
    std::erase_if(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "fit weak_fit strong_fit price cost");
    });
    sentence.marks.push_back({Means::ask, whole && !rate ? "duration" : "throughput", 0, 1});
    if (reading.seen_ttft_s) {
        sentence.marks.push_back({Means::ask, "ttft", 0, 1});
    }
}

}  // namespace ridgeline::reading
