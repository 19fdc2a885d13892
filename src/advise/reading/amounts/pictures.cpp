#include "advise/reading/amounts/pictures.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/recordings.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

// Numbers of images and their sizes.

namespace ridgeline::reading {

bool makes_pictures(const Sentence& sentence) {
    const auto model = sentence.named_architecture();
    return model && model->kind == ModelKind::diffusion;
}

int pixels_of(double value) {
    constexpr double most_pixels = 65'536;
    return static_cast<int>(std::clamp(value, 0.0, most_pixels));
}

int frames_of(double value) {
    constexpr double most_frames = 1e6;
    return static_cast<int>(std::clamp(value, 1.0, most_frames));
}
bool match_product_of_model(Sentence& sentence, std::size_t at) {
    if (at == 0 || !sentence.follows(at) || !sentence.tokens[at - 1].claimed ||
        !is_any(sentence.word(at),
                "images pictures pics photos clip clips video videos bilder fotos") ||
        is_any(sentence.word(at + 1), "per a each every /") ||
        (at + 1 < sentence.tokens.size() && sentence.tokens[at + 1].gap == Gap::slash)) {
        return false;
    }
    constexpr std::size_t longest_name = 4;
    const auto makes = [&](const std::string& id) {
        const auto model =
            sentence.vocabulary.architecture ? sentence.vocabulary.architecture(id) : std::nullopt;
        return model && model->kind == ModelKind::diffusion;
    };
    const bool first = at == sentence.model_end && makes(sentence.reading.model);
    const bool other = std::ranges::any_of(sentence.other_models, [&](const auto& each) {
        return at > each.second && at - each.second <= longest_name && makes(each.first);
    });
    if (!first && !other) {
        return false;
    }
    sentence.claim(at);
    return true;
}

bool match_images_of_model(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty()) {
        return false;
    }
    const std::size_t name = at + measure->length;
    std::size_t end = name;
    while (sentence.follows(end) && !sentence.open(end) && end < name + 3) {
        ++end;
    }
    if (end == name || !sentence.follows(end) || !sentence.open(end) ||
        !is_any(sentence.word(end), "images pictures photos clips videos") ||
        is_any(sentence.word(end + 1), "per a /")) {
        return false;
    }
    take(sentence, at, *measure, Field::samples);
    sentence.claim(at, measure->length);
    sentence.claim(end, 1);
    return true;
}

namespace {

/// Whether the model that is named may make clips.
bool makes_clips(const Sentence& sentence) {
    const auto model = sentence.named_architecture();
    return model && model->kind == ModelKind::diffusion;
}

bool is_clip(std::string_view word) {
    return is_any(word, "clip clips video videos utterance utterances");
}

/// Words of a time that is waited for, right before a number.
bool is_waited_for(const Sentence& sentence, std::size_t at) {
    return near_words(sentence, at - std::min<std::size_t>(at, 3), at,
                      "in within under below than most latency ttft takes take took every <");
}

/// "20 seconds per image", "5 s/picture": so long one takes, whatever is made is no film.
bool is_of_each_picture(const Sentence& sentence, std::size_t end) {
    const bool per = is_any(sentence.word(end), "per a an each every for");
    const bool slash = end < sentence.tokens.size() && sentence.tokens[end].gap == Gap::slash;
    return (per || slash) &&
           is_any(sentence.word(end + (per ? 1 : 0)), "image picture pic img photo render");
}

}  // namespace

bool match_frames(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || !makes_clips(sentence) ||
        !sentence.follows(at + measure->length) ||
        !is_any(sentence.word(at + measure->length), "frames frame") ||
        load_period_at(sentence, at + measure->length + 1).first > 0) {
        return false;
    }
    if (in_range(sentence, at, *measure, 1, 1e6, "a number of frames")) {
        sentence.reading.frames = frames_of(measure->value);
    }
    if (sentence.any_word("time long fast speed quick minutes")) {
        sentence.marks.push_back({Means::ask, "images", at, measure->length + 1});
    }
    sentence.claim(at, measure->length + 1);
    return true;
}

