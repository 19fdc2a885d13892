#include "advise/reading/amounts/cameras.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/pictures.h"
#include "advise/reading/numbers/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

// Cameras and streams: pictures of all of them come each second.

namespace ridgeline::reading {
namespace {

/// What films, in the languages that name it otherwise too.
constexpr std::string_view cameras =
    "camera cameras cam cams kamera kameras cctv webcam webcams camara camaras telecamera "
    "telecamere kamery kamer камера камеры камер";

/// Pictures a second of a camera of which nobody says how fast it films.
constexpr double usual_frames = 30;

bool looks_at_pictures(const Sentence& sentence) {
    const auto model = sentence.named_architecture();
    // A task of networks that look is told before the usual network for it is taken.
    return model ? model->kind == ModelKind::image || model->reads_images()
                 : sentence.any_word("detection detecting detector segmentation pose");
}

/// The pictures a second at token `at`, "30 fps" or "30 frames per second", and its tokens.
std::pair<double, std::size_t> frames_at(const Sentence& sentence, std::size_t at) {
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!measure || measure->negative || measure->value <= 0) {
        return {0, 0};
    }
    const std::size_t unit = at + measure->length;
    if (is_any(measure->unit, "fps hz")) {
        return {measure->value, measure->length};
    }
    if (!measure->unit.empty() || !sentence.follows(unit)) {
        return {0, 0};
    }
    if (is_any(sentence.word(unit), "fps hz")) {
        return {measure->value, measure->length + 1};
    }
    const Match rate = unit_after_number(sentence, unit, "");
    const bool frames =
        is_any(sentence.word(unit), "frames frame") && rate.field == Field::per_second;
    return frames ? std::pair{measure->value, measure->length + rate.length}
                  : std::pair<double, std::size_t>{0, 0};
}

}  // namespace

void read_film_width(Sentence& sentence) {
    const bool films = sentence.any_word(cameras) ||
                       sentence.any_word("fps feed feeds stream streams rtsp footage drone uhd");
    const auto model = sentence.named_architecture();
    const bool enlarges = model && model->network && model->network->flag("whole_frames");
    if (!films || enlarges || !looks_at_pictures(sentence) || sentence.reading.image_height) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        // "4k images" are a number of them.
        const bool counts = is_any(sentence.word(i + 1),
                                   "image images picture pictures photo photos samples frames "
                                   "clips videos steps iterations");
        if (sentence.open(i) && !counts && is_any(word, "4k 8k uhd")) {
            sentence.reading.image_height = word == "8k" ? 4320 : 2160;
            sentence.claim(i);
            return;
        }
    }
}

bool match_cameras(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->scaled || measure->negative ||
        measure->value < 1 || frames_at(sentence, at).second > 0) {
        return false;
    }
    std::size_t noun = at + measure->length;
    noun += sentence.word(noun) == "x" && sentence.follows(noun + 1) ? 1 : 0;  // "32x cams"
    const std::size_t last = noun + 3;
    const auto films = [&](std::size_t i) {
        return is_any(sentence.word(i), cameras) ||
               is_any(sentence.word(i), "feeds feed streams channels videos");
    };
    while (noun < last && sentence.follows(noun) && !films(noun) &&
           !counts_no_load(sentence, noun) && !is_any(sentence.word(noun), "one single") &&
           (has_letter(sentence.word(noun)) || is_pixel_word(sentence.word(noun)))) {
        ++noun;
    }
    if (!sentence.follows(noun) || !films(noun)) {
        return false;
    }
    const auto stated = [&](double rate, std::size_t from, std::size_t length) {
        Measure all = *measure;
        all.value = measure->value * rate;
        take(sentence, at, all, Field::per_second);
        take(sentence, at, *measure, Field::users);
        sentence.assume("requests_per_s", fmt::format("{:g}", all.value),
                        fmt::format("{:g} x {:g} pictures a second, one of each at once",
                                    measure->value, rate));
        sentence.claim(at, noun + 1 - at);
        sentence.claim(from, length);
        sentence.assume("decoding", "left out",
                        "what decodes the films, processors or a card's own units, is not weighed");
        return true;
    };
    constexpr std::size_t most_between = 8;
    for (std::size_t i = noun + 1; i < std::min(noun + most_between, sentence.tokens.size()); ++i) {
        if (const auto [rate, length] = frames_at(sentence, i); rate > 0) {
            return stated(rate, i, length);
        }
    }
    for (std::size_t back = 2; back <= std::min(most_between, at); ++back) {
        const auto [rate, length] = frames_at(sentence, at - back);
        if (rate > 0 && at - back + length <= at) {
            return stated(rate, at - back, length);
        }
    }
    // "16 cameras" of a network that looks at pictures: as cameras film where nobody said a rate.
    return looks_at_pictures(sentence) && is_any(sentence.word(noun), cameras) &&
           stated(usual_frames, noun, 1);
}

