#include "advise/reading/amounts/rates.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <algorithm>

// Rates that are asked about and that no phrase of the lexicon has, told by their form: what is
// made and a period ("token by second", "docs each minute"), "decode rates", "faster than
// realtime".

namespace ridgeline::reading {
namespace {

/// Whether no more is known of token i than that it fills a sentence.
bool plain_word(const Sentence& sentence, std::size_t i) {
    return i < sentence.tokens.size() && has_letter(sentence.word(i)) &&
           std::all_of(sentence.marks.begin(), sentence.marks.end(), [i](const Mark& mark) {
               const bool weak =
                   mark.means == Means::infer && mark.value == "weak";  // "embeddings"
               return i < mark.at || i >= mark.at + mark.length || mark.means == Means::filler ||
                      weak;
           });
}

/// Whether token i belongs to the name of a model or of hardware.
bool belongs_to_name(const Sentence& sentence, std::size_t i) {
    return (i >= sentence.model_at && i < sentence.model_end) ||
           std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                       [i](const Mention& each) { return i >= each.at && i < each.end; });
}

/// "20 docs a minute" is stated: a number stands before what is made.
bool is_stated(const Sentence& sentence, std::size_t at) {
    // "batch 128 images/s": the number has its name before it.
    const bool named = at > 1 && sentence.follows(at - 1) && names_number(sentence.word(at - 2));
    const auto amount =
        at > 0 && sentence.follows(at) ? amount_in(sentence.word(at - 1)) : std::nullopt;
    // "512tok passages/sec": so long is each.
    const bool counts = amount && !is_any(amount->unit, "tok tokens token px");
    return counts && !named && !belongs_to_name(sentence, at - 1);
}

bool is_picture(std::string_view word) {
    return is_any(
        word,
        "image images img imgs picture pictures pics photos clip video frame frames videos clips");
}

}  // namespace

bool is_made(std::string_view word) {
    return is_picture(word) || is_load(word) ||
           is_any(word,
                  "token tokens tok toks word words sample samples sequence sequences step steps "
                  "iteration iterations pairs pair "
                  "passages chunks texts characters chars example examples utterance utterances");
}

