#include "advise/reading/models/steps.h"
#include "advise/reading/words/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

// "A video diffusion model of 2B": a size alone is a language model elsewhere. Beside such words it
// is a known denoiser of about that size, or none: what it takes follows from its shape and its
// pictures, not from its parameters.

namespace ridgeline::reading {
namespace {

struct Denoiser {
    std::string_view model;
    double parameters;
    bool video;
    bool transformer;
};

/// Those of the profiles that stand for a size, without text encoders. LTX-Video is none: its
/// autoencoder leaves a tenth of the tokens that others have of a clip.
constexpr std::array denoisers = {
    Denoiser{"ddpm-cifar10-unet", 36e6, false, false},
    Denoiser{"pixart-sigma-transformer", 0.61e9, false, true},
    Denoiser{"dit-xl-2", 0.675e9, false, true},
    Denoiser{"sd-1.5-unet", 0.86e9, false, false},
    Denoiser{"sana-1.6b-transformer", 1.6e9, false, true},
    Denoiser{"sd3-medium-transformer", 2.03e9, false, true},
    Denoiser{"sdxl-unet", 2.57e9, false, false},
    Denoiser{"sd3.5-medium-transformer", 2.47e9, false, true},
    Denoiser{"flux.2-klein-base-4b-transformer", 3.9e9, false, true},
    Denoiser{"sd3.5-large-transformer", 8.06e9, false, true},
    Denoiser{"flux.1-dev-transformer", 11.9e9, false, true},
    Denoiser{"flux.2-dev-transformer", 32e9, false, true},
    Denoiser{"wan2.1-t2v-1.3b-transformer", 1.42e9, true, true},
    Denoiser{"cogvideox-2b-transformer", 1.69e9, true, true},
    Denoiser{"wan2.2-ti2v-5b-transformer", 5e9, true, true},
    Denoiser{"cogvideox-5b-transformer", 5.57e9, true, true},
    Denoiser{"hunyuanvideo-1.5-480p-transformer", 8.3e9, true, true},
    Denoiser{"mochi-transformer", 10e9, true, true},
    Denoiser{"hunyuanvideo-transformer", 12.8e9, true, true},
    Denoiser{"wan2.1-t2v-14b-transformer", 14.3e9, true, true},
};

/// Tokens from `at` on that name a network which makes pictures or clips; 0: none do.
std::size_t denoiser_words_at(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view next = sentence.follows(at + 1) ? sentence.word(at + 1) : "";
    if (is_any(word, "diffusion dit t2v i2v")) {
        return is_any(next, "transformer transformers model models network unet") ? 2 : 1;
    }
    const bool makes = is_any(next, "generation generator generators generating synthesis");
    if (is_any(word, "video image picture videos images pictures") && makes) {
        return is_any(sentence.word(at + 2), "model models network transformer") ? 3 : 2;
    }
    return 0;
}

/// A number of parameters at token `at` and its tokens: "2b", "2 billion".
std::pair<double, std::size_t> told_parameters(const Sentence& sentence, std::size_t at) {
    if (!sentence.open(at)) {
        return {0, 0};
    }
    std::size_t length = 1;
    double parameters = parameters_in(sentence.word(at)).value_or(0);
    if (parameters == 0 && sentence.follows(at + 1) &&
        is_any(sentence.word(at + 1), "billion million")) {
        const auto measure = measure_at(sentence, at);
        parameters = measure && measure->scaled ? measure->value : 0;
        length = measure ? measure->length : 1;
    }
    while (sentence.follows(at + length) &&
           is_any(sentence.word(at + length), "parameter parameters params param")) {
        ++length;
    }
    return {parameters, length};
}

/// Whether between two tokens stand only words of one name: "2B text to video diffusion".
bool joins_to_denoiser(const Sentence& sentence, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        if (!is_any(sentence.word(i),
                    "video image text to latent conditional of with a an the model "
                    "models transformer network unet our own custom new size sized "
                    "scale about around roughly ~ flow matching generation "
                    "generative foundation dit diffusion")) {
            return false;
        }
    }
    for (std::size_t i = from; i <= to && i < sentence.tokens.size(); ++i) {
        if (sentence.tokens[i].gap == Gap::stop) {
            return false;
        }
    }
    return true;
}

/// The nearest in size, a transformer where one is named.
const Denoiser& nearest_denoiser(double parameters, bool video, bool transformer) {
    const auto apart = [&](const Denoiser& each) {
        const bool other = each.video != video || (transformer && !each.transformer);
        return std::abs(std::log(each.parameters / parameters)) + (other ? 1e3 : 0);
    };
    return *std::ranges::min_element(denoisers, {}, apart);
}

void take_denoiser(Sentence& sentence, double parameters) {
    const bool video = sentence.any_word("video videos clip clips footage film films t2v i2v");
    const bool transformer = sentence.any_word("transformer transformers dit");
    const Denoiser& near = nearest_denoiser(parameters, video, transformer);
    const std::string_view made = video ? "video" : "pictures";
    constexpr double alike = 1.35;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    const bool is_near = std::abs(std::log(near.parameters / parameters)) <= std::log(alike) &&
                         std::ranges::find(known, near.model) != known.end();
    if (!is_near) {
        sentence.fail(
            fmt::format("a diffusion model of {:.3g} billion parameters for {} is none that is "
                        "known: what it takes follows from its shape and its {}, not from its size",
                        parameters / 1e9, made, video ? "clips" : "pictures"),
            fmt::format("The nearest that is known is \"{}\" with {:.3g} billion: name it for a "
                        "first figure.",
                        near.model, near.parameters / 1e9));
        return;
    }
    sentence.reading.model = near.model;
    sentence.reading.model_known = true;
    sentence.assume("model", sentence.reading.model,
                    fmt::format("a known model of {} of about that size ({:.3g} billion): another "
                                "shape takes another time",
                                made, near.parameters / 1e9));
    // A network of one's own size has no weights that adapters could stand on.
    if (sentence.any_word("train training pretrain pretraining") &&
        !sentence.any_word(
            "lora qlora adapter adapters dreambooth tune tuning finetune finetuning")) {
        sentence.marks.push_back({Means::train, "full", 0, 0});
    }
}

}  // namespace

void recognise_sized_diffusion(Sentence& sentence) {
    if (!sentence.reading.model.empty() || sentence.reading.kernel ||
        sentence.any_word("llm llms language chat llada text-only")) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto [parameters, length] = told_parameters(sentence, i);
        for (std::size_t k = 0; parameters > 1e7 && k < sentence.tokens.size(); ++k) {
            const std::size_t named = denoiser_words_at(sentence, k);
            const bool before =
                named > 0 && k + named <= i && joins_to_denoiser(sentence, k + named, i);
            const bool behind =
                named > 0 && i + length <= k && joins_to_denoiser(sentence, i + length, k);
            if (!before && !behind) {
                continue;
            }
            const std::size_t from = before ? k : i;
            const std::size_t to = before ? i + length : k + named;
            for (std::size_t at = from; at < to; ++at) {
                sentence.claim(at);
            }
            take_denoiser(sentence, parameters);
            return;
        }
    }
}

}  // namespace ridgeline::reading
