#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

// Rounds of training by rewards: "512 prompts x 8 answers", "100 steps of 128 prompts".

namespace ridgeline::reading {
namespace {

constexpr double most_answers_of_a_prompt = 128;
constexpr double most_prompts_of_a_round = 1024;  // more are those of the run

/// A whole number at token `at`, from 1 to `most`, of the `noun` behind it; nothing: it is none.
std::optional<Measure> counted(const Sentence& sentence, std::size_t at, double most) {
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    const bool whole = measure && measure->unit.empty() && !measure->negative &&
                       measure->value >= 1 && measure->value <= most &&
                       measure->value == std::floor(measure->value);
    return whole ? measure : std::nullopt;
}

bool is_answer(std::string_view word) {
    return is_any(
        word,
        "answers responses completions rollouts generations samples outputs replies trajectories");
}

/// Tokens from `at` on of "each", "per prompt", "for each prompt".
std::size_t each_length(const Sentence& sentence, std::size_t at) {
    std::size_t end = at;
    while (sentence.follows(end) &&
           is_any(sentence.word(end), "each per a for every prompt question apiece")) {
        ++end;
    }
    return end - at;
}

/// A length of answers; of the longest the mean is half, as where nothing is told.
void take_length(Sentence& sentence, std::size_t at, const Measure& measure, bool longest) {
    take(sentence, at, measure, Field::output);
    const double most = sentence.reading.output_tokens.value_or(0);
    if (longest && most > 0) {
        assume_first(
            sentence.reading, "response-tokens", fmt::format("{:g}", most / 2),
            fmt::format("the mean of answers of up to {:g} tokens was not said: half", most));
    }
}

/// "8 answers of 512 tokens", "each of up to 2k tokens", "x 2k tokens": so long is each.
void take_length_behind(Sentence& sentence, std::size_t at) {
    std::size_t number = at;
    while (
        number < at + 5 && sentence.follows(number) &&
        is_any(sentence.word(number), "of with each up to at most max about around long x times")) {
        ++number;
    }
    const auto measure =
        number > at && sentence.open(number) ? measure_at(sentence, number) : std::nullopt;
    const std::size_t noun = number + (measure ? measure->length : 0);
    if (!measure || !measure->unit.empty() || measure->value < 1 || !sentence.follows(noun) ||
        !is_any(sentence.word(noun), "tokens token tok toks")) {
        return;
    }
    take_length(sentence, number, *measure, near_words(sentence, at, number, "up max most"));
    sentence.claim(at, noun + 1 - at);
}

/// "answers of 512 tokens", "completions up to 2k tokens", beside no number of them.
bool match_named_length(Sentence& sentence, std::size_t at) {
    if (!is_answer(sentence.word(at)) || is_any(sentence.word(at), "samples")) {
        return false;
    }
    const auto before = sentence.reading.output_tokens;
    take_length_behind(sentence, at + 1);
    return sentence.reading.output_tokens != before;
}

/// "8 answers", "x 8": so many of each prompt.
bool match_answers(Sentence& sentence, std::size_t at) {
    const auto measure = counted(sentence, at, most_answers_of_a_prompt);
    if (!measure) {
        return false;
    }
    const std::size_t noun = at + measure->length;
    const bool named = sentence.follows(noun) && is_answer(sentence.word(noun));
    const bool times = at > 1 && sentence.word(at - 1) == "x" && sentence.word(at - 2) == "prompts";
    if (!named && !times) {
        return false;
    }
    take(sentence, at, *measure, Field::group);
    const std::size_t end = noun + (named ? 1 : 0);
    const std::size_t each = end + each_length(sentence, end);
    sentence.claim(at, each - at);
    take_length_behind(sentence, each);
    return true;
}

/// "rollout 16 per prompt", "rollout.n 8", "generations: 8": so many of each prompt.
bool match_named_answers(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::size_t number =
        past_words(sentence, at + 1, word.starts_with("rollout") ? "n of = size" : "=");
    const auto measure = is_answer(word) || word == "rollout"
                             ? counted(sentence, number, most_answers_of_a_prompt)
                             : std::nullopt;
    const std::size_t end = number + (measure ? measure->length : 0);
    if (!measure || !sentence.follows(number) || sentence.reading.group) {
        return false;
    }
    const std::size_t each = each_length(sentence, end);
    if (each == 0 && sentence.follows(end)) {
        return false;  // "rollouts 16 gpus"
    }
    take(sentence, number, *measure, Field::group);
    sentence.claim(at, end + each - at);
    return true;
}

/// "8k completions", "2k completion", "1k prompt": so long is each, as no round has thousands.
bool match_length_of_answers(Sentence& sentence, std::size_t at) {
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!measure || !measure->kilo || !measure->unit.empty()) {
        return false;
    }
    std::size_t noun = at + measure->length;
    noun += is_any(sentence.word(noun), "long max token") ? 1 : 0;
    const bool prompt = sentence.follows(noun) && sentence.word(noun) == "prompt";
    const bool answer =
        sentence.follows(noun) && !is_any(sentence.word(noun), "samples") &&
        (is_answer(sentence.word(noun)) ||
         is_any(sentence.word(noun), "answer response completion rollout generation output"));
    if (!prompt && !answer) {
        return false;
    }
    if (prompt) {
        take(sentence, at, *measure, Field::input);
    } else {
        const bool longest =
            near_words(sentence, at - std::min<std::size_t>(at, 2), noun, "max up");
        take_length(sentence, at, *measure, longest);
    }
    sentence.claim(at, noun + 1 - at);
    return true;
}

/// "512 prompts x", "256 prompts with 16", "steps of 128 prompts", "128 prompts per step": those of
/// a round.
bool match_prompts(Sentence& sentence, std::size_t at) {
    const auto measure = counted(sentence, at, most_prompts_of_a_round);
    const std::size_t noun = at + (measure ? measure->length : 0);
    if (!measure || !sentence.follows(noun) || sentence.word(noun) != "prompts") {
        return false;
    }
    const std::size_t next = noun + 1;
    const bool of_step = at > 1 && sentence.word(at - 1) == "of" &&
                         is_any(sentence.word(at - 2), "steps step rounds round iterations");
    const bool per_step = sentence.follows(next) &&
                          is_any(sentence.word(next), "per a each every") &&
                          is_any(sentence.word(next + 1), "step round batch iteration");
    const std::size_t number = is_any(sentence.word(next), "x with and times") ? next + 1 : next;
    const auto answers = sentence.follows(number)
                             ? counted(sentence, number, most_answers_of_a_prompt)
                             : std::nullopt;
    const bool shaped = answers && (sentence.word(next) == "x" ||
                                    is_answer(sentence.word(number + answers->length)));
    if (!of_step && !per_step && !shaped) {
        return false;
    }
    take(sentence, at, *measure, Field::batch);
    sentence.claim(at, per_step ? next + 2 - at : next - at);
    return true;
}

/// Seconds of a limit that stands at token `at` or right behind words that bound, and one past it;
/// zero: there is none.
std::pair<double, std::size_t> bounded_time(const Sentence& sentence, std::size_t at) {
    constexpr std::string_view bounding =
        "under below within less than at most max maximum no more longer faster < <= shorter in "
        "takes take taking time should must may can is be done finish finishes of to stays stay";
    const std::size_t number = past_words(sentence, at, bounding);
    const auto measure =
        number < sentence.tokens.size() ? measure_at(sentence, number) : std::nullopt;
    const bool ends = number > at && sentence.word(number - 1) == "in" &&
                      near_words(sentence, at, number, "must should done finish");
    const bool bounds =
        ends ||
        near_words(sentence, at, number,
                   "under below within less most max maximum more longer "
                   "faster < <= shorter") ||
        (number > 0 &&
         sentence.text.substr(0, sentence.tokens[number].begin).find_last_of('<') + 3 >
             sentence.tokens[number].begin);
    if (!measure || !bounds || !sentence.follows(number)) {
        return {0, at};
    }
    const std::size_t end = number + measure->length;
    const bool apart = measure->unit.empty();
    const double unit = seconds_of(apart ? sentence.word(end) : std::string_view(measure->unit));
    return {measure->value * unit, end + (apart ? 1 : 0)};
}

constexpr std::string_view rewarding = "grpo ppo rloo rlhf rl gspo dapo reinforce";

/// Whether the run is told by itself: how much is trained on, or the time that all of it may take,
/// which is no step's of `step_s`.
bool tells_run(const Reading& reading, double step_s) {
    const bool whole_time = reading.deadline_s && *reading.deadline_s != step_s;
    return reading.samples || reading.tokens || reading.epochs || whole_time;
}

/// "3 epochs, each step under 3 s": the run that is told is answered, and its step is not weighed.
void leave_step_limit(Sentence& sentence, std::size_t at, std::size_t end, double seconds) {
    Reading& reading = sentence.reading;
    if (reading.ttft_s == seconds) {
        reading.ttft_s.reset();
        forget_assumed(reading, "ttft_s");
    }
    if (reading.deadline_s == seconds) {
        reading.deadline_s.reset();
        forget_assumed(reading, "deadline_s");
    }
    reading.unweighed.push_back(fmt::format(
        "{} as the most of one step (what is answered is the run)", format_duration(seconds)));
    sentence.claim(at, end - at);
}

}  // namespace