bool match_rate_over_time(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const bool article = is_any(sentence.word(at), "a an one");
    if (!article && (!measure || !measure->unit.empty() || measure->negative)) {
        return false;
    }
    std::size_t every = at + (article ? 1 : measure->length);
    const bool thing = is_any(sentence.word(every),
                              "image images picture pictures photo photos request requests query "
                              "queries prompt prompts call calls page pages "
                              "clip clips video videos frame frames document documents");
    every += thing ? 1 : 0;
    if ((article && !thing) || !sentence.follows(every) ||
        !is_any(sentence.word(every), "per every each")) {
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

namespace {

void match_rate(Sentence& sentence, std::size_t at) {
    // "seconds per clip", "ms per frame", "time per picture"
    const bool timed =
        (seconds_of(sentence.word(at)) > 0 || is_any(sentence.word(at), "time latency")) &&
        sentence.follows(at + 1) &&
        (is_any(sentence.word(at + 1), "per a each")
             ? sentence.follows(at + 2) && is_picture(sentence.word(at + 2))
             : sentence.tokens[at + 1].gap == Gap::slash && is_picture(sentence.word(at + 1)));
    if (timed && !is_stated(sentence, at)) {
        const std::size_t words = is_any(sentence.word(at + 1), "per a each") ? 3 : 2;
        sentence.marks.push_back({Means::ask, "images", at, words});
        if (is_any(sentence.word(at + words - 1), "clip video")) {
            sentence.marks.push_back({Means::ask, "one_at_a_time", at, words});
        }
        sentence.claim(at, words);
        return;
    }
    // "how many tokens" asks for a rate already, but not of how long.
    const bool asked = at > 1 && sentence.word(at - 1) == "many" && sentence.asks("throughput");
    const bool made = is_made(sentence.word(at)) && (asked || plain_word(sentence, at));
    const auto [seconds, length] =
        made ? load_period_at(sentence, at + 1) : std::pair<double, std::size_t>{0, 0};
    constexpr double longest_s = 86400;  // what is counted by the month is a bill
    if (seconds <= 0 || seconds > longest_s || is_stated(sentence, at)) {
        return;
    }
    // "per day", "per hour" are those of a rent elsewhere.
    const auto period = [&, length = length](const Mark& mark) {
        return mark.means == Means::ask && mark.value.starts_with("per_") && mark.at > at &&
               mark.at + mark.length <= at + 1 + length;
    };
    std::vector<Mark> marks = sentence.marks;
    std::erase_if(sentence.marks, period);
    for (std::size_t i = at + 1; i < at + 1 + length; ++i) {
        if (!plain_word(sentence, i)) {
            sentence.marks = std::move(marks);
            return;
        }
    }
    sentence.marks.push_back(
        {Means::ask, is_picture(sentence.word(at)) ? "images" : "throughput", at, 1 + length});
    constexpr double an_hour = 3600;
    if (seconds >= an_hour) {
        sentence.marks.push_back({Means::ask, "all_day", at, 1 + length});
    }
    sentence.claim(at, 1 + length);
}

/// Whether hardware stands at token `at`, behind an article or a number at most: "an h100".
bool part_stands_at(const Sentence& sentence, std::size_t at) {
    const bool skipped =
        is_any(sentence.word(at), "a an the one my") || all_digits(sentence.word(at));
    return std::any_of(
        sentence.mentions.begin(), sentence.mentions.end(),
        [&](const Mention& each) { return each.at == at || (skipped && each.at == at + 1); });
}

/// "decode rate", "what rates": of a model its speed, where no price is spoken of; of hardware its
/// rent.
void match_rate_word(Sentence& sentence, std::size_t at) {
    const bool money = sentence.asks("price") || sentence.asks("rent") ||
                       sentence.asks("per_hour") || sentence.asks("cost") ||
                       sentence.asks("cloud") || sentence.asks("own");
    const bool another =
        is_any(sentence.word(at - std::min<std::size_t>(at, 1)), "learning frame sample bit");
    const bool bare = sentence.word(at + 1) == "for" &&
                      (sentence.reading.model.empty() || part_stands_at(sentence, at + 2));
    if (is_any(sentence.word(at), "rate rates") && plain_word(sentence, at) && !money && !another &&
        (bare || !sentence.reading.model.empty())) {
        sentence.marks.push_back({Means::ask, bare ? "price" : "throughput", at, 1});
        if (bare && !sentence.reading.model.empty()) {
            sentence.marks.push_back({Means::ask, "rate_of_part", at, 1});
        }
        sentence.claim(at);
    }
}

/// "times faster than realtime", "real time factor", "whisper on a 1060, realtime?": how fast
/// speech is heard.
void match_real_time(Sentence& sentence, std::size_t at) {
    const bool apart = sentence.word(at) == "real" && sentence.word(at + 1) == "time";
    if (!apart && !is_any(sentence.word(at), "realtime rtf rtfx")) {
        return;
    }
    const auto model = sentence.mentions.empty() ? std::nullopt : sentence.named_architecture();
    if (sentence.any_word("factor times faster than x multiple many") ||
        (model && model->reads_sound() && !sentence.has(Means::train))) {
        sentence.marks.push_back({Means::ask, "throughput", at, apart ? 2U : 1U});
        sentence.claim(at, apart ? 2 : 1);
    }
}

/// "how zippy is gpt-oss-20b on a 4080": an adjective that nothing else asks with is one of speed.
void match_quality(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at + 1);
    const bool other = is_any(word,
                              "many much long large little often good well come about high wide "
                              "deep does would should will soon hard "
                              "close likely different expensive cheap costly accurate smart clever "
                              "useful safe realistic stable thirsty "
                              "hungry power loud noisy heavy");
    // "how greedy is it for power": the figure is named.
    const bool figure = sentence.has(Means::attribute) || sentence.asks("memory") ||
                        sentence.asks("strong_memory") || sentence.asks("price") ||
                        sentence.asks("cost");
    const bool verb = is_any(sentence.word(at + 2), "is are does would will can do could");
    const bool asked = sentence.word(at) == "how" && sentence.follows(at + 2) && word.size() > 3 &&
                       verb && plain_word(sentence, at + 1) && !sentence.reading.model.empty();
    if (asked && figure) {
        sentence.claim(at, 2);  // the figure is what is asked
    } else if (asked && !other) {
        sentence.marks.push_back({Means::ask, "throughput", at, 2});
        sentence.claim(at, 2);
    }
}

/// "how long is one training step", "time per iteration", "minutes per grpo step": the time of a
/// step of a run, not of the run.
void match_step_time(Sentence& sentence, std::size_t at) {
    if (at == 0 || !is_any(sentence.word(at),
                           "step iteration trainingsschritt schritt iteratie iteracion etape "
                           "iterazione iteracao passo paso")) {
        return;
    }
    constexpr std::size_t most_between = 7;
    std::size_t begin = at;
    const auto asks_time = [&](std::size_t i) {
        return is_any(sentence.word(i),
                      "long time seconds minutes sec secs min mins ms milliseconds duration "
                      "lange lang dauert longtemps temps tiempo tarda tempo dura tijd duurt");
    };
    do {
        --begin;
    } while (
        begin > 0 && at - begin < most_between && !asks_time(begin) &&
        is_any(sentence.word(begin),
               "is does do would will should takes take a an one each every per the single of "
               "denoising "
               "sampling dure duree d entrainement dentrainement "
               "for training train optimizer optimiser optimization gradient full fine tuning "
               "finetuning ppo grpo rloo dpo rl rlhf pro ein eine einen der die un una une uno "
               "um uma par por per entrainement entrenamiento addestramento treino een"));
    if (!asks_time(begin)) {
        return;
    }
    while (begin > 0 &&
           (asks_time(begin - 1) ||
            is_any(sentence.word(begin - 1), "how wie hoe much many combien de cuanto quanto"))) {
        --begin;
    }
    const std::size_t length = at + 1 - begin;
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::ask && mark.at + mark.length > begin && mark.at <= at;
    });
    sentence.marks.push_back({Means::ask, "throughput", begin, length});
    sentence.marks.push_back({Means::attribute, "step_time", begin, length});
    ask_for(sentence.reading, "step_time");
    for (std::size_t i = begin; i <= at; ++i) {
        if (i == begin || i == at || sentence.open(i)) {
            sentence.claim(i);
        }
    }
}

