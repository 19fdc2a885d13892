#include "data/workload_sections.h"

#include "base/lists.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgeline {
namespace {

/// Other words for the length of sound.
void read_sound(Reader& batch, WorkloadDocument& document) {
    constexpr Range seconds{1e-3, 1e6};
    for (const char* mean : {"audio_seconds_mean", "chunk_seconds"}) {
        if (const auto stated = batch.optional_number(mean, seconds)) {
            document.audio_seconds = stated;
        }
    }
    // The longest utterance pads its batch; buckets by length keep that small.
    batch.optional_number("audio_seconds_max", seconds);
    constexpr double sampling_rate = 22'050;
    if (const auto stated = batch.optional_number("audio_samples", {1, 1e9})) {
        document.audio_seconds = *stated / sampling_rate;
    }
    constexpr double frames_per_second = 100;
    const auto features = batch.optional_number("feature_frames", {1, 1e9});
    if (features && !document.audio_seconds) {
        document.audio_seconds = *features / frames_per_second;
    }
}

/// Parts that leave the accelerator between their uses, and gradients that leave it at once.
void read_other_offload(Reader& offload, WorkloadDocument& document) {
    const auto moved = [&offload](const char* key) {
        const auto to = offload.optional_text(key);
        if (to && *to != "cpu" && *to != "none") {
            offload.fail(key, "found \"" + printable(*to) + "\", expected \"cpu\" or \"none\"");
        }
        return to == "cpu";
    };
    if (moved("model")) {
        document.offload_parameters = OffloadTarget::cpu;
    }
    // What the host steps on is copied there as the backward pass makes it.
    if (moved("gradients")) {
        document.optimizer_in_backward = true;
    }
    if (moved("text_encoder") && !document.offload_parameters) {
        document.cached_conditions = true;
    }
}

/// How a denoising step is spread: "ulysses2 ring2 cfg2 pipefusion2" in any mixture.
void read_sequence_ranks(Reader& parallel, WorkloadDocument& document) {
    const auto words = parallel.optional_text("sequence");
    if (!words) {
        return;
    }
    int ranks = 1;
    for (const std::string& word : split(*words, ' ')) {
        const auto digit = word.find_first_of("0123456789");
        const std::string name = word.substr(0, digit);
        constexpr std::array known = {"ulysses", "ring", "cfg", "pipefusion"};
        const bool named = is_among(name, known);
        const double count =
            digit == std::string::npos ? 0 : number_with_suffix(word.substr(digit)).value_or(0);
        if (word == "none" || word.empty()) {
            continue;
        }
        if (!named || !(count >= 1) || count * ranks > 1e6) {
            parallel.fail("sequence",
                          fmt::format("found \"{}\", expected words such as \"ulysses2 cfg2\"",
                                      printable(word)));
            return;
        }
        ranks *= static_cast<int>(count);
        StepSplit& split = document.split;
        int* const part = name == "cfg"          ? &split.guidance
                          : name == "ring"       ? &split.ring
                          : name == "pipefusion" ? &split.patches
                                                 : nullptr;
        if (part != nullptr) {
            *part *= static_cast<int>(count);
        }
    }
    if (ranks > 1) {
        document.context = document.context.value_or(1) * ranks;
    }
}

/// Phases of speech recognition: the encoder's pass, or the decoder's for so many hypotheses of one
/// window.
void read_speech_phase(Reader& batch, WorkloadDocument& document) {
    batch.optional_number("audio_frames", {1, 1e9});
    const auto context = batch.optional_number("context_tokens", {0, 1e9});
    const auto texts = batch.optional_number("decoded_tokens", {1, 1e6});
    const std::string phase = document.phase.value_or("");
    if (document.task != Task::inference || document.serving ||
        (phase != "encode" && !phase.starts_with("decode"))) {
        return;
    }
    Serving serving;
    serving.phase = phase == "encode" ? ServingPhase::prefill : ServingPhase::decode;
    serving.input_tokens = phase == "encode" ? 1500 : context.value_or(0);
    serving.output_tokens = 1;
    serving.concurrency = texts.value_or(1);
    if (texts && !document.beam && phase != "encode") {
        document.beam = static_cast<int>(*texts);
    }
    document.serving = serving;
}

/// Who scores the answers, and the engine that writes them.
void read_scorers(Reader& section, WorkloadDocument& document) {
    PreferenceTuning tuning = document.preference.value_or(PreferenceTuning{});
    for (const auto& [key, member] : {std::pair("critic", &PreferenceTuning::critic),
                                      std::pair("reward_model", &PreferenceTuning::reward_model)}) {
        if (section.is_text(key)) {
            tuning.*member = section.text(key);
        } else if (section.has(key)) {
            section.ignore(key);
            tuning.*member = "none";
        }
    }
    if (auto engine = section.optional_object("generation")) {
        engine->optional_text("engine");
        tuning.rollout_tensor = engine->integer_or("tensor", 0, {1, 1e6});
        engine->integer_or("pipeline", 1, {1, 1e6});
        const auto precision = engine->optional_text("precision");
        tuning.rollout_fp8 = precision && *precision == "fp8";
        if (precision && !tuning.rollout_fp8 && *precision != "bf16" && *precision != "fp16") {
            engine->fail("precision", "found \"" + printable(*precision) +
                                          "\", expected \"bf16\", \"fp16\" or \"fp8\"");
        }
        engine->reject_unknown();
    }
    if (section.has("staleness_threshold")) {
        tuning.staleness = section.number("staleness_threshold", {0, 1e6}) > 0 ? 1 : 0;
    }
    // How weights travel and how long the run is: neither changes a round.
    section.optional_boolean("checkpoint_engine");
    section.optional_number("steps", {1, 1e9});
    document.preference = tuning;
}

}  // namespace

