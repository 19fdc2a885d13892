#include "advise/reading/amounts/counted_amounts.h"
#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/dates.h"
#include "advise/reading/amounts/habits.h"
#include "advise/reading/amounts/long_texts.h"
#include "advise/reading/amounts/named_amounts.h"
#include "advise/reading/amounts/pictures.h"
#include "advise/reading/amounts/rates.h"
#include "advise/reading/amounts/rest_of_run.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/amounts/teams.h"
#include "advise/reading/amounts/time_words.h"
#include "advise/reading/amounts/times.h"
#include "advise/reading/models/data_sizes.h"
#include "advise/reading/money/sums.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Numbers with a unit on either side: tokens, contexts, users, rates, latencies, examples, epochs,
// batches, ranks, memory, times.

namespace ridgeline::reading {
namespace {

/// "at 4k/1k", "2048/256": tokens in and out.
bool match_length_pair(Sentence& sentence, std::size_t at) {
    const auto in = measure_at(sentence, at);
    const std::size_t second = at + (in ? in->length : 0);
    const auto out =
        in && second < sentence.tokens.size() && sentence.tokens[second].gap == Gap::slash
            ? measure_at(sentence, second)
            : std::nullopt;
    // "in/out 2000/300", "isl/osl 1000/100": the names say what they are.
    const bool named = at > 1 && is_any(sentence.word(at - 1), "out output osl") &&
                       is_any(sentence.word(at - 2), "in input isl");
    // Beside one that is written in thousands the other is any round number: "2k/300".
    const bool thousands =
        in && out && in->kilo != out->kilo &&
        unit_after_number(sentence, second + out->length, "").field == Field::none &&
        currency_of(sentence.word(second + out->length)) == nullptr;
    const auto is_length = [&](const Measure& each, std::string_view word) {
        const bool round = std::fmod(each.value, 32) == 0 ||
                           (thousands && std::fmod(each.value, 10) == 0) || named;
        return each.unit.empty() && !each.negative &&
               ((each.kilo && each.value <= 1e6) ||
                (all_digits(word) && each.value >= (named || thousands ? 16 : 64) &&
                 each.value <= 1e6 && round));
    };
    if (!out || !sentence.open(at) || !sentence.open(second) ||
        !is_length(*in, sentence.word(at)) || !is_length(*out, sentence.word(second)) ||
        sentence.reading.input_tokens || sentence.reading.sequence || sentence.reading.budget_usd) {
        return false;
    }
    take(sentence, at, *in, Field::input);
    take(sentence, second, *out, Field::output);
    const std::size_t from = named ? at - 2 : at;
    sentence.claim(from, second + out->length - from);
    sentence.assume("input_tokens", fmt::format("{}", sentence.reading.input_tokens.value_or(0)),
                    "two lengths with a slash are tokens in and out");
    return true;
}

/// "in 1000 out 200": each name stands before its number.
bool match_in_and_out(Sentence& sentence, std::size_t at) {
    const auto number_at = [&](std::size_t i) {
        const auto measure = sentence.open(i) ? measure_at(sentence, i) : std::nullopt;
        return measure && measure->unit.empty() && !measure->negative && measure->value >= 1
                   ? measure
                   : std::nullopt;
    };
    const auto in =
        sentence.word(at) == "in" && sentence.follows(at + 1) ? number_at(at + 1) : std::nullopt;
    // "512 in 128 out" is the other way round, "batch 64 in 128 out 128" is not.
    const bool behind = at > 0 && sentence.follows(at) && number_at(at - 1) &&
                        !(at > 1 && names_number(sentence.word(at - 2)));
    if (!in || behind) {
        return false;
    }
    std::size_t second = at + 1 + in->length;
    second += is_any(sentence.word(second), "tokens tok") ? 1 : 0;
    const auto out = sentence.word(second) == "out" && sentence.follows(second + 1)
                         ? number_at(second + 1)
                         : std::nullopt;
    if (!out) {
        return false;
    }
    take(sentence, at + 1, *in, Field::input);
    take(sentence, second + 1, *out, Field::output);
    sentence.claim(at, second + 1 + out->length - at);
    return true;
}

/// "prompts 3k, out 400": behind the length of what is read.
bool match_out_behind(Sentence& sentence, std::size_t at) {
    const Reading& reading = sentence.reading;
    if (sentence.word(at) != "out" || !reading.input_tokens || reading.output_tokens || at == 0 ||
        !sentence.tokens[at - 1].claimed || !sentence.follows(at + 1) || !sentence.open(at + 1)) {
        return false;
    }
    const auto measure = measure_at(sentence, at + 1);
    const std::size_t end = at + 1 + (measure ? measure->length : 0);
    const bool tokens = is_any(sentence.word(end), "tokens token tok toks");
    const bool other = !tokens && unit_after_number(sentence, end, "").field != Field::none;
    if (!measure || !measure->unit.empty() || measure->negative || measure->value < 1 || other) {
        return false;
    }
    take(sentence, at + 1, *measure, Field::output);
    sentence.claim(at, end + (tokens ? 1 : 0) - at);
    return true;
}

/// "3:1 input to output", "70/30 input output": shares of what a request reads and writes, of as
/// many tokens as a usual one has.
bool match_ratio(Sentence& sentence, std::size_t at) {
    const auto first = measure_at(sentence, at);
    const bool parted =
        at + 1 < sentence.tokens.size() &&
        (sentence.tokens[at + 1].gap == Gap::colon || sentence.tokens[at + 1].gap == Gap::slash);
    const auto second = parted ? measure_at(sentence, at + 1) : std::nullopt;
    const bool plain = first && second && first->unit.empty() && second->unit.empty() &&
                       first->value > 0 && second->value > 0 && first->value <= 100 &&
                       second->value <= 100;
    const auto says = [&](std::string_view words) {
        return near_words(sentence, at + 2, at + 8, words);
    };
    const bool reads = says("input inputs prompt prefill in");
    const bool writes = says("output outputs completion decode out generation generated");
    if (!plain || !reads || !writes) {
        return false;
    }
    const Serving usual;
    const double all = usual.input_tokens + usual.output_tokens;
    const double share = first->value / (first->value + second->value);
    sentence.reading.input_tokens = static_cast<int>(std::round(all * share));
    sentence.reading.output_tokens = static_cast<int>(std::round(all * (1 - share)));
    sentence.assume(
        "input_tokens", std::to_string(*sentence.reading.input_tokens),
        fmt::format("of {:g} tokens of a usual request, in the shares that were said", all));
    std::size_t end = at + 2;
    while (end < at + 8 && sentence.open(end) && sentence.follows(end) &&
           is_any(sentence.word(end),
                  "input inputs output outputs to in out prompt completion tokens ratio mix "
                  "prefill decode")) {
        ++end;
    }
    sentence.claim(at, end - at);
    return true;
}

/// "8b on 15T with 2k h200": so many cards stand behind, where so much is read or a run from
/// scratch is spoken of.
bool counts_cards_of_pretraining(const Sentence& sentence, std::size_t end) {
    const double least = sentence.any_word("tokens") ? 1e11 : 1e12;
    const bool part = std::ranges::any_of(
        sentence.mentions, [&](const Mention& mention) { return mention.at == end; });
    return part && sentence.follows(end) &&
           (sentence.any_word("pretrain pretraining pretrained") ||
            std::ranges::any_of(sentence.tokens, [&](const Token& token) {
                return parameters_in(token.text).value_or(0) >= least;
            }));
}

/// "at 128k", "with 32k": a length of tokens without its unit.
bool match_bare_length(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    // Lengths of texts and sides of pictures are multiples of 64, prices and rates seldom: "at
    // 1024".
    const bool even = measure && all_digits(sentence.word(at)) && at > 0 &&
                      ((is_any(sentence.word(at - 1), "at @") && measure->value >= 128 &&
                        std::fmod(measure->value, 64) == 0) ||
                       (at > 1 && sentence.word(at - 1) == "of" &&
                        is_any(sentence.word(at - 2),
                               "sequences sentences samples examples documents docs rows texts")));
    const bool plain = measure && measure->unit.empty() &&
                       (even || (measure->kilo && measure->value >= 1000)) && measure->value <= 4e6;
    if (!plain || sentence.reading.sequence || sentence.reading.input_tokens) {
        return false;
    }
    // A word that nothing knows is a unit: "10k exemplaires".
    const std::size_t end = at + measure->length;
    if (counts_cards_of_pretraining(sentence, end)) {
        return false;
    }
    const std::string next(sentence.follows(end) && sentence.open(end) ? sentence.word(end) : "");
    if (!next.empty() && has_letter(next) && !is_any(next, "without no not") &&
        sentence.names.lexicon.find(next).empty() && !sentence.names.lexicon.knows(next)) {
        return false;
    }
    // Powers of two are lengths by themselves, where a model is spoken of.
    const bool sized = std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return parameters_in(token.text).has_value(); });
    const double thousands = measure->value / 1000;
    const bool power =
        even || (thousands >= 2 && std::exp2(std::round(std::log2(thousands))) == thousands &&
                 (sized || !sentence.reading.model.empty()) && !sentence.reading.budget_usd);
    if (!power && (at == 0 || !is_any(sentence.word(at - 1), "at @ with w to of up for using"))) {
        return false;
    }
    take(sentence, at, *measure, Field::sequence);
    sentence.claim(at, measure->length);
    sentence.assume("sequence", std::to_string(sentence.reading.sequence.value_or(0)),
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

bool is_person(std::string_view word) {
    return is_any(
        word,
        "user person employee head seat customer student dev developer member colleague coworker "
        "worker client agent");
}

/// "each", "per user", "/user" right at token `at`: its tokens; 0: it speaks of none.
std::size_t of_each_person_at(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    const std::string_view word = sentence.word(at);
    const std::string_view next = sentence.word(at + 1);
    if (is_any(word, "per each every a") && is_person(next)) {
        return 2;
    }
    if (sentence.tokens[at].gap == Gap::slash && is_person(word)) {
        return 1;
    }
    // "each 2000 tokens" tells how long each request is.
    const bool counted = !next.empty() && is_digit(next.front());
    return is_any(word, "apiece each") && !counted && !is_person(next) ? 1 : 0;
}

/// "10 prompts per user per day", "5 requests each per hour": a rate of one.
bool match_requests_of_each(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    if (!measure || !measure->unit.empty() || measure->value <= 0 || !sentence.follows(noun) ||
        !is_load(sentence.word(noun))) {
        return false;
    }
    std::size_t end = noun + 1;
    const std::size_t each = of_each_person_at(sentence, end);
    const auto [seconds, length] = load_period_at(sentence, end + each);
    if (each == 0 || seconds <= 0) {
        return false;
    }
    end += each + length;
    sentence.reading.requests_per_s = measure->value / seconds;
    sentence.counts_requests = true;
    sentence.claim(at, end - at);
    return true;
}

/// "each sends 10 prompts a day", "30 requests per hour each", "per user 20 requests a day": the
/// period of a rate that is told of one; 0: none is.
double period_of_each(const Sentence& sentence) {
    constexpr std::size_t reach = 5;
    for (std::size_t noun = 1; noun < sentence.tokens.size(); ++noun) {
        if (!is_load(sentence.word(noun))) {
            continue;
        }
        const std::size_t own = of_each_person_at(sentence, noun + 1);
        const auto [seconds, length] = load_period_at(sentence, noun + 1 + own);
        if (seconds <= 0) {
            continue;
        }
        bool each = own > 0 || of_each_person_at(sentence, noun + 1 + length) > 0;
        for (std::size_t i = noun; i > 0 && i + reach > noun && sentence.follows(i); --i) {
            const std::string_view word = sentence.word(i - 1);
            const bool people = is_any(word, "per each every a") && is_person(sentence.word(i));
            each = each || people || is_any(word, "each everyone everybody");
        }
        if (each) {
            return seconds;
        }
    }
    return 0;
}

/// "1500 users, each sends 10 prompts a day": what all of them send, in the busiest hour where a
/// day is told; of so many who may, few wait at the same moment.
void count_requests_of_each(Sentence& sentence) {
    constexpr double busiest_hour = 3;  // times the mean of the day
    constexpr double least_people = 2;
    Reading& reading = sentence.reading;
    const double period_s = period_of_each(sentence);
    const double heads =
        sentence.heads > 0 ? sentence.heads : static_cast<double>(reading.concurrency.value_or(0));
    if (!reading.requests_per_s || period_s == 0 || heads < least_people) {
        return;
    }
    const double told = *reading.requests_per_s * period_s;
    const double times = period_s >= 86400 ? busiest_hour : 1;
    reading.requests_per_s = *reading.requests_per_s * heads * times;
    forget_assumed(reading, "concurrency");
    if (!sentence.together &&
        !sentence.any_word("concurrent concurrently simultaneous simultaneously parallel")) {
        reading.concurrency.reset();
    }
    sentence.assume(
        "requests_per_s", fmt::format("{:.3g}", *reading.requests_per_s),
        fmt::format(
            "{:g} people, {:.3g} requests each{}", heads, told,
            times > 1 ? fmt::format(", {:g} times the mean in the busiest hour", times) : ""));
}

/// "per second", "in flight" from token `at` on: so many requests are a load.
bool is_load_behind(const Sentence& sentence, std::size_t at) {
    return load_period_at(sentence, at).first > 0 ||
           (sentence.follows(at) &&
            (is_any(sentence.word(at), "concurrently simultaneously concurrent") ||
             (is_any(sentence.word(at), "in at") &&
              is_any(sentence.word(at + 1), "flight parallel once")) ||
             (sentence.word(at) == "at" && is_any(sentence.word(at + 1), "a the") &&
              is_any(sentence.word(at + 2), "time same"))));
}

/// "cost per 1000 requests": a unit of what is paid, no load.
bool match_priced_requests(Sentence& sentence, std::size_t at) {
    constexpr double least = 100;
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    const bool unit = measure && measure->unit.empty() && measure->value >= least && at > 0 &&
                      (sentence.word(at - 1) == "per" || sentence.tokens[at].gap == Gap::slash) &&
                      sentence.follows(noun) && !is_load_behind(sentence, noun + 1) &&
                      is_any(sentence.word(noun), "requests queries calls prompts messages") &&
                      (sentence.asks("cost price price_of how_much") ||
                       sentence.any_word("cost costs price pay charge $"));
    if (!unit) {
        return false;
    }
    sentence.assume("priced_requests", fmt::format("{:.0f}", measure->value),
                    "what so many cost is asked");
    sentence.marks.push_back({Means::ask, "per_million", at, noun + 1 - at});
    sentence.claim(at - 1, noun + 2 - at);
    return true;
}

/// "40 images x 10 repeats": how often a pass shows each.
bool match_repeats(Sentence& sentence, std::size_t at) {
    constexpr double most = 10'000;
    const bool behind = is_any(sentence.word(at), "repeats repeat") && sentence.follows(at + 1) &&
                        sentence.open(at + 1);
    const std::size_t number = at + (!behind ? 0 : sentence.word(at + 1) == "=" ? 2 : 1);
    const auto measure = measure_at(sentence, number);
    const std::size_t end = number + (measure ? measure->length : 0);
    const bool before = !behind && sentence.follows(end) &&
                        is_any(sentence.word(end), "repeats repeat repetitions");
    if (!measure || !(behind || before) || !measure->unit.empty() || measure->value < 1 ||
        measure->value > most) {
        return false;
    }
    sentence.repeats = measure->value;
    sentence.claim(at, end + (before ? 1 : 0) - at);
    return true;
}

/// What a pass shows is that many times what there is.
void count_repeats(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.repeats <= 1 || !reading.samples) {
        return;
    }
    const double each = *reading.samples;
    reading.samples = each * sentence.repeats;
    sentence.assume("samples", fmt::format("{:g}", *reading.samples),
                    fmt::format("{:g}, each shown {:g} times a pass", each, sentence.repeats));
}

/// "train an ai on my 300 recipes", "finetune on 2000 haikus": what is learnt from is counted in
/// whatever it is, where the noun is of no other table.
bool match_own_samples(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    constexpr double size_of_model = 1e9;  // "lora on 3b models"
    if (!measure || !measure->unit.empty() || measure->negative || measure->value < 2 ||
        measure->value >= size_of_model || !sentence.follows(noun) || !sentence.open(noun) ||
        sentence.word(noun + 1) == "of") {
        return false;
    }
    const std::string_view word = sentence.word(noun);
    const bool plural = word.size() > 3 && word.ends_with('s') && !word.ends_with("ss");
    const bool other =
        has_digit(word) || field_named_after(word) != Field::none || seconds_of(word) > 0 ||
        is_any(word,
               "gpus cards nodes machines computers pcs servers macs laptops desktops macbooks "
               "workstations racks boxes cores threads layers classes languages chips devices "
               "accelerators dollars euros bucks parameters params topics regions sites times "
               "series points rounds heads experts replicas copies instances");
    const std::size_t on = first_of_words(sentence, at, "my our the these about around only just");
    const bool learnt =
        on > 0 && is_any(sentence.word(on - 1), "on with from") &&
        near_words(sentence, clause_start(sentence, on, 8), on,
                   "train training trained finetune finetuning finetuned tune tuning lora qlora "
                   "teach teaching");
    if (!plural || other || !learnt) {
        return false;
    }
    take(sentence, at, *measure, Field::samples);
    sentence.claim(at, noun + 1 - at);
    return true;
}

using Matcher = bool (*)(Sentence&, std::size_t);

}  // namespace