bool match_clip_length(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || measure->value <= 0) {
        return false;
    }
    const auto is_second = [](std::string_view word) {
        return is_any(word, "s sec second seconds secs");
    };
    std::size_t end = at + measure->length;
    if (measure->unit.empty() && is_any(sentence.word(end), "frames frame")) {
        sentence.reading.frames = frames_of(measure->value);  // they may be samples as well
        return false;
    }
    if (measure->unit.empty() && is_second(sentence.word(end))) {
        ++end;
    } else if (!is_second(measure->unit)) {
        return false;
    }
    if (take_clips_heard(sentence, at, end, *measure, 1)) {
        return true;
    }
    const bool before = at >= 2 && sentence.word(at - 1) == "of" && is_clip(sentence.word(at - 2));
    const bool named = before || (sentence.follows(end) && is_clip(sentence.word(end)));
    constexpr double longest_s = 60;
    const bool of_model = makes_clips(sentence) && measure->value <= longest_s &&
                          !is_waited_for(sentence, at) && !is_of_each_picture(sentence, end);
    if (!named && !of_model) {
        return false;
    }
    end -= named && !before ? 0 : 1;  // what is claimed ends with the unit
    sentence.reading.clip_s = measure->value;
    // "seconds per 5 s clip": the time for one is asked.
    const bool each = at >= 2 && is_any(sentence.word(at - 1), "per for a each every") &&
                      seconds_of(sentence.word(at - 2)) > 0;
    if (each || sentence.any_word("time long fast speed quick")) {
        sentence.marks.push_back({Means::ask, "images", at, end + 1 - at});
    }
    // "20000 clips of 10 s": the noun is left to its number.
    const bool counted = at >= 3 && measure_at(sentence, at - 3).has_value();
    const std::size_t from = !before ? at : counted ? at - 1 : at - 2;
    sentence.claim(from, end + 1 - from);
    return true;
}

bool match_side_before_time(Sentence& sentence, std::size_t at) {
    constexpr double least = 256;
    constexpr double most = 4096;
    constexpr int step = 32;
    const auto measure = measure_at(sentence, at);
    const std::size_t unit = at + 1;
    const bool whole = measure && measure->unit.empty() && !measure->scaled &&
                       measure->length == 1 && measure->value >= least && measure->value <= most &&
                       std::fmod(measure->value, step) == 0;
    const bool asked = whole && makes_pictures(sentence) && !sentence.reading.image_size &&
                       sentence.follows(unit) && seconds_of(sentence.word(unit)) > 0 &&
                       is_any(sentence.word(unit + 1), "per a each") &&
                       is_any(sentence.word(unit + 2), "image picture pic img");
    if (!asked || is_waited_for(sentence, at)) {
        return false;
    }
    sentence.reading.image_size = pixels_of(measure->value);
    sentence.marks.push_back({Means::ask, "images", unit, 3});
    sentence.claim(at, 4);
    return true;
}

bool is_pixel_word(std::string_view word) { return is_any(word, "px pixel pixels"); }

bool match_pixel_side(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool side = all_digits(word) && word.size() >= 3 && word.size() <= 4 &&
                      sentence.follows(at + 1) && is_pixel_word(sentence.word(at + 1));
    if (side) {
        sentence.reading.image_size = pixels_of(number_with_suffix(word).value_or(0));
        sentence.claim(at, 2);
    }
    return side;
}

namespace {

/// "720p"; 0: no such word.
int lines_of(std::string_view word) {
    return is_any(word, "1080p 720p 1440p 480p 2160p")
               ? static_cast<int>(number_with_suffix(word.substr(0, word.size() - 1)).value_or(0))
               : 0;
}

}  // namespace

void read_lines_in_name(Sentence& sentence) {
    for (std::size_t i = sentence.model_at;
         i < sentence.model_end && !sentence.reading.image_height; ++i) {
        if (const int lines = lines_of(sentence.word(i)); lines > 0) {
            sentence.reading.image_height = lines;
        }
    }
}

bool is_sides(std::string_view word) {
    const auto pieces = split(word, 'x');
    if (pieces.size() < 2 || pieces.size() > 3 || !std::ranges::all_of(pieces, all_digits)) {
        return false;
    }
    if (pieces.size() == 3) {
        return std::ranges::all_of(pieces, [](std::string_view side) { return side.size() >= 2; });
    }
    const bool small = pieces[0] == pieces[1] && is_any(pieces[0], "28 32 48 64 96");  // "64x64"
    return small || (pieces[0].size() >= 3 && pieces[1].size() >= 3);
}

/// "500 clips", "1000 5 second clips" of what makes them: so many are made.
bool match_clips(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->value <= 1 ||
        measure->value != std::floor(measure->value) || !makes_clips(sentence)) {
        return false;
    }
    constexpr std::size_t most_between = 3;  // how long and how large each is
    const std::size_t begin = at + measure->length;
    const auto second = [](std::string_view word) {
        return is_any(word, "s sec second seconds secs");
    };
    std::size_t end = begin;
    while (sentence.follows(end) && end < begin + most_between &&
           (is_any(sentence.word(end), "short long hd") || lines_of(sentence.word(end)) > 0 ||
            (end == begin ? measure_at(sentence, end).has_value() : second(sentence.word(end))))) {
        ++end;
    }
    if (!sentence.follows(end) || !is_any(sentence.word(end), "clips videos") ||
        is_any(sentence.word(end + 1), "per a an each every at in")) {
        return false;
    }
    take(sentence, at, *measure, Field::samples);
    sentence.claim(at, measure->length);
    if (end == begin) {
        sentence.claim(end);
    }
    return true;
}

