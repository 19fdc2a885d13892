#include "advise/reading/models/few_steps.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Networks that were distilled to make a picture in few steps: their number and the size are their
// own.

namespace ridgeline::reading {
namespace {

struct FewSteps {
    std::string_view word;
    std::string_view model;  ///< empty: of any that makes pictures
    int steps = 0;
    int side = 0;  ///< pixels of its pictures; 0: as the model it was made from
};

constexpr FewSteps distilled[] = {
    // Sauer et al. 2023 (arXiv 2311.17042); diffusers, "SDXL Turbo": 1 to 4 steps, guidance off,
    // 512 x 512
    {"turbo", "sdxl-unet", 1, 512},
    {"turbo", "sd-2.1-unet", 1, 512},  // stabilityai/sd-turbo, of the same paper
    {"turbo", "sd3.5-large-transformer", 4,
     0},  // stabilityai/stable-diffusion-3.5-large-turbo (assumed: its card was not opened)
    {"lightning", "sdxl-unet", 4,
     0},                      // Lin et al. 2024 (arXiv 2402.13929): 1, 2, 4 or 8 steps, 1024 x 1024
    {"lightning", "", 4, 0},  // lightx2v's LoRA for Wan 2.2 and Qwen-Image: 4 steps, no guidance
    {"lightx2v", "", 4, 0},   // (assumed: its cards were not opened)
    {"causvid", "", 4, 0},    // Yin et al. 2024 (arXiv 2412.07772): 4 steps
    {"lcm", "", 4,
     0},  // Luo et al. 2023 (arXiv 2311.05556), 2 to 8 steps, no guidance (assumed: not opened)
};

/// The steps and the size that nobody said; who trains such a network takes those of the model.
void take_distilled(Sentence& sentence, const FewSteps& few) {
    Reading& reading = sentence.reading;
    if (sentence.any_word("train training finetune finetuning tune tuning dreambooth")) {
        return;
    }
    if (!reading.steps) {  // filled when the intent is known: no length of a run
        sentence.assume("steps", std::to_string(few.steps),
                        fmt::format("what \"{}\" is made for", few.word));
    }
    if (few.side > 0) {
        reading.image_size = few.side;  // a size that is told stands behind it
        sentence.assume("image_size", std::to_string(few.side),
                        fmt::format("pixels that \"{}\" is made for", few.word));
    }
    sentence.assume(unguided, "1", fmt::format("steps of \"{}\" are not guided", few.word));
}

/// "1 step", "4-step": denoising steps of a picture.
void take_steps(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool counted = sentence.open(i) && all_digits(sentence.word(i)) &&
                             sentence.open(i + 1) && sentence.follows(i + 1) &&
                             is_any(sentence.word(i + 1), "step steps");
        const auto count = counted ? number_with_suffix(sentence.word(i)) : std::nullopt;
        constexpr double most_steps = 8;  // more are those of any model, or of a run
        if (count && *count >= 1 && *count <= most_steps) {
            sentence.reading.steps = *count;
            sentence.claim(i, 2);
        }
    }
}

}  // namespace

void recognise_few_steps(Sentence& sentence) {
    const auto model = sentence.named_architecture();
    if (!model || model->kind != ModelKind::diffusion) {
        return;
    }
    take_steps(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool named = i >= sentence.model_at && i < sentence.model_end;
        const auto* row =
            std::find_if(std::begin(distilled), std::end(distilled), [&](const FewSteps& each) {
                return each.word == sentence.word(i) &&
                       (each.model.empty() || each.model == sentence.reading.model);
            });
        if (row == std::end(distilled) || (!named && !sentence.open(i)) ||
            (i > 0 && sentence.word(i - 1) == "pytorch")) {
            continue;
        }
        take_distilled(sentence, *row);
        sentence.claim(i);
        if (sentence.open(i + 1) && sentence.follows(i + 1) && sentence.word(i + 1) == "lora") {
            sentence.claim(i + 1);  // that the steps are distilled into, none that is trained
        }
    }
}

}  // namespace ridgeline::reading
