#include "advise/reading/amounts/recordings.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ridgeline::reading {
namespace {

bool is_recording(std::string_view word) {
    return is_any(word,
                  "audio speech podcast podcasts recordings recording calls interviews lectures "
                  "meetings voice radio transcripts footage "
                  "video videos");
}

/// Whether speech is what is worked on: by a word, or by the model that is named.
bool hears(const Sentence& sentence) {
    const auto model = sentence.named_architecture();
    const bool listens =
        model && (model->reads_sound() ||
                  (model->network && model->network->number("audio_seconds", 0) > 0));
    return listens || sentence.any_word(
                          "wav2vec wav2vec2 hubert librispeech speech conformer jasper quartznet "
                          "rnnt asr tts");
}

/// "on 50 hours", "librispeech 960h", "with 20 labelled hours": so much there is to learn from; a
/// time of waiting has "in", "for" or nothing before it.
bool stands_for_data(const Sentence& sentence, std::size_t at) {
    return at > 0 && sentence.follows(at) &&
           is_any(sentence.word(at - 1),
                  "on of over with using our my librispeech librilight libri gigaspeech voxpopuli "
                  "commonvoice voice fleurs ljspeech vctk tedlium switchboard");
}

/// "500 hours of audio", "transcription of 1000 hours": how much there is to hear; the tokens of it
/// after the unit. Nothing: the time is one of waiting.
std::optional<std::size_t> recording_words(const Sentence& sentence, std::size_t at,
                                           std::size_t end, double unit_s) {
    for (std::size_t i = end; i < end + 4 && sentence.follows(i); ++i) {
        if (is_recording(sentence.word(i))) {
            return i + 1 - end;
        }
        if (!is_any(sentence.word(i), "of worth recorded raw english my our")) {
            break;
        }
    }
    if (sentence.reading.audio_s) {
        return std::nullopt;  // so much is heard; another time is one of waiting
    }
    const bool heard =
        sentence.any_word("transcribe transcribing transcription transcriptions whisper asr");
    const auto amount = measure_at(sentence, at);
    // "wav2vec2 large fine tune 960h": what it learns from, where its time is asked or so many are
    // no time to wait.
    constexpr double longest_waited_h = 50;
    const bool learnt =
        unit_s == 3600 &&
        (sentence.any_word("long time days duration dauert tarda temps") ||
         (amount && amount->value > longest_waited_h)) &&
        sentence.any_word(
            "train training tune tuning finetune finetuning pretrain pretraining trainieren "
            "entrenar entrainer");
    const bool speech = hears(sentence) && (stands_for_data(sentence, at) || learnt);
    const bool many = amount && unit_s == 3600 && amount->value >= 100;  // "a 10,000 h archive"
    const bool waits = near_words(sentence, clause_start(sentence, at, 3), at,
                                  "in within under by than most max for");
    return (heard || speech) && unit_s >= 60 && !waits &&
                   (at == 0 || unit_s >= 3600 * 24 || many ||
                    !is_any(sentence.word(at - 1), "a per every each"))
               ? std::optional<std::size_t>(0)
               : std::nullopt;
}

/// "1500 meetings of 45 min": how many recordings have the length at `at`; 1: none were counted.
double recordings_before(Sentence& sentence, std::size_t at) {
    if (at < 3 || !is_any(sentence.word(at - 1), "of x at about")) {
        return 1;
    }
    const bool noun =
        is_recording(sentence.word(at - 2)) ||
        is_any(sentence.word(at - 2), "files clips episodes sessions talks lessons conversations");
    const auto count = amount_in(sentence.word(at - 3));
    if (!noun || !count || !(count->unit.empty() || count->unit == "k")) {
        return 1;
    }
    sentence.claim(at - 3, 3);
    sentence.reading.samples.reset();
    return count->value * (count->unit == "k" ? 1000 : 1);
}

/// "5000 hours a day": what comes in a day is heard within the day. Returns the tokens of it.
std::size_t take_period_of_recordings(Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return 0;
    }
    const std::string_view word = sentence.word(at);
    const bool slash = sentence.tokens[at].gap == Gap::slash;
    const bool each = is_any(word, "a per every each") && sentence.follows(at + 1);
    const double period = word == "daily" ? 86400
                          : each          ? seconds_of(sentence.word(at + 1))
                          : slash         ? seconds_of(word)
                                          : 0;
    if (period < 86400) {
        return 0;
    }
    if (!sentence.reading.deadline_s) {
        sentence.reading.deadline_s = period;
        sentence.assume("deadline_s", fmt::format("{:.0f}", period),
                        "what comes in that time is done within it");
    }
    return each ? 2 : 1;
}

bool trains_on_recordings(const Sentence& sentence) {
    return sentence.any_word(
        "train training tune tuning finetune finetuning finetuned pretrain pretraining sft "
        "epoch epochs");
}