bool match_pixels(Sentence& sentence, std::size_t at) {
    const auto pieces = split(sentence.word(at), 'x');
    const bool sides = is_sides(sentence.word(at));
    const std::string_view word = sentence.word(at);
    // "128^3": the side of a patch of a volume
    const bool raised =
        all_digits(word) && word.size() >= 2 && at + 1 < sentence.tokens.size() &&
        is_any(sentence.word(at + 1), "2 3") &&
        std::string_view(sentence.text)
                .substr(sentence.tokens[at].end,
                        sentence.tokens[at + 1].begin - sentence.tokens[at].end) == "^";
    if (raised) {
        sentence.reading.image_size = pixels_of(number_with_suffix(word).value_or(0));
        sentence.claim(at, 2);
        return true;
    }
    const int lines = lines_of(word);
    if (!sides && lines == 0) {
        return false;
    }
    const auto pixels = [](std::string_view digits) {
        return pixels_of(number_with_suffix(digits).value_or(0));
    };
    Reading& reading = sentence.reading;
    if (sides) {
        reading.image_size = pixels(pieces[0]);
    }
    const auto model = sentence.named_architecture();
    if (pieces.size() == 3 && model && frames_a_second(*model) > 0) {
        reading.image_height = pixels(pieces[1]);  // "832x480x81": of a clip the last are frames
        reading.frames = pixels(pieces[2]);
    } else if (pieces.size() == 3) {
        // A network of volumes takes one side: that of the cube of the same size.
        const double size = pixels(pieces[0]) * 1.0 * pixels(pieces[1]) * pixels(pieces[2]);
        reading.image_size = pixels_of(std::round(std::cbrt(size)));
        if (pieces[0] != pieces[1] || pieces[0] != pieces[2]) {
            sentence.assume("image_size", std::to_string(*reading.image_size),
                            fmt::format("the side of a cube as large as {}", sentence.word(at)));
        }
    } else if (lines > 0) {
        reading.image_height = lines;
    } else if (pieces[0] != pieces[1]) {
        reading.image_height = pixels(pieces[1]);
    }
    sentence.claim(at);
    // "how many 720p cameras": their lines stand inside of what is asked.
    if (at >= 2 && sentence.word(at - 2) == "how" && sentence.word(at - 1) == "many" &&
        sentence.follows(at + 1) && is_any(sentence.word(at + 1), "cameras streams feeds")) {
        sentence.marks.push_back({Means::ask, "largest_users", at - 2, 4});
        sentence.claim(at - 2, 4);
    }
    if (sentence.follows(at + 1) && sentence.open(at + 1) &&
        is_any(sentence.word(at + 1), "images image pictures photos pixels px") &&
        !is_any(sentence.word(at + 2), "per a each s sec second min minute hour")) {
        sentence.claim(at + 1);
    }
    return true;
}

/// "resnet50 fp16 224", "qlora 2048": a round number that nothing else has understood is the side
/// of a picture or the length of a text, by what the model reads.
void recognise_bare_sizes(Sentence& sentence) {
    const auto model = sentence.named_architecture();
    const bool named = model.has_value() || !sentence.reading.model.empty();  // "7b" has no profile
    if (!named) {
        return;
    }
    const bool pictures =
        model && (model->kind == ModelKind::image || model->kind == ModelKind::gan ||
                  model->kind == ModelKind::diffusion || model->reads_images());
    Reading& reading = sentence.reading;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        if (!sentence.open(i) || !all_digits(word) || word.size() < 3 || word.size() > 6) {
            continue;
        }
        const int value = static_cast<int>(amount_in(word)->value);
        const bool power = (value & (value - 1)) == 0;
        if (sentence.follows(i + 1) &&
            is_any(sentence.word(i + 1), "hidden channels units dim dims neurons features")) {
            continue;  // a size of the network
        }
        if (pictures && !reading.image_size && value % 32 == 0 && value >= 128 && value <= 2048) {
            reading.image_size = value;
            sentence.assume("image_size", std::to_string(value),
                            "a round number without a unit is the side of a picture");
            sentence.claim(i);
        } else if (!pictures && power && value >= 512 && !reading.sequence &&
                   !reading.input_tokens && reading.dataset_bytes <= 0) {
            reading.sequence = value;
            sentence.assume("sequence", std::to_string(value),
                            "a round number without a unit is a length");
            sentence.claim(i);
        }
    }
}

}  // namespace ridgeline::reading
