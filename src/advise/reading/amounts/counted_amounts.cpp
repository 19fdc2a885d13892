#include "advise/reading/amounts/counted_amounts.h"

#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/numbers/sequences.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Numbers before their unit: "64 users", "8k context", "under 350 w".

namespace ridgeline::reading {
namespace {

/// Whose power it is: "a machine below 800 W", "700w psu" against "a card under 75w", "300 W each";
/// the nearest noun of the clause tells.
bool is_power_of_all(const Sentence& sentence, std::size_t at, std::size_t end, double watts) {
    constexpr double least_computer =
        100;  // below it there is no computer around a card: the module is meant
    if (watts < least_computer) {
        return false;
    }
    constexpr double most_of_a_card = 1500;  // above that of any that is sold
    if (watts > most_of_a_card) {
        return true;
    }
    const auto whole = [](std::string_view word) {
        return is_any(word,
                      "total whole machine box server workstation computer pc desktop rack psu "
                      "supply circuit socket breaker outlet room system altogether "
                      "overall together combined node site house office edge laptop rig");
    };
    const auto single = [](std::string_view word) {
        return is_any(word, "each gpu gpus card cards tdp apiece accelerator slot");
    };
    constexpr std::size_t farthest = 7;
    for (std::size_t away = 0; away <= farthest; ++away) {
        for (const std::size_t i : {end + away, at - std::min(at, away + 1)}) {
            const bool inside =
                i >= end ? sentence.follows(i) && clause_start(sentence, i, away + 1) <= end
                         : i >= clause_start(sentence, at, farthest);
            if (inside && (whole(sentence.word(i)) || single(sentence.word(i)))) {
                return whole(sentence.word(i));
            }
        }
    }
    return !sentence.any_word("gpu card gpus cards") &&
           (watts >= 1000 ||
            sentence.any_word("box machine server desk workstation total whole rack"));
}

/// Tokens of watts behind a number, one where they are glued to it: "300W", "800 W", "6 kW"; 0:
/// there are none. "6 w" are weeks.
std::size_t length_of_watts(const Sentence& sentence, const Measure& measure, std::size_t behind,
                            const Match& unit) {
    if (unit.field == Field::watts || unit.field == Field::kilowatts) {
        return unit.length + (measure.unit.empty() ? 0 : 1);
    }
    const bool letter = measure.unit == "w" || (measure.unit.empty() && sentence.follows(behind) &&
                                                sentence.word(behind) == "w");
    // "14b w ..." has a size of a model, whatever the letter stands for.
    const bool power = measure.value > most_weeks && !(measure.scaled && !measure.kilo);
    return letter && power ? 1 : 0;
}

/// "is an 850w psu enough for two 3090s", "for a 5090 and a 3090": what all cards draw is judged. A
/// supply that is only told beside another question, that of a whole machine, or of cards of which
/// one is to be chosen is not.
bool weighs_supply(const Sentence& sentence) {
    const std::vector<Mention>& parts = sentence.mentions;
    const bool one_kind = std::ranges::all_of(
        parts, [&parts](const Mention& each) { return each.name == parts.front().name; });
    const bool chosen = sentence.has(Means::either) || sentence.has(Means::versus);
    const bool cards = !parts.empty() && std::ranges::all_of(parts, [](const Mention& each) {
        return each.machine.empty() && !each.parts.empty();
    });
    return cards && (one_kind || !chosen) &&
           !sentence.any_word("what which how welche was wie quoi quel cual budget");
}

/// Whether a number of watts stands at a token: "850w", "850 watts".
bool counts_watts(const Sentence& sentence, std::size_t at) {
    const auto measure = at < sentence.tokens.size() ? measure_at(sentence, at) : std::nullopt;
    return measure &&
           (is_any(measure->unit, "w watt watts") ||
            (measure->unit.empty() && is_any(sentence.word(at + measure->length), "w watt watts")));
}

/// Whether a model or the size of one is named: "3090 running 70b".
bool names_model(const Sentence& sentence) {
    return !sentence.reading.model.empty() ||
           std::ranges::any_of(sentence.tokens, [](const Token& token) {
               return parameters_in(token.text).has_value();
           });
}

/// "under 350w", "700w psu", "we have 1.5 kW": what may be drawn; beside a card that is named other
/// watts tell how it is set up.
bool match_watts(Sentence& sentence, std::size_t at, Measure measure, std::size_t end, bool kilo) {
    measure.value *= kilo ? 1000 : 1;
    const std::size_t before = at - std::min<std::size_t>(at, 8);
    // "a 4090 capped at 300w", "limit a 3090 to 250w", "300w power limit", "cut power to 300w
    // each": how a card that is named is set up.
    // "power limit 350w psu 850w": the word belongs to the number behind it.
    constexpr std::string_view supplies = "psu psus supply netzteil";
    const bool behind = near_words(sentence, end, end + 3, supplies) &&
                        !(is_any(sentence.word(end), supplies) && counts_watts(sentence, end + 1));
    const bool supplied = behind || (at > 0 && is_any(sentence.word(at - 1), supplies));
    const bool set_up =
        !supplied &&
        (near_words(sentence, before, at,
                    "capped cap capping limited limit limiting undervolted undervolt throttled pl "
                    "cut reduce lower") ||
         near_words(sentence, at - std::min<std::size_t>(at, 4), at, "at") ||
         near_words(sentence, end, end + 2, "power cap limit"));
    constexpr double most_of_a_part = 5000;  // "our rack is limited to 15 kW" is of none
    if (set_up && sentence.mentions.size() == 1 && measure.value <= most_of_a_part &&
        in_range(sentence, at, measure, 10, 5000, "a power")) {
        sentence.reading.power_cap_w = measure.value;
        sentence.claim(at, end - at);
        return true;
    }
    // "my power supply is 750w, can I run two 3090s"
    const auto names_supply = [&](std::size_t from, std::size_t to) {
        return near_words(sentence, from, to, "psu psus supply netzteil");
    };
    constexpr std::size_t near = 4;
    // "is 750w enough for a 4090 pc": no card is made that wants no more beside it. "is 75w enough
    // for an l4", "are 250w ok for a 3090, 8b": what a card draws, or how it is set up.
    constexpr double least_supply = 300;
    const bool computer =
        sentence.any_word("pc computer rig build machine workstation desktop system psu supply");
    const bool enough = at > 0 && is_any(sentence.word(at - 1), "is are will would") &&
                        is_any(sentence.word(end), "enough sufficient ok okay fine") &&
                        (computer || (measure.value >= least_supply && !names_model(sentence)));
    if (weighs_supply(sentence) && measure.value <= most_of_a_part &&
        (enough || names_supply(clause_start(sentence, at, near), at) ||
         names_supply(end, end + near)) &&
        in_range(sentence, at, measure, 100, 5000, "a power")) {
        sentence.reading.supply_w = measure.value;
        ask_for(sentence.reading, "power");
        sentence.claim(at, end - at);
        for (std::size_t i = clause_start(sentence, at, near); i < end + near; ++i) {
            if (is_any(sentence.word(i), "power psu psus supply netzteil")) {
                sentence.claim(i);
            }
        }
        return true;
    }
    if (!(kilo || sentence.mentions.empty() || is_most(sentence, at, end)) ||
        !in_range(sentence, at, measure, 1, 1e6, "a power")) {
        return false;
    }
    if (is_power_of_all(sentence, at, at + measure.length, measure.value)) {
        sentence.reading.rack_kw = measure.value / 1000;
        sentence.assume("watts", fmt::format("{:g}", measure.value),
                        "a whole machine may draw so much");
    } else {
        sentence.reading.max_watts = measure.value;
        sentence.assume("watts", fmt::format("{:g}", measure.value),
                        "accelerators that draw more are left out");
    }
    sentence.claim(at, end - at);
    // "power limit of 500 W", "drawing 75 W": no figure that is asked about.
    for (std::size_t i = clause_start(sentence, at, 5); i < end + 4; ++i) {
        if (is_any(sentence.word(i),
                   "power draw draws drawing drawn tdp consumption energy electricity psu budget "
                   "limit watt watts supply")) {
            sentence.claim(i);
        }
    }
    return true;
}

/// "capped at 70 %", "power limit 80%": of what the card that is named may draw.
bool match_power_share(Sentence& sentence, std::size_t at, double share, std::size_t end) {
    const std::size_t before = at - std::min<std::size_t>(at, 5);
    constexpr std::string_view limits =
        "cap capped capping limit limited limiting limits pl undervolt undervolted throttle "
        "throttled";
    constexpr std::string_view power = "power tdp";
    // "at 40% utilization power cost", "90% of vram": a share of something else.
    if (near_words(sentence, at, end + 3,
                   "utilization utilisation util load usage used busy duty vram memory time "
                   "occupancy mfu")) {
        return false;
    }
    const bool set_up =
        near_words(sentence, before, at, limits) || near_words(sentence, end, end + 3, limits) ||
        (at > 0 && is_any(sentence.word(at - 1), power)) || is_any(sentence.word(end), power) ||
        (sentence.word(end) == "of" && near_words(sentence, end + 1, end + 3, power));
    const bool one = sentence.mentions.size() == 1 && !sentence.mentions.front().parts.empty();
    if (!set_up || !one || share < 20 || share >= 100) {
        return false;
    }
    const double watts = sentence.mentions.front().parts.front()->tdp / watt;
    if (watts <= 0) {
        return false;
    }
    sentence.reading.power_cap_w = share / 100 * watts;
    sentence.assume("power_cap_w", fmt::format("{:.0f}", *sentence.reading.power_cap_w),
                    fmt::format("{:g} % of {:.0f} W", share, watts));
    sentence.claim(at, end - at);
    for (std::size_t i = before; i < end + 3; ++i) {
        if (is_any(sentence.word(i), limits) || is_any(sentence.word(i), power)) {
            sentence.claim(i);
        }
    }
    return true;
}

/// A number, and the unit behind it.
struct Counted {
    Measure measure;
    Match unit;
    std::size_t at = 0;
    std::size_t end = 0;      ///< one past the unit
    std::string_view last{};  ///< word of the unit