bool is_heard_clip(std::string_view word) {
    return is_recording(word) ||
           is_any(word,
                  "clip clips file files utterance utterances snippet snippets message messages "
                  "note notes segment segments chunk chunks sample samples memo memos");
}

/// The number that ends right before token `end`, over words that tell of which kind they are:
/// "10000 short voice" before "clips"; its tokens begin at `at`.
struct ClipsBefore {
    double count = 1;
    std::size_t at = 0;
    bool told = false;
};
ClipsBefore clips_before(const Sentence& sentence, std::size_t end) {
    const std::size_t past =
        first_of_words(sentence, end, "voice audio speech short long call customer phone recorded");
    for (const std::size_t length : {std::size_t{2}, std::size_t{1}}) {
        const auto measure = past >= length && sentence.follows(past)
                                 ? measure_at(sentence, past - length)
                                 : std::nullopt;
        if (measure && measure->length == length && measure->unit.empty() && measure->value >= 1) {
            return {measure->value, past - length, true};
        }
    }
    return {1, end};
}

/// "50k clips of 15 s" of a run of training: so long is each of them, and nobody waits for it.
bool is_length_of_clip(const Sentence& sentence, std::size_t at, double unit_s) {
    const bool trains = trains_on_recordings(sentence);
    const bool waits = near_words(sentence, clause_start(sentence, at, 3), at,
                                  "in within inside under by than most max latency ttft");
    return trains && !waits && unit_s <= 1 && hears(sentence);
}

}  // namespace

bool take_clips_heard(Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure,
                      double unit_s) {
    const auto model = sentence.named_architecture();
    const bool listens =
        model ? model->reads_sound()
              : sentence.any_word("transcribe transcribing transcription transcriptions whisper");
    const std::size_t of = first_of_words(sentence, at, "of about around x");
    const bool ahead = of < at && of > 0 && is_heard_clip(sentence.word(of - 1));
    const std::size_t noun = end + (is_any(sentence.word(end), "long") ? 1 : 0);
    const bool behind = sentence.follows(noun) && is_heard_clip(sentence.word(noun));
    if (!listens || !(ahead || behind) || unit_s > 60 || trains_on_recordings(sentence) ||
        sentence.reading.audio_s || !in_range(sentence, at, measure, 1e-3, 1e6, "a length")) {
        return false;
    }
    const ClipsBefore count = clips_before(sentence, ahead ? of - 1 : at);
    const double each = measure.value * unit_s;
    Reading& reading = sentence.reading;
    reading.audio_s = count.count * each;
    reading.heard_s = count.count * std::ceil(each / audio_window_s) * audio_window_s;
    if (*reading.heard_s > *reading.audio_s) {
        sentence.assume("clip", fmt::format("{:g} s", each),
                        fmt::format("each is padded to windows of {:g} s, as the model hears them",
                                    audio_window_s));
    }
    if (count.told && reading.samples == count.count) {
        reading.samples.reset();
    }
    const std::size_t from = count.at;
    const std::size_t past = behind ? noun + 1 : end;
    sentence.claim(from, past - from);
    sentence.claim(past, take_period_of_recordings(sentence, past));
    return true;
}

bool take_recordings(Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure,
                     double unit_s) {
    if (!sentence.reading.clip_s && is_length_of_clip(sentence, at, unit_s)) {
        sentence.assume("clip_length", fmt::format("{:g} s", measure.value * unit_s),
                        "of each that is learnt from: not used, a window of the model's own length "
                        "is estimated");
        sentence.claim(at, end - at);
        return true;
    }
    if (take_clips_heard(sentence, at, end, measure, unit_s)) {
        return true;
    }
    const auto words = recording_words(sentence, at, end, unit_s);
    if (!words) {
        return false;
    }
    if (in_range(sentence, at, measure, 1e-9, 1e9, "a length of audio")) {
        sentence.reading.audio_s = measure.value * unit_s * recordings_before(sentence, at);
    }
    const std::size_t heard = end + *words;
    sentence.claim(at, heard + take_period_of_recordings(sentence, heard) - at);
    return true;
}

void take_period_of_samples(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool sought = reading.intent == Intent::own || reading.intent == Intent::hardware;
    // "300k images every day": what is learnt from is requested by nobody.
    if (sought && reading.task == Task::train && !reading.samples && reading.requests_per_s &&
        !assumed_of(reading, "requests_per_s")) {
        constexpr double day = 86400;
        reading.samples = day * *std::exchange(reading.requests_per_s, {});
        reading.deadline_s = day;
        sentence.assume("deadline_s", "86400", "what comes in that time is done within it");
    }
    for (std::size_t i = 0;
         sought && reading.task == Task::train && reading.samples && i < sentence.tokens.size();
         ++i) {
        if (is_load(sentence.word(i)) || is_any(sentence.word(i), "samples examples rows pairs")) {
            take_period_of_recordings(sentence, i + 1);
        }
    }
}

}  // namespace ridgeline::reading