/// Sides that pictures are cut to for networks, or drawn with.
bool is_usual_side(double value) {
    static constexpr int sides[] = {192, 224, 256, 288, 299, 320,  336,  384,  448,
                                    512, 518, 640, 768, 896, 1024, 1280, 1536, 2048};
    return std::any_of(std::begin(sides), std::end(sides),
                       [value](int each) { return each == value; });
}

/// Tokens of a rate of a second that stands at token i: "tokens per second", "imgs/s", "fps"; 0:
/// there is none.
std::size_t rate_length(const Sentence& sentence, std::size_t i) {
    if (is_any(sentence.word(i), "tps fps rps qps")) {
        return 1;
    }
    const auto [seconds, length] = load_period_at(sentence, i + 1);
    return is_made(sentence.word(i)) && seconds == 1 ? 1 + length : 0;
}

/// Whether the number at token `at` is the side of the pictures of a model that is named, whose
/// rate on hardware that is named is asked: nobody wants so many.
bool is_side(const Sentence& sentence, std::size_t at, double value) {
    const auto model = all_digits(sentence.word(at)) && is_usual_side(value)
                           ? sentence.named_architecture()
                           : std::nullopt;
    const bool pictures =
        model && (model->kind == ModelKind::image || model->kind == ModelKind::gan ||
                  model->kind == ModelKind::diffusion || model->reads_images());
    return pictures && !sentence.mentions.empty() &&
           !sentence.any_word(
               "need want wants must target least handle sustain reach require requires required "
               "keep serve process processing how many which what cheapest camera cameras");
}