    [[nodiscard]] bool ends_in(std::string_view words) const { return is_any(last, words); }
};

/// "800 tokens in, 5 out": what is read stands right before what is written.
bool reads_before(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t nearest = 3;
    for (std::size_t i = at - std::min(at, nearest); i < at; ++i) {
        const bool number = i > 0 && (amount_in(sentence.word(i - 1)) ||
                                      is_any(sentence.word(i - 1), "tokens token tok toks input"));
        if (number && is_any(sentence.word(i), "in input prompt")) {
            return true;
        }
    }
    return false;
}

/// Whether the number is a size of a model, a share of a name, or one that is asked for.
bool counts_nothing(const Sentence& sentence, const Counted& counted) {
    const Field field = counted.unit.field;
    const double value = counted.measure.value;
    const std::string_view behind = sentence.word(counted.at + counted.measure.length);
    if (counted.unit.length == 1 && is_any(behind, "in out") && value < 16 &&
        !(behind == "out" && reads_before(sentence, counted.at))) {
        return true;
    }
    const std::string_view number = sentence.word(counted.at);
    const bool of_a_model = field == Field::users || field == Field::input ||
                            field == Field::output || field == Field::batch;
    if (of_a_model && parameters_in(number) && !is_any(number, "1m 2m 10m") &&
        !counted.ends_in("tokens token sequences seqs") &&
        !(counted.unit.length > 1 && is_any(sentence.word(counted.end - 2), "tokens token"))) {
        return true;
    }
    if (field == Field::memory && (value < 1 || value > 2000)) {
        return true;
    }
    // "200 generated": of tokens, where no other thing is named ("300 completion on qwen").
    if (is_any(counted.last, "generated completion") && counted.unit.length == 1 &&
        sentence.follows(counted.end) &&
        !is_any(sentence.word(counted.end),
                "on for with at by in from to using and per each via @ tokens token")) {
        return true;
    }
    // "images per second" is asked, not stated.
    return field == Field::samples && is_any(sentence.word(counted.end), "per a") &&
           is_any(sentence.word(counted.end + 1), "second minute hour sec");
}

bool learns(const Sentence& sentence) {
    return sentence.any_word(
        "ppo grpo rlhf rloo rl dpo sft lora qlora finetune finetuning tune tuning train training "
        "reinforcement");
}

/// What things are counted in that are as well lengths, loads, or examples to learn from.
Field field_by_number(const Sentence& sentence, const Counted& counted) {
    const Measure& measure = counted.measure;
    Field field = counted.unit.field;
    if (field == Field::batch && is_any(counted.last, "sequences seqs")) {
        field = field_of_sequences(sentence, counted.at, measure, counted.end);
    }
    // "16 concurrent 8k requests": so long is each.
    if (field == Field::users && measure.kilo && sentence.reading.concurrency &&
        counted.ends_in("requests request prompts sessions chats sequences")) {
        field = Field::sequence;
    }
    if (counted.unit.length != 1) {
        return field;
    }
    // "ppo on 20k prompts", "sft with 5k chats": what is trained on, no length and no load.
    if (measure.value >= 500 && counted.ends_in("prompts chats sessions requests") &&
        learns(sentence)) {
        field = Field::samples;
    }
    // "yolov8x on 4k images, fps": so wide is each.
    if (field == Field::samples && (measure.value == 4000 || measure.value == 8000) &&
        counted.ends_in("images frames pictures photos") && sentence.any_word("fps") &&
        !learns(sentence)) {
        return Field::pixels;
    }
    // "16 rollouts" of GRPO are those of a prompt; a "4k completion" is so long.
    constexpr double most_answers = 128;
    if (field == Field::samples && measure.value <= most_answers &&
        counted.ends_in("rollouts generations completions")) {
        field = Field::group;
    }
    // "1M prompts with 500 tokens out": so many, none is so long.
    constexpr double longest_prompts = 2e5;
    return field == Field::input && measure.value > longest_prompts && counted.last == "prompts"
               ? Field::samples
               : field;
}

/// "price of 1M output tokens"
bool is_priced(const Sentence& sentence, std::size_t at) {
    return at > 1 && is_any(sentence.word(at - 1), "of for") &&
           is_any(sentence.word(at - 2), "price cost costs");
}

/// "10M docs, 600 tokens each, summarise to 60 tokens": what becomes of each that is read.
bool is_made_of(const Sentence& sentence, const Counted& counted) {
    const Reading& reading = sentence.reading;
    return counted.at > 0 && is_any(sentence.word(counted.at - 1), "to into") && reading.samples &&
           reading.sequence && !reading.output_tokens && !learns(sentence);
}

/// "1B input tokens" is work, "50k examples of 1024 tokens" a length, "generate 500 tokens" an
/// answer's.
Field field_of_tokens(const Sentence& sentence, const Counted& counted, Field field) {
    constexpr double longest_of_a_prompt = 2e7;
    constexpr double longest_answer = 1e6;
    const double value = counted.measure.value;
    const std::string_view before =
        sentence.follows(counted.at) ? sentence.word(counted.at - 1) : std::string_view();
    if ((field == Field::input || field == Field::output) &&
        (value > longest_of_a_prompt || (field == Field::output && value >= longest_answer) ||
         (value >= 1e6 && (is_any(before, "per each") || is_priced(sentence, counted.at))))) {
        field = Field::tokens;
    }
    // "900 passages a second, each 300 tokens", "parallel requests of 4k tokens"
    const bool of_request =
        before == "of" && counted.at > 1 &&
        is_any(sentence.word(counted.at - 2),
               "request requests prompt prompts query queries chat chats conversation "
               "conversations session sessions sequence sequences");
    if (field == Field::tokens && (before == "each" || of_request) && value < 1e5) {
        return Field::sequence;
    }
    if (field == Field::sequence && counted.last == "per" && value > longest_answer) {
        return Field::tokens;  // "learns 5M tokens per day"
    }
    const bool tokens =
        field == Field::tokens || (field == Field::sequence && counted.last == "each");
    if (tokens && is_made_of(sentence, counted) && value < longest_answer) {
        return Field::output;
    }
    if (field != Field::tokens || is_any(before, "per each")) {
        return field;
    }
    if (sentence.reading.samples && value < 2e6) {
        return Field::sequence;
    }
    return value < longest_answer && is_any(before, "generate output outputs generating produce")
               ? Field::output
               : field;
}

/// "30 fps": of what is counted a rate is asked for.
void ask_for_rate(Sentence& sentence, const Counted& counted, Field field) {
    const std::string_view thing = sentence.word(counted.at + counted.measure.length);
    const std::size_t length = counted.end - counted.at;
    // "50k images" are no speed.
    if (field != Field::samples && is_any(thing, "images image img frames pictures fps")) {
        sentence.marks.push_back({Means::ask, "images", counted.at, length});
    }
    if (field == Field::per_second && is_any(thing, "fps frames")) {
        sentence.marks.push_back({Means::ask, "frames", counted.at, length});
    }
}

/// "more than 32GB", "more VRAM than 32GB", "over 16 gb": cards of that size are none of them.
void take_memory_beyond(Sentence& sentence, std::size_t at) {
    Reading& reading = sentence.reading;
    const std::size_t from = at - std::min<std::size_t>(at, 4);
    const std::string_view last = sentence.word(at - 1);
    const bool more = last == "than" &&
                      near_words(sentence, from, at, "more greater bigger larger higher") &&
                      !near_words(sentence, from, at, "no not less");
    const bool beyond =
        is_any(last, "over above beyond exceeding") && !sentence.any_word("dataset corpus");
    if (!(more || beyond) || !reading.memory_gib || *reading.memory_gib < 1) {
        return;
    }
    const double said = *reading.memory_gib;
    reading.memory_gib = std::floor(said) + 1;
    reading.memory_at_least = true;
    sentence.assume("memory_gib", fmt::format("{:g}", *reading.memory_gib),
                    fmt::format("more than {:g} GB: cards of that size are left out", said));
}

/// Fills what the number counts.
void take_counted(Sentence& sentence, const Counted& counted, Field field) {
    sentence.counts_requests =
        sentence.counts_requests ||
        (field == Field::users && counted.unit.length == 1 && counted.ends_in("requests queries"));
    Reading& reading = sentence.reading;
    const std::optional<double> before = reading.memory_gib;
    reading.writes_tokens =
        reading.writes_tokens ||
        (field == Field::tokens &&
         (counted.unit.field == Field::output ||
          near_words(sentence, clause_start(sentence, counted.at, 3), counted.at,
                     "generate generating produce producing write writing output")));
    if (field == Field::output && is_made_of(sentence, counted)) {
        reading.input_tokens = std::exchange(reading.sequence, std::nullopt);
    }
    take(sentence, counted.at, counted.measure, field);
    if (field == Field::memory && counted.at > 0) {
        // "16 GB or 24 GB": both are judged, the smaller first.
        const std::size_t from = counted.at - std::min<std::size_t>(counted.at, 5);
        if (before && reading.memory_gib && *before != *reading.memory_gib &&
            near_words(sentence, from, counted.at, "vs versus or against oder gegen ou contre")) {
            reading.less_memory_gib = std::min(*before, *reading.memory_gib);
            reading.memory_gib = std::max(*before, *reading.memory_gib);
        }
        const std::size_t more = or_more_length(sentence, counted.end);
        reading.memory_at_least = more > 0 || is_least(sentence, counted.at);
        sentence.claim(counted.end, more);
        take_memory_beyond(sentence, counted.at);
    }
    sentence.claim(counted.at, counted.end - counted.at);
    ask_for_rate(sentence, counted, field);
}

/// "200k summarization pairs", "12k labelled examples": one word between a number and what it
/// counts tells of what kind that is.
bool counts_described(const Sentence& sentence, const Measure& measure, std::size_t word) {
    constexpr double least = 100;
    const std::string_view kind = sentence.word(word);
    const Match noun = unit_after_number(sentence, word + 1, "");
    const bool plain =
        kind.size() > 3 && !has_digit(kind) && sentence.open(word) && sentence.follows(word) &&
        sentence.follows(word + 1) && !counts_things(kind) &&
        !is_any(kind,
                "with from over into each every that this than more less about tokens "
                "token context params model models steps total long short epochs");
    return plain && measure.unit.empty() && measure.value >= least &&
           unit_after_number(sentence, word, "").field == Field::none && noun.length == 1 &&
           noun.field == Field::samples && learns(sentence);
}

}  // namespace

bool match_per_batch(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->value < 1 ||
        measure->value != std::floor(measure->value)) {
        return false;
    }
    std::size_t end = at + measure->length;
    const bool thing =
        sentence.follows(end) &&
        is_any(sentence.word(end),
               "image images img imgs picture pictures pics photos sample samples sequence "
               "sequences seqs example examples pairs clips crops tiles patches sentences");
    end += thing ? 1 : 0;
    const bool slash = end < sentence.tokens.size() && sentence.tokens[end].gap == Gap::slash;
    if (!slash &&
        !(sentence.follows(end) && is_any(sentence.word(end), "per a in each every on"))) {
        return false;
    }
    const bool in = is_any(sentence.word(end), "in on");
    end += slash ? 0 : 1;
    end += in && is_any(sentence.word(end), "a one each every the") ? 1 : 0;
    const std::string_view whole = sentence.word(end);
    const bool batch =
        is_any(whole, "batch minibatch") || (thing && is_any(whole, "step iteration iter update"));
    const bool card = !in && is_any(whole, "gpu card device accelerator") &&
                      !is_any(sentence.word(end + 1), "hour hours hr");
    if (!batch && !card) {
        return false;
    }
    take(sentence, at, *measure, batch ? Field::batch : Field::micro_batch);
    sentence.marks.push_back({Means::filler, "", at, end + 1 - at});
    sentence.claim(at, end + 1 - at);
    return true;
}