bool match_asked_streams(Sentence& sentence, std::size_t at) {
    if (sentence.word(at) != "how" || sentence.word(at + 1) != "many") {
        return false;
    }
    constexpr std::size_t most_between = 6;
    std::size_t noun = at + 2;
    std::vector<std::size_t> taken = {at, at + 1};
    while (noun < at + 2 + most_between && sentence.follows(noun)) {
        const std::size_t frames = frames_at(sentence, noun).second;  // read where rates are
        const bool described = is_any(sentence.word(noun),
                                      "rtsp ip live video camera security surveillance cctv hd "
                                      "fullhd 1080p 720p 4k real time realtime");
        if (frames == 0 && !described) {
            break;
        }
        if (described) {
            taken.push_back(noun);
        }
        noun += std::max<std::size_t>(1, frames);
    }
    if (noun == at + 2 || !sentence.follows(noun) ||
        !is_any(sentence.word(noun), "cameras cams streams feeds channels webcams")) {
        return false;
    }
    taken.push_back(noun);
    for (const std::size_t each : taken) {
        sentence.claim(each);
    }
    sentence.marks.push_back({Means::ask, "largest_users", at, 2});
    return true;
}

bool match_live_streams(Sentence& sentence, std::size_t at) {
    const auto model = is_any(sentence.word(at), "streams calls channels microphones speakers") &&
                               !sentence.mentions.empty()
                           ? sentence.named_architecture()
                           : std::nullopt;
    const bool live =
        sentence.any_word("live realtime simultaneous simultaneously concurrent parallel once") ||
        (sentence.any_word("real") && sentence.any_word("time"));
    const Reading& reading = sentence.reading;
    // "t4 or a10 for whisper streams": which of them, not how many
    const bool weighed = sentence.mentions.size() > 1 &&
                         (sentence.has(Means::either) || sentence.has(Means::versus));
    if (!model || !model->reads_sound() || !live || weighed || reading.concurrency ||
        reading.audio_s || reading.requests_per_s || sentence.has(Means::ask, "hardware") ||
        sentence.asks("largest_users")) {
        return false;
    }
    sentence.marks.push_back({Means::ask, "largest_users", at, 1});
    sentence.claim(at);
    return true;
}

namespace {

/// "10x real time", "5 times faster than realtime": how many times as fast as it is spoken sound is
/// to be heard; claims the words of it. 0: no number was told.
double times_real_time(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool apart = sentence.word(i) == "real" && sentence.word(i + 1) == "time";
        if (!apart && sentence.word(i) != "realtime") {
            continue;
        }
        const std::size_t times = first_of_words(sentence, i, "x times faster than the as");
        if (times == i || times == 0 || !is_any(sentence.word(times), "x times")) {
            continue;
        }
        const auto factor = measure_at(sentence, times - 1);
        if (factor && factor->unit.empty() && factor->length == 1 && factor->value > 0 &&
            !factor->negative) {
            sentence.claim(times - 1, i + (apart ? 2 : 1) - (times - 1));
            return factor->value;
        }
    }
    return 0;
}

}  // namespace

void read_real_time(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto named = sentence.named_architecture();
    const bool load = reading.requests_per_s || reading.concurrency || reading.batch ||
                      sentence.has(Means::train) || sentence.has(Means::tune) || !named ||
                      !named->reads_sound();
    if (const double times = load ? 0 : times_real_time(sentence); times > 0) {
        reading.requests_per_s = times / audio_window_s;
        sentence.assume("requests_per_s", fmt::format("{:.3g}", *reading.requests_per_s),
                        fmt::format("{:g} times real time: so many windows of 30 s of sound in as "
                                    "long",
                                    times));
        return;
    }
    bool said = sentence.any_word("realtime");
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        said = said || (sentence.word(i) == "real" && sentence.word(i + 1) == "time");
    }
    // "real time batch 64 throughput": how many are reached is asked.
    const bool other = reading.requests_per_s || reading.concurrency || reading.batch ||
                       sentence.any_word("throughput") || sentence.has(Means::versus) ||
                       sentence.has(Means::train) || sentence.has(Means::tune);
    const auto first = reading.family_models.empty() || !sentence.vocabulary.architecture
                           ? std::nullopt
                           : sentence.vocabulary.architecture(reading.family_models.front());
    if (said && !other && first && first->reads_sound()) {
        reading.requests_per_s = 1 / audio_window_s;
        sentence.assume("requests_per_s", fmt::format("{:.3g}", *reading.requests_per_s),
                        "real time: a window of 30 s of sound in as long");
    }
    if (said && !other && looks_at_pictures(sentence)) {
        reading.requests_per_s = usual_frames;
        sentence.assume("requests_per_s", fmt::format("{:g}", usual_frames),
                        "real time: pictures of one camera");
    }
}

}  // namespace ridgeline::reading
