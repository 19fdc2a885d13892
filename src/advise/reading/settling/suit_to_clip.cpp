#include "advise/reading/settling/suit_to_clip.h"

#include "advise/reading/amounts/pictures.h"
#include "advise/reading/amounts/times.h"
#include "estimate/families/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Clips: how many frames one has, and whether several cards share it.

namespace ridgeline {

double frames_a_second(const Architecture& architecture) {
    return architecture.network ? architecture.network->number("fps", 0) : 0;
}

/// Frames of a clip: so many as were said, or its seconds at the rate that the model was made for,
/// whose decoder makes one frame and then groups of them.
void suit_to_clip(Reading& reading, const Architecture& architecture) {
    const double rate = frames_a_second(architecture);
    if (usual_audio_seconds(architecture) > 0) {
        reading.frames.reset();  // so long is what it hears: the estimate takes it as it is
        return;
    }
    if (rate <= 0) {
        reading.frames.reset();
        if (reading.clip_s) {
            assume(reading, "clip", fmt::format("{:g} s", *reading.clip_s),
                   architecture.reads_sound() ? "it is padded to the window that the model hears"
                                              : "the model's own number of frames is estimated");
            reading.clip_s.reset();
        }
        return;
    }
    if (reading.frames && reading.samples == *reading.frames) {
        reading.samples.reset();
    }
    if (reading.frames) {
        for (const std::string& said : {std::to_string(*reading.frames), std::string("frames")}) {
            std::erase(reading.not_understood, said);
        }
    }
    for (const char* said : {"clip", "clips", "video", "videos"}) {
        std::erase(reading.not_understood, said);  // what such a model makes
    }
    const bool limit = std::ranges::any_of(
        reading.assumed, [](const AssumedField& each) { return each.why == reading::time_of_one; });
    if (!reading.clip_s && reading.ttft_s && !limit) {
        reading.clip_s =
            std::exchange(reading.ttft_s, {});  // "720p 5 seconds": no answer comes token by token
        forget_assumed(reading, "ttft_s");
    }
    if (!reading.frames && reading.clip_s) {
        const double group = architecture.network->number("vae_frames", 4);
        reading.frames = reading::frames_of(std::round(*reading.clip_s * rate / group) * group + 1);
        assume(reading, "frames", std::to_string(*reading.frames),
               fmt::format("{:g} s at {:g} frames a second", *reading.clip_s, rate));
    }
}

void share_clips(Reading& reading, const Architecture& architecture) {
    const int cards = reading.count.value_or(1);
    if (reading.task != Task::inference || cards < 2 || reading.requests_per_s) {
        return;
    }
    if (reading.samples) {
        reading.concurrency = static_cast<int>(std::clamp<double>(*reading.samples, 1, cards));
        forget_assumed(reading, "concurrency");
        assume(reading, "concurrency", std::to_string(*reading.concurrency),
               "each card works on one of its own");
        return;
    }
    const bool one = reading.intent == Intent::throughput || reading.intent == Intent::duration;
    const bool rate = asks(reading, "images") && !reading.clip_s && !asks(reading, "one_at_a_time");
    if (!one || rate || reading.concurrency || frames_a_second(architecture) <= 0) {
        return;
    }
    reading.concurrency = 1;
    assume(reading, "concurrency", "1",
           fmt::format("the cards share the steps of one clip, as the models' own scripts have "
                       "them do (--ulysses_size {}); --concurrency {}: each makes its own",
                       cards, cards));
}

}  // namespace ridgeline