bool match_unit_after(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return false;
    }
    std::size_t behind = at + measure->length;
    Match unit = unit_after_number(sentence, behind, measure->unit);
    if (unit.field == Field::none && counts_described(sentence, *measure, behind)) {
        ++behind;
        unit = unit_after_number(sentence, behind, "");
    }
    if (const std::size_t length = length_of_watts(sentence, *measure, behind, unit); length > 0) {
        return match_watts(sentence, at, *measure,
                           behind + length - (measure->unit.empty() ? 0 : 1),
                           unit.field == Field::kilowatts);
    }
    if (unit.field == Field::none || (measure->unit.empty() && unit.length == 0)) {
        return false;
    }
    const std::size_t end = behind + unit.length;
    if (unit.field == Field::percent && match_power_share(sentence, at, measure->value, end)) {
        return true;
    }
    // "1024/1024 total tok/s": the second of two lengths, no rate.
    const bool second = at > 0 && sentence.tokens[at].gap == Gap::slash &&
                        unit.field == Field::tokens_per_second && amount_in(sentence.word(at - 1));
    if (second) {
        return false;
    }
    const Counted counted{*measure, unit, at, end, sentence.word(end - 1)};
    if (counts_nothing(sentence, counted)) {
        return false;
    }
    // "500 GB/s" is no memory.
    if (unit.field == Field::memory && sentence.follows(end) &&
        sentence.tokens[end].gap == Gap::slash && is_any(sentence.word(end), "s sec second")) {
        sentence.reading.not_understood.push_back(std::string(sentence.word(at)) + " gb/s");
        sentence.claim(at, measure->length);
        return true;
    }
    const Field named = field_by_number(sentence, counted);
    // Whole bits are phrases of the lexicon: "4 bit lora".
    const bool fraction = measure->value != std::floor(measure->value);
    if (named == Field::weight_bits && !fraction && measure->unit != "bpw" &&
        counted.last != "bpw") {
        return false;
    }
    const Field field = field_of_tokens(sentence, counted, named);
    const bool priced = is_priced(sentence, at) && measure->value == 1e6 &&
                        !sentence.has(Means::train) && !sentence.has(Means::tune);
    const bool each = sentence.follows(at) && is_any(sentence.word(at - 1), "per each");
    if (field == Field::tokens && (each || priced)) {  // but not "8 a100 each, 2e11 tokens"
        sentence.marks.push_back({Means::ask, "per_million", at, end - at});
        sentence.claim(at - 1, end - at + 1);
        return true;
    }
    take_counted(sentence, counted, field);
    return true;
}

}  // namespace ridgeline::reading
