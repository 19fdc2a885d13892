#include "advise/reading/amounts/times.h"
#include "advise/reading/models/datasets.h"
#include "advise/reading/reading.h"
#include "advise/reading/settling/suit_to_clip.h"
#include "advise/stacks/stored_weights.h"
#include "base/text.h"
#include "estimate/families/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// What only the shape of a model tells of a question: what its samples are, how it is trained as a
// rule, which stack runs it.

namespace ridgeline {
namespace {

void suit_to_speech(Reading& reading, const Profiles& profiles) {
    if (reading.audio_s && reading.task == Task::train && !reading.samples) {
        reading.samples = *reading.audio_s / audio_window_s;
        assume(reading, "samples", fmt::format("{:.0f}", *reading.samples),
               "windows of 30 s of the recordings");
        reading.counts_samples = true;
        reading.epochs = reading.epochs.value_or(1);
    }
    const SoftwareProfile* stack =
        reading.task == Task::inference ? profiles.software_profile(reading.framework) : nullptr;
    if (stack != nullptr && !stack->serves_with.empty()) {
        reading.framework = stack->serves_with;
    }
    if (reading.intent == Intent::hardware && reading.concurrency.value_or(0) > 1 &&
        !reading.audio_s && !reading.samples && !reading.requests_per_s) {
        reading.requests_per_s = *reading.concurrency / audio_window_s;
        assume(
            reading, "requests_per_s", fmt::format("{:.3g}", *reading.requests_per_s),
            fmt::format("{} at once speak live: a window of 30 s of each", *reading.concurrency));
    }
    // What fits is judged with adapters too; what it usually takes is that of all weights.
    if (reading.task == Task::train && reading.method.empty() && reading.intent != Intent::fit &&
        reading.intent != Intent::largest) {
        reading.method = "full";
        assume(reading, "method", "full", "speech models are trained whole as a rule");
    }
    if (reading.task == Task::train || reading.output_tokens || reading.sequence) {
        return;
    }
    reading.input_tokens =
        reading.input_tokens.value_or(static_cast<int>(window_of_sound.input_tokens));
    reading.output_tokens = static_cast<int>(window_of_sound.output_tokens);
    assume(reading, "output_tokens", std::to_string(*reading.output_tokens),
           "a window of 30 s at 150 words a minute");
}

/// "sdxl 1024 images per minute": a side that such models have, where hardware is named and a rate
/// asked for.
void take_side_for_rate(Reading& reading) {
    if (reading.intent != Intent::throughput || !reading.requests_per_s || reading.image_size) {
        return;
    }
    for (const double period_s : {1.0, 60.0, 3600.0, 86400.0}) {
        for (const int side : {512, 768, 1024}) {
            if (std::abs(*reading.requests_per_s * period_s - side) < 1e-6 * side) {
                reading.requests_per_s.reset();
                forget_assumed(reading, "requests_per_s");
                reading.image_size = side;
                assume(reading, "image_size", std::to_string(side),
                       "the side of an image, whose rate is asked for");
                return;
            }
        }
    }
}

/// "under 4 minutes", "in 3 s": where no number of pictures is told, the time is that of one.
void take_time_of_one(Reading& reading) {
    constexpr double longest_s = 3600;
    if (reading.task != Task::inference || reading.samples || reading.requests_per_s) {
        return;
    }
    if (!reading.ttft_s && reading.deadline_s.value_or(longest_s * 2) <= longest_s) {
        reading.ttft_s = std::exchange(reading.deadline_s, {});
        forget_assumed(reading, "deadline_s");
    }
    if (reading.ttft_s) {
        forget_assumed(reading, "ttft_s");
        assume(reading, "ttft_s", fmt::format("{:g}", *reading.ttft_s), reading::time_of_one);
    }
}

void suit_to_diffusion(Reading& reading, const Architecture& architecture) {
    const bool of_pixels = reading.model.starts_with("ddpm");
    // One of classes or of nothing (DiT) reads no text that adapters could teach it.
    const bool of_classes =
        architecture.network && architecture.network->number("text_tokens", 77) <= 1;
    if (reading.task == Task::train && reading.method.empty() &&
        (of_classes || reading.model.ends_with("-controlnet"))) {
        reading.method = "full";
        assume(reading, "method", "full",
               of_classes ? "it is trained from nothing"
                          : "a ControlNet is trained whole, its U-Net is frozen");
    }
    if (reading.task == Task::train && of_classes && !reading.batch && !reading.micro_batch) {
        // Ho et al. 2020 (arXiv 2006.11239), appendix B; Peebles and Xie 2023 (arXiv 2212.09748)
        reading.batch = of_pixels ? 128 : 256;
        assume(reading, "batch", std::to_string(*reading.batch), "as its paper trains it");
    }
    take_side_for_rate(reading);
    // "how long for 3000 images": they are made, where nothing says that they are learnt from.
    if ((!reading.task || reading.samples_alone || reading.steps_alone) && reading.method.empty()) {
        reading.task = Task::inference;
        assume(reading, "task", "inference", "images are generated where no training is spoken of");
        serve_batch_at_once(reading);
    }
    take_time_of_one(reading);
    const AssumedField* steps = assumed_of(reading, "steps");
    if (!reading.steps && steps != nullptr) {
        reading.steps = number_with_suffix(steps->value);  // those of "sdxl turbo"
    }
    if (reading.task == Task::inference && reading.samples && !reading.concurrency &&
        !reading.requests_per_s) {
        // Before the model was known they were taken for texts, or for what is learnt from.
        forget_assumed(reading, "tokens");
        forget_assumed(reading, "epochs");
        reading.tokens.reset();
        reading.input_tokens.reset();
        reading.epochs.reset();
        reading.concurrency = 1;
        assume(reading, "concurrency", "1",
               "one image at a time, as diffusers' pipelines make them");
    }
    if (reading.task == Task::train && reading.steps && !reading.epochs && !reading.batch &&
        !reading.micro_batch) {
        reading.micro_batch = 1;
        if (reading.count.value_or(1) == 1) {
            reading.batch = 1;  // nothing is accumulated over steps either
        }
        assume(reading, "batch", "1", "of a step on each, as kohya's scripts take");
    }
    if (reading.task == Task::train && !reading.batch && !reading.micro_batch) {
        const bool least = reading.intent == Intent::memory && reading.method != "full";
        assume(reading, "batch", least ? "1" : "4 on each at most",
               least ? "the least that adapters take"
                     : "as diffusers' scripts take; fewer where memory is short");
    }
}

/// "4k" beside a network that enlarges pictures, which its name tells ("-x4"): frames of films that
/// it makes, whose part it reads.
void read_part_of_enlarged(Reading& reading) {
    constexpr int thousand = 4096;
    const std::string& id = reading.estimated_model();
    const std::size_t at = id.find("-x") + 2;
    const int times = at > 1 && at < id.size() && is_digit(id[at]) ? id[at] - '0' : 1;
    if (times < 2 || *reading.image_size % thousand != 0) {
        return;
    }
    const int width = *reading.image_size / 16 * 15 / times;  // 3840 are "4k"
    reading.image_size = width * 3 / 4;                       // as many pixels as 16:9 has
    assume(reading, "image_size", std::to_string(*reading.image_size),
           fmt::format("about {}x{} are read, of which so many lines are made", width,
                       width * 9 / 16));
}

/// Sides of pictures: lines alone have the width of the model's own picture of so many, else that
/// of 16:9, in whole blocks of 16 pixels. Networks that look at pictures scale them to their own
/// size.
void suit_to_sides(Reading& reading, const Architecture& architecture) {
    if (!reading.image_height) {
        return;
    }
    const int height = *reading.image_height;
    const int own = usual_image_size(architecture);
    constexpr double wide = 16.0 / 9;
    // What enlarges frames reads them as they are; of "1080p to 4k" it makes the second.
    if (architecture.network && architecture.network->flag("whole_frames")) {
        constexpr int widest = 3;  // sides of one picture
        if (reading.image_size.value_or(widest * height) >= widest * height) {
            reading.image_size = static_cast<int>(std::round(height * wide));
            assume(reading, "image_size", fmt::format("{}x{}", *reading.image_size, height),
                   "the frames that are read");
        }
        return;
    }
    // "1024x2048" of a network of convolutions: crops, as it passes them. Frames of films are no
    // whole blocks of 32 pixels and are scaled.
    const bool crops = reading.image_size && *reading.image_size % 32 == 0 && height % 32 == 0 &&
                       architecture.kind == ModelKind::image && has_program(architecture) &&
                       own > 0 && !architecture.reads_images();
    if (crops) {
        return;
    }
    if (architecture.kind != ModelKind::diffusion || own == 0) {
        assume(reading, "image_size",
               reading.image_size ? fmt::format("{}x{}", *reading.image_size, height)
                                  : fmt::format("{}p", height),
               "the model's own size is estimated");
        reading.image_size.reset();
        reading.image_height.reset();
    } else if (!reading.image_size) {
        constexpr double block = 16;
        const bool same = architecture.network->number("image_height", 0) == height;
        reading.image_size =
            same ? own : static_cast<int>(std::round(height * wide / block) * block);
        assume(reading, "image_size", fmt::format("{}x{}", *reading.image_size, height),
               fmt::format("{} lines", height));
    }
}

/// What of a picture or clip nobody said is the model's own: its memory and time rest on it.
void tell_picture(Reading& reading, const Architecture& architecture) {
    const bool sought = reading.extreme == Extreme::image || reading.extreme == Extreme::frames;
    const bool no_work = reading.intent == Intent::describe || reading.intent == Intent::price ||
                         reading.intent == Intent::own ||
                         (reading.intent == Intent::largest && sought);
    const auto own = [&](const char* field, bool said, std::string value) {
        if (!no_work && !said && value != "0" && assumed_of(reading, field) == nullptr) {
            assume(reading, field, std::move(value), "the model's own, as none was said");
        }
    };
    const NetworkSizes& sizes = *architecture.network;
    const int side = usual_image_size(architecture);
    own("image_size", reading.image_size || side == 0,
        fmt::format("{}x{}", side, sizes.number("image_height", side)));
    own("frames", reading.frames.has_value(), std::to_string(sizes.whole("frames", 0)));
    own("steps", reading.steps || reading.task == Task::train,
        std::to_string(sizes.whole("steps", 50)));
}

/// Macs and processors run files of weights, where nobody said another stack.
void suit_to_host(Reading& reading, const Architecture& architecture, const Profiles& profiles) {
    const auto hosted = [](const std::string& id) {
        return id.starts_with("apple-") || id.starts_with("cpu-") || id.starts_with("strix-");
    };
    const bool all =
        !reading.accelerators.empty() && std::ranges::all_of(reading.accelerators, hosted);
    if (all && reading.task == Task::inference && reading.framework.empty() &&
        !architecture.stacks.empty() && architecture.kind == ModelKind::decoder) {
        if (const SoftwareProfile* files = runner_of_files(profiles)) {
            reading.framework = files->id;
            assume(reading, "framework", files->id, "the usual stack on such a machine");
        }
    }
}

/// Files without a stated type are of four bits: what Ollama's tags and llama.cpp's -hf take,
/// whether their speed is asked or the card that they need.
void suit_to_files(Reading& reading, const Architecture& architecture, const Profiles& profiles) {
    const SoftwareProfile* files = runner_of_files(profiles);
    const bool of_files = reading.intent == Intent::throughput ||
                          reading.intent == Intent::compare || reading.intent == Intent::hardware ||
                          reading.intent == Intent::budget;
    const bool unsaid =
        reading.quantization.empty() && reading.compute.empty() && reading.alternatives_of.empty();
    if (files != nullptr && reading.framework == files->id && of_files && unsaid &&
        !reading.embeds && reading.task == Task::inference &&
        architecture.kind == ModelKind::decoder) {
        reading.quantization = "q4_k_m";
        assume(reading, "quantization", "q4_k_m",
               "what Ollama and llama.cpp take where no type is said");
    }
}

/// Texts are as long as the model reads at most, where nobody said how long; all of it is trained.
void suit_to_encoder(Reading& reading, const Architecture& architecture) {
    const int positions = architecture.max_positions;
    const int usual = static_cast<int>(Serving{}.input_tokens);
    if (reading.task == Task::inference && reading.sequence && !reading.input_tokens) {
        reading.input_tokens = std::exchange(reading.sequence, {});  // nothing is written
    }
    if (reading.task == Task::inference && !reading.input_tokens && !reading.sequence &&
        positions > 0 && positions < usual && !architecture.reads_images()) {
        reading.input_tokens = positions;
    }
    if (reading.task == Task::inference && reading.tokens && reading.samples &&
        reading.input_tokens.value_or(0) > positions && positions > 0) {
        reading.input_tokens = positions;
        reading.tokens = *reading.samples * positions;
        forget_assumed(reading, "tokens");
        assume(reading, "tokens", format_count(*reading.tokens),
               fmt::format("{} texts of {} tokens, the most that it reads",
                           format_count(*reading.samples), positions));
    }
    constexpr int usual_example = 1024;
    if (reading.task == Task::train && reading.samples && !reading.sequence && positions > 0 &&
        positions < usual_example && !architecture.reads_images()) {
        reading.sequence = positions;
        assume(reading, "sequence", std::to_string(positions),
               "the length of an example was not said: the most that it reads");
    }
    if (reading.task == Task::train && reading.method.empty()) {
        reading.method = "full";
        assume(reading, "method", "full", "encoders are trained whole as a rule");
    }
}

}  // namespace

namespace {

/// Decoders that make vectors, by their training or because vectors are asked for, read a text in
/// one pass as encoders do.
void suit_to_vectors(Reading& reading, const Architecture& architecture) {
    reading.answers_at_once = architecture.kind == ModelKind::encoder;
    const bool reads = architecture.kind == ModelKind::decoder && reading.task == Task::inference &&
                       !reading.output_tokens;
    // "llama and bge-m3 embeddings": of several models those that make vectors are meant.
    const bool asked = reading.embeds && reading.beside.empty();
    if (!reads || !(asked || architecture.makes_vectors)) {
        return;
    }
    reading.embeds = reading.answers_at_once = true;
    reading.output_tokens = 0;
    assume(reading, "output_tokens", "0",
           "vectors are read off the last token: nothing is written");
}

/// "10M descriptions of 200 tokens each": what lies there is read, and something is written to it.
void suit_to_pile(Reading& reading, const Architecture& architecture) {
    if (reading.task == Task::inference && architecture.kind == ModelKind::decoder &&
        reading.samples && reading.sequence && !reading.input_tokens && !reading.embeds) {
        reading.input_tokens = std::exchange(reading.sequence, {});
    }
}

/// What classifies, finds or makes vectors answers as many at once as arrive together: throughput
/// is that of batches, unless each answer is waited for. Frames are of each camera.
void suit_to_one_pass(Reading& reading, const Architecture& architecture) {
    const bool frames = asks(reading, "frames");
    const bool one_pass = architecture.kind == ModelKind::image ||
                          architecture.kind == ModelKind::encoder ||
                          (reading.embeds && architecture.kind == ModelKind::decoder);
    if (reading.task == Task::train || !one_pass) {
        return;
    }
    reading.answered_in_one_pass = true;
    const bool waited_for = frames || asks(reading, "latency") || asks(reading, "ttft") ||
                            asks(reading, "one_at_a_time");
    const bool paced = reading.requests_per_s.has_value() && reading.intent != Intent::duration;
    reading.in_batches = !reading.concurrency && (paced || !waited_for);
}

/// On more cards than a schedule has pictures of a step each has one.
void suit_schedule_to_count(Reading& reading) {
    AssumedField* batch = assumed_of(reading, "batch");
    if (batch != nullptr && batch->why == reading::of_schedule &&
        reading.count.value_or(1) > reading.batch.value_or(0)) {
        reading.batch = reading.count;
        batch->value = std::to_string(*reading.batch);
        batch->why = "a picture of a step on each card, more than the schedule has";
    }
}

/// Utterances of LibriSpeech last 12.3 s on average (960 hours, 281,241 of them): what is listed
/// with shorter ones hears as long as these.
void suit_to_utterances(Reading& reading, const Architecture& architecture) {
    constexpr double mean_s = 12.3;
    const double usual = usual_audio_seconds(architecture);
    if (usual > 0 && usual < mean_s && reading.dataset == "librispeech" &&
        reading.task == Task::train && !reading.clip_s) {
        reading.clip_s = mean_s;
        assume(reading, "audio_seconds", fmt::format("{:g}", mean_s),
               "the mean utterance of LibriSpeech");
    }
}

}  // namespace

void suit_to_network(Reading& reading, const Architecture& architecture, const Profiles& profiles) {
    suit_schedule_to_count(reading);
    suit_to_utterances(reading, architecture);
    // "at 1024": a length of texts, a side of pictures.
    // What stands for another network has the side that its row gives.
    const bool sides = usual_image_size(architecture) > 0;
    if (reading.sequence && (sides || architecture.reads_images())) {
        reading.image_size = reading.image_size.value_or(*std::exchange(reading.sequence, {}));
        forget_assumed(reading, "sequence");
        read_part_of_enlarged(reading);
    }
    // Two stacks share the name TensorRT: one of language models and one of networks.
    if (reading.framework == "trtllm" &&
        (has_program(architecture) || architecture.reads_images())) {
        reading.framework = "tensorrt";
    }
    suit_to_sides(reading, architecture);
    suit_to_clip(reading, architecture);
    const bool patches = architecture.reads_images() &&
                         reading.image_size.value_or(0) >= architecture.stacks.front().patch;
    if (reading.image_size && !patches &&
        (!has_program(architecture) || usual_image_size(architecture) == 0)) {
        assume(reading, "image_size", std::to_string(*reading.image_size),
               "the model's own size is estimated");
        reading.image_size.reset();
    }
    suit_to_host(reading, architecture, profiles);
    suit_to_files(reading, architecture, profiles);
    suit_to_pile(reading, architecture);
    const double clip_s = usual_audio_seconds(architecture);
    if (clip_s > 0 && reading.audio_s && !reading.samples) {
        reading.samples = *reading.audio_s / clip_s;
        reading.task = reading.task.value_or(Task::train);
        reading.epochs = reading.epochs.value_or(1);
        assume(reading, "samples", fmt::format("{:.0f}", *reading.samples),
               fmt::format("utterances of {:g} s, the model's own", clip_s));
    }
    if (reading.audio_s && clip_s <= 0 && !architecture.reads_sound() && !reading.samples) {
        assume(reading, "audio_s", fmt::format("{:g} h", *reading.audio_s / 3600),
               "its samples are segments drawn from the recordings: the steps of the run make its "
               "length");
    }
    if (architecture.reads_sound()) {
        reading.hears = true;
        suit_to_speech(reading, profiles);
    } else if (architecture.kind == ModelKind::diffusion) {
        suit_to_diffusion(reading, architecture);
        share_clips(reading, architecture);
        if (architecture.network) {
            tell_picture(reading, architecture);
        }
    }
    suit_to_vectors(reading, architecture);
    suit_to_one_pass(reading, architecture);
    if (architecture.kind == ModelKind::encoder) {
        suit_to_encoder(reading, architecture);
    }
    const bool image = architecture.kind == ModelKind::image || architecture.reads_images();
    if (!has_program(architecture) && !image && reading.dataset.empty()) {
        return;
    }
    const bool trains = reading.task != Task::inference;
    if (trains && reading.method.empty() && architecture.kind != ModelKind::diffusion) {
        reading.method = "full";
        assume(reading, "method", "full", "networks of this kind are trained whole");
    }
    if (trains && architecture.kind == ModelKind::gan && reading.framework.empty() &&
        reading.model.starts_with("stylegan")) {
        reading.framework = "stylegan3";
        assume(reading, "framework", reading.framework,
               "its authors' code, the four largest sizes in fp16; in fp32, as the first code of "
               "StyleGAN2 has it, about twice as long: --compute fp32");
    }
    reading.counts_samples = true;
}

}  // namespace ridgeline
