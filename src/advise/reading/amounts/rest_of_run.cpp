#include "advise/reading/amounts/rest_of_run.h"

#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

// A run of which a part is done: "60% done of 500B tokens", "crashed at 30 %", "halfway through".

namespace ridgeline::reading {
namespace {

constexpr std::string_view done_words =
    "done complete completed finished through in trained elapsed fertig abgeschlossen termine "
    "completado";
constexpr std::string_view ahead_words =
    "left remaining remain remains to outstanding missing more ubrig restant";
constexpr std::string_view stopped_words =
    "resume resumed resumes resuming continue continued continuing crashed crash died stopped "
    "interrupted killed failed restart restarted restarting preempted checkpoint";

/// The share that is done by the words around the number [at, end), where it is one of a run;
/// below zero: it is not.
double done_by_words(const Sentence& sentence, std::size_t at, std::size_t end, double share) {
    const std::size_t word = past_words(sentence, end, "of the it way run training is already");
    const bool follows = word < sentence.tokens.size() && sentence.follows(word);
    const std::string_view behind = follows ? sentence.word(word) : std::string_view();
    const bool inside = behind == "in" && sentence.follows(word + 1);  // "60 % in fp8"
    if (is_any(behind, done_words) && !inside) {
        return share;
    }
    const bool to = behind == "to" && sentence.word(word + 1) != "go";
    if (is_any(behind, ahead_words) && !to && behind != "more") {
        return 1 - share;
    }
    const std::size_t from = first_of_words(sentence, at, "at from after about around ~");
    const bool stopped = from < at && from > 0 && is_any(sentence.word(from - 1), stopped_words);
    return stopped ? share : -1;
}

/// Whether a run is spoken of whose part is done: a share of memory or of a sum is none.
bool speaks_of_a_run(const Sentence& sentence, std::size_t behind) {
    const std::size_t thing = past_words(sentence, behind, "left remaining of the my our for in");
    const bool other = sentence.follows(thing) &&
                       is_any(sentence.word(thing),
                              "vram memory ram gpu budget money disk storage peaks peak context");
    return !other &&
           sentence.any_word(
               "run runs train training trained trains pretrain pretraining pretrained "
               "finetune finetuning finetuned tune tuning lora qlora sft dpo token tokens "
               "epoch epochs step steps iterations resume resumed resuming checkpoint "
               "transcribe transcribing transcribed job hours samples");
}

}  // namespace

bool match_done_share(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const bool glued = measure && is_any(measure->unit, "% percent pct");
    const std::size_t unit = at + (measure ? measure->length : 0);
    const bool apart = measure && measure->unit.empty() && sentence.follows(unit) &&
                       is_any(sentence.word(unit), "% percent pct prozent");
    const bool half = is_any(sentence.word(at), "halfway half") && sentence.follows(at + 1);
    if (!glued && !apart && !half) {
        return false;
    }
    const std::size_t end = half ? at + 1 : unit + (apart ? 1 : 0);
    const double share = half ? 0.5 : measure->value / 100;
    const double done = done_by_words(sentence, at, end, share);
    if (done <= 0 || done >= 1 || !speaks_of_a_run(sentence, end)) {
        return false;
    }
    sentence.done_share = done;
    std::size_t last = past_words(sentence, end, "of the it way run training is already");
    last += is_any(sentence.word(last), done_words) || is_any(sentence.word(last), ahead_words);
    last += sentence.word(last) == "go" ? 1 : 0;
    sentence.claim(at, last - at);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        // "resume", "time remaining", "what is left": they say no more than the share does.
        if (sentence.open(i) && (is_any(sentence.word(i), stopped_words) ||
                                 is_any(sentence.word(i), "left remaining rest remainder"))) {
            sentence.claim(i);
        }
    }
    return true;
}

void leave_rest_of_run(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.done_share <= 0) {
        return;
    }
    const double left = 1 - sentence.done_share;
    const auto keep = [&](std::optional<double>& amount, std::string_view field) {
        if (!amount) {
            return false;
        }
        const double all = *amount;
        *amount = std::max(1.0, std::round(all * left));
        sentence.assume(std::string(field), fmt::format("{}", grouped(*amount)),
                        fmt::format("{:g} % of {} are left", 100 * left, grouped(all)));
        return true;
    };
    reading.tokens_of_run = reading.tokens;  // its step is that of the whole
    if (keep(reading.tokens, "tokens") || keep(reading.steps, "steps") ||
        keep(reading.samples, "samples") || keep(reading.audio_s, "audio_s")) {
        return;
    }
    reading.not_understood.push_back(fmt::format("{:g} % done", 100 * sentence.done_share));
}

}  // namespace ridgeline::reading
