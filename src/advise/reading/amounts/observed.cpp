#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/rates.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <cmath>
#include <utility>

// What was measured on hardware that is there and is to be judged: rates of pictures, times of a
// step, of a first token, of the whole. The same numbers are limits where nobody asks for a
// judgement.

namespace ridgeline::reading {
namespace {

/// "10 qps, one L40S ok?", "is an l4 enough": hardware is judged by what is wanted of it; "10 tok/s
/// on my 3090, ok?" judges what was seen there.
bool judges_hardware(const Sentence& sentence) {
    return std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
        const bool judged = sentence.follows(each.end) &&
                            is_any(sentence.word(each.end), "ok okay fine good right suitable");
        const std::size_t from =
            first_of_words(sentence, each.at, "a an one 1 2 3 4 8 single two four x the used");
        return judged &&
               !(from > 0 && sentence.follows(from) &&
                 is_any(sentence.word(from - 1), "on with my our from using at via gets"));
    });
}

/// Whether the question tells of work that runs and asks what to think of it: "vllm gives me ...,
/// good?".
bool tells_and_asks(const Sentence& sentence) {
    const bool wished =
        sentence.any_word("can will could would want need must least enough within under");
    const bool sought =
        sentence.mentions.empty() || sentence.any_word("what which how best cheapest recommend");
    return !sentence.reading.model.empty() && !sentence.reading.kernel && !sought &&
           (sentence.any_word("why") ||
            (!wished && judges(sentence) && !judges_hardware(sentence)));
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

/// "takes 9h", "took 3 hours", "does 1.9 s/step": the token of a time that was measured and one
/// past it; none: {0, 0}.
std::pair<std::size_t, std::size_t> time_taken(const Sentence& sentence) {
    constexpr double shortest = 60;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const auto [seconds, end] = seconds_at(sentence, i);
        const bool step = seconds > 0 && is_step(thing_timed(sentence, end));
        if ((seconds >= shortest || step) &&
            near_words(sentence, clause_start(sentence, i, 4), i,
                       step ? "takes took take taking needs runs ran run does do did gets get see "
                              "seeing at is"
                            : "takes took take taking needs runs ran run lasts lasted finishes "
                              "finished trained")) {
            return {i, end};
        }
    }
    return {0, 0};
}

/// "how long on 4 of them": so many of the part that was timed are asked about; 0: none.
int count_asked(Sentence& sentence, std::size_t from) {
    for (std::size_t i = from; i < sentence.tokens.size(); ++i) {
        const auto measure = is_any(sentence.word(i), "on with using across")
                                 ? measure_at(sentence, i + 1)
                                 : std::nullopt;
        if (measure && measure->unit.empty() && !measure->scaled && measure->value >= 1 &&
            measure->value <= 1024 && measure->value == std::floor(measure->value)) {
            sentence.claim(i, past_words(sentence, i + 1 + measure->length,
                                         "of them those these such cards gpus") -
                                  i);
            return static_cast<int>(measure->value);
        }
    }
    return 0;
}

/// "2 x 4090": the number right before the name at token `at`; 0: none.
int count_right_before(const Sentence& sentence, std::size_t at) {
    const std::size_t back = at > 1 && sentence.word(at - 1) == "x" ? 2 : 1;
    const auto measure = at >= back ? measure_at(sentence, at - back) : std::nullopt;
    const bool counts = measure && (measure->unit.empty() || measure->unit == "x") &&
                        measure->value == std::floor(measure->value);
    return counts ? static_cast<int>(measure->value) : 0;
}