/// "70b tokens per second", "1024 training images per second": the size of a model or the side of
/// its pictures before a rate that is asked about.
void match_size_before_rate(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->negative) {
        return;
    }
    // "how many 3b tokens can 32 a100 train": the size of the model, tokens are asked for
    if (at > 0 && is_any(sentence.word(at - 1), "many much") &&
        is_any(sentence.word(at + 1), "tokens token") && parameters_in(sentence.word(at)) &&
        sentence.reading.model.empty()) {
        sentence.claim(at + 1);
        return;
    }
    constexpr double fastest = 2e7;  // tokens a second: more are parameters
    constexpr std::size_t most_between = 3;
    const bool size = sentence.reading.model.empty() && parameters_in(sentence.word(at)) &&
                      measure->value >= fastest;
    std::size_t i = at + measure->length;
    for (const std::size_t end = i + most_between;
         i < end && sentence.follows(i) && rate_length(sentence, i) == 0; ++i) {
        if (!sentence.open(i) || has_digit(sentence.word(i)) || counts_no_load(sentence, i)) {
            return;
        }
    }
    const std::size_t length = sentence.follows(i) ? rate_length(sentence, i) : 0;
    const bool tokens = is_any(sentence.word(i), "tokens token tok toks tps");
    if (length == 0 || !(tokens ? size : is_side(sentence, at, measure->value))) {
        return;
    }
    if (!tokens) {
        sentence.reading.image_size = static_cast<int>(measure->value);
        sentence.assume("image_size", std::string(sentence.word(at)),
                        "a usual side of pictures before a rate that is asked is no rate");
        sentence.claim(at, measure->length);
    }
    sentence.marks.push_back({Means::ask, tokens ? "throughput" : "images", i, length});
    sentence.claim(i, length);
}

}  // namespace

void recognise_sizes_before_rates(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.open(i)) {
            match_size_before_rate(sentence, i);
        }
    }
}

/// "dlrm on 8 a100 time", "lora 8b on a 4090, time?": the last word alone asks how long.
void match_last_word(Sentence& sentence) {
    const std::size_t last = sentence.tokens.empty() ? 0 : sentence.tokens.size() - 1;
    const bool of_other =
        last > 0 && sentence.follows(last) &&
        is_any(sentence.word(last - 1),
               "real a one the same first per each step response latency at of this that any all");
    const bool meant = std::ranges::any_of(sentence.marks, [last](const Mark& mark) {
        return mark.at <= last && last < mark.at + mark.length && mark.means != Means::filler;
    });
    if (last > 0 && is_any(sentence.word(last), "time duration") && !of_other && !meant) {
        sentence.marks.push_back({Means::ask, "duration", last, 1});
        sentence.claim(last);
    }
    // "13b full ft on 8 a100, batch size?"
    if (last > 1 && sentence.word(last) == "size" && sentence.word(last - 1) == "batch" && !meant &&
        !sentence.reading.batch && !sentence.reading.micro_batch &&
        !is_any(sentence.word(last - 2), "the my same any this that with each")) {
        sentence.marks.push_back({Means::ask, "largest_batch", last - 1, 2});
        sentence.claim(last - 1, 2);
    }
}

void recognise_rates(Sentence& sentence) {
    match_last_word(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_step_time(sentence, i);
        if (i > 0 && sentence.word(i - 1) == "many" &&
            is_any(sentence.word(i), "steps iterations epochs passes")) {
            sentence.claim(i);
        }
        match_rate(sentence, i);
        match_rate_word(sentence, i);
        match_real_time(sentence, i);
        match_quality(sentence, i);
    }
}

}  // namespace ridgeline::reading