void recognise_step_limit(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool rewards = sentence.any_word(rewarding);
    const bool trains = rewards || sentence.any_word(
                                       "train training finetune finetuning pretrain pretraining "
                                       "lora qlora sft");
    for (std::size_t i = 0; i < sentence.tokens.size() && trains && !reading.steps; ++i) {
        // A round is a step only where answers are rewarded; "first step" is one of a plan.
        const bool step =
            is_any(sentence.word(i), rewards ? "step iteration round" : "step iteration");
        if (!step || (i > 0 && is_any(sentence.word(i - 1), "first next last second final"))) {
            continue;
        }
        const auto [seconds, end] = bounded_time(sentence, i + 1);
        constexpr double longest_step_s = 4 * 3600;
        if (seconds <= 0 || seconds > longest_step_s) {
            continue;
        }
        if (tells_run(reading, seconds)) {
            leave_step_limit(sentence, i, end, seconds);
            break;
        }
        // So many that the start of a run and its checkpoints count for nothing.
        constexpr double steps_of_a_run = 1000;
        reading.step_limit_s = seconds;
        reading.deadline_s = seconds * steps_of_a_run;
        reading.ttft_s.reset();
        forget_assumed(reading, "ttft_s");
        forget_assumed(reading, "deadline_s");
        reading.steps = steps_of_a_run;
        sentence.assume("steps", "1000", "the time that is allowed is that of one step");
        sentence.claim(i, end - i);
    }
    for (std::size_t i = 1; i < sentence.tokens.size() && reading.step_limit_s; ++i) {
        const bool each = is_any(sentence.word(i), "step iteration round") &&
                          (sentence.tokens[i].gap == Gap::slash ||
                           is_any(sentence.word(i - 1), "per a each every"));
        if (each && sentence.open(i)) {
            sentence.claim(i);
        }
    }
}

void recognise_rounds(Sentence& sentence) {
    if (!sentence.any_word(rewarding)) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
        if (!match_prompts(sentence, i) && !match_length_of_answers(sentence, i) &&
            !match_answers(sentence, i) && !match_named_answers(sentence, i)) {
            match_named_length(sentence, i);
        }
    }
}

}  // namespace ridgeline::reading