/// "takes 9h on 1x 4090, how long on 8x h100": a run that was timed on one hardware and is asked
/// about on another. Whether it is one.
bool take_timed_run(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto [time, past] = time_taken(sentence);
    std::size_t asked = 0;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool long_time = is_any(sentence.word(i + 1), "long fast") ||
                               (is_any(sentence.word(i + 1), "many much") &&
                                is_any(sentence.word(i + 2), "hours days minutes time"));
        const bool open =
            sentence.word(i) == "what" && (is_any(sentence.word(i + 1), "would will about could") ||
                                           (is_any(sentence.word(i + 1), "should to") &&
                                            is_any(sentence.word(i + 2), "expect i")));
        const bool other = sentence.word(i) == "how" && sentence.word(i + 1) == "about";
        asked = (sentence.word(i) == "how" && long_time) || open || other ? i : asked;
    }
    const bool trains = reading.task == Task::train || !reading.method.empty() ||
                        sentence.any_word(
                            "run epoch epochs training train finetune finetuning "
                            "tune tuning lora qlora job trained");
    if (time == 0 || asked <= time || sentence.mentions.empty() || !trains || reading.kernel ||
        reading.counts_samples || sentence.any_word("buy buying")) {
        return false;
    }
    // That which stands behind the time before the question, else the one before the time.
    auto& mentions = sentence.mentions;
    auto there = std::ranges::find_if(mentions, [&, past = past](const Mention& each) {
        return each.at >= past && each.at < asked;
    });
    if (there == mentions.end()) {
        there = std::ranges::find_if(
            mentions, [&, time = time](const Mention& each) { return each.at < time; });
    }
    const bool other =
        std::ranges::any_of(mentions, [&](const Mention& each) { return each.at > asked; });
    const int more = other ? 0 : count_asked(sentence, asked);
    if (there == mentions.end() || (!other && more == 0)) {
        return false;
    }
    // Of "a 4090, how long on 4 of them" the number behind is no count of what was timed.
    const int stated = count_right_before(sentence, there->at);
    std::rotate(mentions.begin(), there, there + 1);
    mentions.front().count = other ? mentions.front().count.value_or(1) : std::max(1, stated);
    // "what would a second 3090 give": it joins what is there.
    for (Mention& each : mentions) {
        if (each.at > asked && each.at > 0 && each.name == mentions.front().name &&
            is_any(sentence.word(each.at - 1), "second another additional extra")) {
            each.count = *mentions.front().count + 1;
        }
    }
    if (!other) {
        Mention here = mentions.front();
        here.count = more;
        mentions.push_back(std::move(here));
        sentence.loose_count.reset();
    }
    for (std::size_t i = clause_start(sentence, time, 4); i < time; ++i) {
        if (is_any(sentence.word(i), "ran needs lasts lasted finishes")) {
            sentence.claim(i);
        }
    }
    reading.seen_time_s = seconds_at(sentence, time).first;
    reading.seen_side = 0;
    if (is_step(thing_timed(sentence, past))) {
        // Where nobody said how many: so many that what is left of the last counts for nothing.
        constexpr double usual_steps = 1000;
        const double steps_of_a_run = reading.steps.value_or(0) > 1 ? *reading.steps : usual_steps;
        reading.seen_step_s =
            std::exchange(reading.seen_time_s, *reading.seen_time_s * steps_of_a_run);
        sentence.claim(past, sentence.tokens[past].gap == Gap::slash ? 1 : 2);
        reading.ttft_s.reset();  // the same time, as a limit
        forget_assumed(reading, "ttft_s");
        reading.steps.reset();
    }
    reading.deadline_s.reset();
    reading.months.reset();
    forget_assumed(reading, "deadline_s");
    reading.task = reading.task.value_or(Task::train);
    if (reading.model.empty()) {
        reading.model = "8b";
        assume_first(reading, "model", "8b",
                     "none was named: what one is faster than the other by is that of this size");
    }
    sentence.marks.push_back({Means::ask, "duration", asked, 1});
    return true;
}

/// "why does vllm take 40gb for a 7b": memory that was seen in use, no card.
bool take_memory_in_use(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool asked = sentence.any_word("why") && reading.memory_gib &&
                       sentence.mentions.empty() &&
                       sentence.any_word(
                           "take takes taking use uses using eat eats allocate "
                           "allocates reserve reserves occupy occupies hog hogs");
    if (!asked) {
        return false;
    }
    reading.memory_gib.reset();
    forget_assumed(reading, "memory_gib");
    std::erase_if(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "fit weak_fit strong_fit take");
    });
    sentence.marks.push_back({Means::ask, "strong_memory", 0, 1});
    ask_for(reading, "reserved");
    return true;
}

}  // namespace

void recognise_observed(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (take_memory_in_use(sentence)) {
        return;
    }
    if (take_timed_run(sentence)) {
        return;
    }
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