void read_recompute(Reader& top, WorkloadDocument& document) {
    Reader recompute = top.object("recompute");
    document.recompute = RecomputeMode::full;
    constexpr Range layers{0, 1e6};
    if (!recompute.has("segment_layers")) {
        document.full_recompute_layers = recompute.integer("full_layers", layers);
        recompute.reject_unknown();
        return;
    }
    // Segments of a few layers that are computed again one by one: all layers, unless a stride
    // leaves some of them out between segments.
    const int segment = recompute.integer("segment_layers", {1, 1e6});
    const int stride = recompute.integer_or("stride", segment, {1, 1e6});
    document.recompute_share = std::min(1.0, 1.0 * segment / stride);
    recompute.reject_unknown();
}

/// A side, or [height, width], or [depth, height, width].
void read_image_sides(Reader& batch, WorkloadDocument& document) {
    const std::vector<double> sides = batch.numbers("image_size", {1, 65'536});
    if (sides.size() != 2 && sides.size() != 3) {
        batch.fail("image_size", "expected a side, [height, width] or [depth, height, width]");
        return;
    }
    document.image_size = static_cast<int>(sides.back());
    document.image_height = static_cast<int>(sides[sides.size() - 2]);
    if (sides.size() == 3) {
        document.image_depth = static_cast<int>(sides.front());
    }
}

void read_other_words(std::string_view name, Reader& section, WorkloadDocument& document) {
    if (name == "software") {
        if (section.optional_boolean("streams_weights_from_host").value_or(false)) {
            document.offload_parameters = OffloadTarget::cpu;
        }
        // Layers of a style generator that run in half precision: the compute type says it already.
        section.optional_integer("high_resolution_fp16_layers");
    } else if (name == "lora") {
        // Kronecker products hold no more weights than low ranks do.
        const auto kind = section.optional_text("kind");
        if (kind && *kind != "lora" && *kind != "lokr") {
            section.fail("kind",
                         "found \"" + printable(*kind) + "\", expected \"lora\" or \"lokr\"");
        }
    } else if (name == "parallel") {
        // Tables of a recommender are always cut over the ranks; the word says so.
        section.optional_text("embedding");
        read_sequence_ranks(section, document);
    } else if (name == "offload") {
        read_other_offload(section, document);
    } else if (name == "rl") {
        read_scorers(section, document);
    } else if (name == "batch") {
        read_sound(section, document);
        read_speech_phase(section, document);
    }
}

}  // namespace ridgeline