void recognise_amounts(Sentence& sentence) {
    // Names before the number first: "batch 8 seq 512" must not become 8 sequences.
    static constexpr Matcher matchers[] = {match_priced_requests,
                                           match_requests_of_each,
                                           match_ratio,
                                           match_words,
                                           match_per_batch,
                                           match_side_before_time,
                                           match_pixel_side,
                                           match_data_size,
                                           match_date,
                                           match_done_share,
                                           match_rate_over_time,
                                           match_habit,
                                           match_time_words,
                                           match_clips,
                                           match_clip_length,
                                           match_images_of_model,
                                           match_product_of_model,
                                           match_in_and_out,
                                           match_name_before,
                                           match_out_behind,
                                           match_repeats,
                                           match_unit_after,
                                           match_own_samples,
                                           match_time,
                                           match_length_pair,
                                           match_bare_length,
                                           match_pixels};
    for (const Matcher matcher : matchers) {
        for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
            if (sentence.open(i) && !sentence.tokens[i].foreign) {
                matcher(sentence, i);
            }
        }
    }
    count_repeats(sentence);
    settle_habits(sentence);
    settle_data_sizes(sentence);
    read_lines_in_name(sentence);
    count_active_share(sentence);
    count_requests_of_a_run(sentence);
    count_requests_of_each(sentence);
}

}  // namespace ridgeline::reading
