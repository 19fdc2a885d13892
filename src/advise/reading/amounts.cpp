#include "advise/reading/amounts.h"

#include "advise/reading/names.h"
#include "advise/reading/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

// Numbers with a unit on either side: tokens, contexts, users, rates, latencies, examples, epochs,
// batches, ranks, memory. Times are in times.cpp.

namespace ridgeline::reading {

namespace {

bool is_link(std::string_view word) {
    return is_any(
        word, {"of",    "is",      "size",  "length", "len",  "window", "at",   "most",   "to",
               "about", "around",  "under", "below",  "less", "than",   "up",   "target", "within",
               "max",   "maximum", "<",     "lower",  "need", "needs",  "must", "be",     "should",
               "in",    "limit",   "for",   "p99",    "p95",  "p50",    "say",  "budget"});
}

bool is_latency(Field field) {
    return field == Field::ttft || field == Field::tpot || field == Field::latency;
}

/// Words of what stands between two numbers that count, not name: the number before is theirs.
bool is_counted(std::string_view word) {
    return counts_things(word) || is_any(word, {"examples", "samples", "images", "pictures"});
}

bool is_any_field(Field field, std::initializer_list<Field> fields) {
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}

/// "at 1024 batch 4", "2048 rank 16": a batch or a rank names the bare number right behind it, whatever
/// stands before it; "4 batch 2 gpus" has a number for each.
bool names_what_follows(const Sentence& sentence, std::size_t at) {
    const Match name = name_before_number(sentence, at);
    const std::size_t number = at + name.length;
    if (!is_any_field(name.field, {Field::batch, Field::rank, Field::micro_batch, Field::sequence}) ||
        !sentence.follows(number) || !sentence.open(number)) {
        return false;
    }
    const auto measure = measure_at(sentence, number);
    const std::size_t end = measure ? number + measure->length : number;
    const bool part = std::any_of(sentence.mentions.begin(), sentence.mentions.end(), [&](const Mention& each) {
        return each.at == end || each.at == end + 1;  // "8 a100", "2 x a100"
    });
    const bool length = name.field == Field::sequence;
    return measure && measure->unit.empty() && measure->length == 1 && !measure->kilo && !(length && part) &&
           !(length && measure->value < 64) && !parameters_in(sentence.word(number)) &&
           !(sentence.follows(end) && (is_counted(sentence.word(end)) ||
                                       unit_after_number(sentence, end, "").field != Field::none));
}

bool match_name_before(Sentence& sentence, std::size_t at) {
    const Match name = name_before_number(sentence, at);
    // "20 users 8k context": the number before the name is its own.
    const auto before = at > 0 && sentence.open(at - 1) && sentence.follows(at)
                            ? amount_in(sentence.word(at - 1))
                            : std::nullopt;
    const bool own = before && follows_numbers(sentence, at) && !parameters_in(sentence.word(at - 1)) &&
                     (before->unit.empty() || scale_of_word(before->unit) > 0);
    if (name.field == Field::none || (own && !names_what_follows(sentence, at))) {
        return false;
    }
    std::size_t number = at + name.length;
    if (is_any_field(name.field, {Field::users, Field::batch}) && sentence.word(number) == "at") {
        return false;  // "how many concurrent users at 8k", "max batch size at 4k": how long each one's context is
    }
    while (sentence.follows(number) && number < at + name.length + 5 &&
           is_link(sentence.word(number))) {
        ++number;
    }
    const auto measure = sentence.follows(number) && sentence.open(number)
                             ? measure_at(sentence, number)
                             : std::nullopt;
    if (!measure) {
        return false;
    }
    std::size_t end = number + measure->length;
    if (is_latency(name.field)) {
        const double unit_s = measure->unit.empty()
                                  ? (sentence.follows(end) ? seconds_of(sentence.word(end)) : 0)
                                  : seconds_of(measure->unit);
        if (unit_s == 0) {
            return false;
        }
        end += measure->unit.empty() ? 1 : 0;
        if (in_range(sentence, number, *measure, 1e-9, 1e7, "a latency")) {
            const double seconds = measure->value * unit_s;
            const bool per_token = near_words(sentence, end, end + 3, {"token"}) &&
                                   !near_words(sentence, end, end + 3, {"first"});
            if (name.field == Field::tpot || (name.field == Field::latency && per_token)) {
                sentence.reading.tpot_s = seconds;
            } else if (name.field == Field::latency &&
                       is_of_whole_answers(sentence, at - std::min<std::size_t>(at, 4), at, end)) {
                sentence.answer_s = seconds;
            } else {
                sentence.reading.ttft_s = seconds;
                if (name.field == Field::latency) {
                    sentence.assume("ttft_s",
                                    fmt::format("{:g}", seconds),
                                    "a latency without a name is that of the first token");
                }
            }
        }
        sentence.claim(at, name.length);
        sentence.claim(number, end - number);
        return true;
    }
    // "bs 2 x 2048": so many sequences, each so long.
    const bool batched = is_any_field(name.field, {Field::batch, Field::micro_batch});
    if (const auto each = batched && sentence.word(end) == "x" && sentence.open(end + 1)
                              ? measure_at(sentence, end + 1)
                              : std::nullopt;
        each && each->unit.empty() && each->value >= 64) {
        take(sentence, number, *measure, name.field);
        take(sentence, end + 1, *each, Field::sequence);
        sentence.claim(at, end + 1 + each->length - at);
        return true;
    }
    // "generate 5 sec": a time is no length of an answer.
    if (measure->unit.empty() && sentence.follows(end) && sentence.word(end).size() > 2 &&
        seconds_of(sentence.word(end)) > 0) {
        return false;
    }
    // "batch 128 images/s": how many a second is asked, of such batches.
    const Field behind = unit_after_number(sentence, end, "").field;
    const bool rate = batched && number == at + name.length && is_any_field(behind, {Field::per_second, Field::tokens_per_second});
    const bool counted = !rate && is_counted(sentence.word(end));
    const bool mention = std::any_of(sentence.mentions.begin(),
                                     sentence.mentions.end(),
                                     [&](const Mention& each) { return each.at == end; });
    const bool prompt_like = name.field == Field::input || name.field == Field::output;
    // "seq 384 v100": a number right behind the name of a length is that length, "batch 8 h100" too.
    const bool direct = number == at + name.length && name.field != Field::users;
    // "lora rank for 70b": the number is the model's.
    const bool size = (name.field == Field::rank || name.field == Field::batch) &&
                      parameters_in(sentence.word(number)).has_value();
    if (size || !measure->unit.empty() || (counted && sentence.follows(end)) || (mention && !direct) ||
        (name.field == Field::users && name.length == 1 && sentence.word(at) == "users" &&
         number > at + 1)) {
        return false;
    }
    // "512 in 128 out": the first number has its name behind it.
    if (prompt_like && at > 0 && amount_in(sentence.word(at - 1)) && sentence.open(at - 1)) {
        return false;
    }
    // "batch 256 per gpu"
    const bool each = name.field == Field::batch && sentence.follows(end) &&
                      is_any(sentence.word(end), {"per", "a", "each"}) &&
                      is_any(sentence.word(end + 1), {"gpu", "card", "device", "accelerator"});
    take(sentence, number, *measure, each ? Field::micro_batch : name.field);
    end += each ? 2 : 0;
    sentence.claim(at, name.length);
    if (is_any(sentence.word(end), {"tokens", "token"}) && sentence.follows(end)) {
        ++end;
    }
    sentence.claim(number, end - number);
    return true;
}

bool match_watts(Sentence& sentence, std::size_t at, const Measure& measure, std::size_t words) {
    const std::size_t before = at - std::min<std::size_t>(at, 3);
    const std::size_t behind = at + measure.length + words;
    // "a 4090 capped at 300w", "300w power limit": how a card that is named is set up.
    const bool set_up = near_words(sentence, before, at, {"capped", "cap", "limited", "undervolted", "undervolt", "throttled", "at"}) ||
                        near_words(sentence, behind, behind + 2, {"power", "cap", "limit"});
    if (set_up && sentence.mentions.size() == 1 && in_range(sentence, at, measure, 10, 5000, "a power")) {
        sentence.reading.power_cap_w = measure.value;
        sentence.claim(at, measure.length + words);
        return true;
    }
    const bool limit = near_words(sentence, before, at,
                                  {"under", "below", "max", "maximum", "most", "than", "within", "limit", "to", "budget", "<"}) ||
                       (sentence.follows(at + measure.length + words) &&
                        is_any(sentence.word(at + measure.length + words), {"max", "limit", "budget", "cap", "tops"}));
    if (!limit || !in_range(sentence, at, measure, 1, 1e5, "a power")) {
        return false;
    }
    sentence.reading.max_watts = measure.value;
    sentence.assume("watts", fmt::format("{:g}", measure.value), "accelerators that draw more are left out");
    sentence.claim(at, measure.length + words);
    return true;
}

bool match_unit_after(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return false;
    }
    // "under 350w", "no more than 300 watts": a limit; other watts tell how a card is set up.
    const bool glued_watts = measure->unit == "w" && measure->value > 12;
    if (glued_watts || unit_after_number(sentence, at + measure->length, measure->unit).field == Field::watts) {
        return match_watts(sentence, at, *measure, glued_watts ? 0 : 1);
    }
    // "hour daily users": people of a day are not at work at once.
    const Match unit = unit_after_number(sentence, at + measure->length, measure->unit);
    if (unit.field == Field::none || (measure->unit.empty() && unit.length == 0)) {
        return false;
    }
    if (unit.length == 1 && is_any(sentence.word(at + measure->length), {"in", "out"}) &&
        measure->value < 16) {
        return false;
    }
    const std::size_t end = at + measure->length + unit.length;
    const bool model_size = parameters_in(sentence.word(at)).has_value() &&
                            !is_any(sentence.word(at), {"1m", "2m", "10m"}) &&
                            !is_any(sentence.word(end - 1), {"tokens", "token"}) &&
                            (unit.field == Field::users || unit.field == Field::input ||
                             unit.field == Field::output || unit.field == Field::batch);
    if (model_size ||
        (unit.field == Field::memory && (measure->value < 1 || measure->value > 2000))) {
        return false;
    }
    // "500 GB/s" is no memory.
    if (unit.field == Field::memory && sentence.follows(end) &&
        sentence.tokens[end].gap == Gap::slash && is_any(sentence.word(end), {"s", "sec", "second"})) {
        sentence.reading.not_understood.push_back(std::string(sentence.word(at)) + " gb/s");
        sentence.claim(at, measure->length);
        return true;
    }
    // "images per second" is asked, not stated.
    if (unit.field == Field::samples && is_any(sentence.word(end), {"per", "a"}) &&
        is_any(sentence.word(end + 1), {"second", "minute", "hour", "sec"})) {
        return false;
    }
    Field field = unit.field;
    // "ppo on 20k prompts", "sft with 5k chats": what is trained on, no length and no load.
    // "16 sequences" are counted, "4k sequences" are so long.
    constexpr double most_at_once = 256;
    if (field == Field::batch && sentence.word(end - 1) == "sequences" &&
        (measure->kilo || measure->value > most_at_once)) {
        field = Field::sequence;
    }
    // "16 concurrent 8k requests": so long is each.
    if (field == Field::users && measure->kilo && sentence.reading.concurrency &&
        is_any(sentence.word(end - 1), {"requests", "request", "prompts", "sessions", "chats", "sequences"})) {
        field = Field::sequence;
    }
    const bool tuned = sentence.any_word({"ppo", "grpo", "rlhf", "rloo", "rl", "dpo", "sft", "lora",
                                          "qlora", "finetune", "finetuning", "tune", "tuning",
                                          "train", "training", "reinforcement"});
    if (tuned && unit.length == 1 && measure->value >= 500 &&
        is_any(sentence.word(end - 1), {"prompts", "chats", "sessions", "requests"})) {
        field = Field::samples;
    }
    // "16 rollouts" of GRPO are those of a prompt; a "4k completion" is so long.
    constexpr double most_answers = 128;
    if (field == Field::samples && measure->value <= most_answers && unit.length == 1 &&
        is_any(sentence.word(end - 1), {"rollouts", "generations", "completions"})) {
        field = Field::group;
    }
    // Whole bits are phrases of the lexicon: "4 bit lora".
    const bool fraction = measure->value != std::floor(measure->value);
    if (field == Field::weight_bits &&
        !(fraction || is_any(measure->unit, {"bpw"}) || sentence.word(end - 1) == "bpw")) {
        return false;
    }
    // "1M prompts with 500 tokens out": so many, none is so long.
    constexpr double longest_prompts = 2e5;
    if (field == Field::input && unit.length == 1 && measure->value > longest_prompts &&
        sentence.word(end - 1) == "prompts") {
        field = Field::samples;
    }
    // "1B input tokens" is work, no prompt.
    constexpr double longest_of_a_prompt = 2e7;
    if ((field == Field::input || field == Field::output) &&
        (measure->value > longest_of_a_prompt ||
         (measure->value >= 1e6 && at > 0 && is_any(sentence.word(at - 1), {"per", "each"})))) {
        field = Field::tokens;
    }
    if (field == Field::tokens && at > 0 && is_any(sentence.word(at - 1), {"per", "each"})) {
        sentence.marks.push_back({Means::ask, "per_million", at, end - at});
        sentence.claim(at - 1, end - at + 1);
        return true;
    }
    if (field == Field::tokens && sentence.reading.samples && measure->value < 2e6) {
        field = Field::sequence;  // "50k examples of 1024 tokens"
    }
    if (field == Field::tokens && at > 0 &&
        is_any(sentence.word(at - 1), {"generate", "output", "outputs", "generating", "produce"})) {
        field = Field::output;
    }
    sentence.counts_requests =
        sentence.counts_requests || (field == Field::users && unit.length == 1 &&
                                     is_any(sentence.word(end - 1), {"requests", "queries"}));
    take(sentence, at, *measure, field);
    if (field == Field::memory && at > 0) {
        const std::string_view last = sentence.word(at - 1);
        const std::string_view before = at > 1 ? sentence.word(at - 2) : std::string_view();
        sentence.reading.memory_at_least =
            (last == "least" && before == "at") ||
            (last == "than" && is_any(before, {"more", "less"}) &&
             (before == "more" || (at > 2 && sentence.word(at - 3) == "no"))) ||
            is_any(last, {"minimum", "min", ">"});
    }
    sentence.claim(at, end - at);
    const bool counted = field == Field::samples;  // "50k images" are no speed
    if (!counted && is_any(sentence.word(at + measure->length),
                           {"images", "image", "img", "frames", "pictures", "fps"})) {
        sentence.marks.push_back({Means::ask, "images", at, end - at});
    }
    if (field == Field::per_second && is_any(sentence.word(at + measure->length), {"fps", "frames"})) {
        sentence.marks.push_back({Means::ask, "frames", at, end - at});
    }
    return true;
}

/// "at 128k", "with 32k": a length of tokens without its unit.
bool match_bare_length(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    // Lengths of texts and sides of pictures are multiples of 64, prices and rates seldom: "at 1024".
    const bool even = measure && all_digits(sentence.word(at)) && at > 0 &&
                      is_any(sentence.word(at - 1), {"at", "@"}) && measure->value >= 128 &&
                      std::fmod(measure->value, 64) == 0;
    const bool plain = measure && measure->unit.empty() &&
                       (even || (measure->kilo && measure->value >= 1000)) && measure->value <= 4e6;
    if (!plain || sentence.reading.sequence || sentence.reading.input_tokens) {
        return false;
    }
    // A word that nothing knows is a unit: "10k exemplaires".
    const std::size_t end = at + measure->length;
    const std::string next(sentence.follows(end) && sentence.open(end) ? sentence.word(end) : "");
    if (!next.empty() && has_letter(next) && Lexicon::shared().find(next).empty() &&
        !Lexicon::shared().knows(next)) {
        return false;
    }
    // Powers of two are lengths by themselves, where a model is spoken of.
    const bool sized = std::any_of(sentence.tokens.begin(), sentence.tokens.end(), [](const Token& token) {
        return parameters_in(token.text).has_value();
    });
    const double thousands = measure->value / 1000;
    const bool power =
        even || (thousands >= 2 && std::exp2(std::round(std::log2(thousands))) == thousands &&
                 (sized || !sentence.reading.model.empty()) && !sentence.reading.budget_usd);
    if (!power && (at == 0 || !is_any(sentence.word(at - 1),
                                      {"at", "@", "with", "w", "to", "of", "up", "for", "using"}))) {
        return false;
    }
    take(sentence, at, *measure, Field::sequence);
    sentence.claim(at, measure->length);
    sentence.assume("sequence",
                    std::to_string(sentence.reading.sequence.value_or(0)),
                    even ? "a round number without a unit is a length"
                         : "a number of thousands without a unit is a context");
    return true;
}

/// "1 million requests overnight": work to get through in that time; so many never come at once.
void count_requests_of_a_run(Sentence& sentence) {
    constexpr double shortest_run = 600;  // seconds: what is answered sooner is a load
    constexpr int most_at_once = 100'000;
    Reading& reading = sentence.reading;
    const bool run = reading.deadline_s.value_or(0) >= shortest_run;
    if (sentence.counts_requests && !sentence.together && !reading.samples && reading.concurrency &&
        (run || *reading.concurrency > most_at_once)) {
        reading.samples = *reading.concurrency;
        reading.concurrency.reset();
    }
}

using Matcher = bool (*)(Sentence&, std::size_t);

}  // namespace

void recognise_amounts(Sentence& sentence) {
    // Names before the number first: "batch 8 seq 512" must not become 8 sequences.
    static constexpr std::array<Matcher, 13> matchers = {match_pixel_side,
                                                        match_data_size,
                                                        match_date,
                                                        match_rate_over_time,
                                                        match_habit,
                                                        match_time_words,
                                                        match_clip_length,
                                                        match_images_of_model,
                                                        match_name_before,
                                                        match_unit_after,
                                                        match_time,
                                                        match_bare_length,
                                                        match_pixels};
    for (const Matcher matcher : matchers) {
        for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
            if (sentence.open(i) && !sentence.tokens[i].foreign) {
                matcher(sentence, i);
            }
        }
    }
    settle_habits(sentence);
    settle_data_sizes(sentence);
    read_lines_in_name(sentence);
    count_requests_of_a_run(sentence);
}

}  // namespace ridgeline::reading
