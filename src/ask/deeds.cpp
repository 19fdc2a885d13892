#include "ask/deeds.h"

#include "advise/reading/words/sentence.h"
#include "ask/typed_words.h"

#include <algorithm>
#include <span>
#include <vector>

// Newcomers tell a verb and its object where others name a model. Words that nothing knows stand
// beside them ("my bakery"), and are told as not understood.

namespace ridgeline::ask {
namespace {

constexpr std::string_view makes_it =
    "generate generating make making create creating compose design draw produce";
constexpr std::string_view trains_it =
    "train training teach finetune finetuning tune tuning lora learn";
constexpr std::string_view pictures_of_it =
    "picture pictures photo photos image images pics painting paintings drawing drawings artwork";
constexpr std::string_view texts_of_it =
    "book books document documents contract contracts email emails page pages pdf pdfs text texts "
    "article articles report reports paper papers letter letters review reviews note notes manuals";

constexpr std::string_view hardware_or_cost =
    "gpu gpus card cards graphics hardware computer pc laptop notebook server machine rig setup "
    "nvidia amd vram ram need buy cost budget cheap cheapest local ai long assistant";

/// A word of each list; what is usual then. A field is told as assumed.
struct Deed {
    std::string_view any[3];  ///< an empty one asks for none
    std::string_view words;
    std::optional<Intent> intent{};
    std::string_view field{}, value{}, why{};
};
constexpr std::string_view usual_for_it = "no model was named: a usual one for such work";
// clang-format off
/// Before what is usual for models of language.
constexpr Deed early_deeds[] = {
    {{"free broke", trains_it, "student students learn learning beginner colab"}, ", does qlora of a 3b fit on free colab", Intent::fit},
    {{"money", "no without", "student students learn learning beginner"}, ", does qlora of a 3b fit on free colab", Intent::fit},
    {{"cheap cheapest", "learn student students beginner", "finetune finetuning tune tuning lora"}, ", qlora 3b, lowest hourly price", Intent::hardware, "model", "3b", class_for_tuning},
    {{makes_it, "song songs beats melody melodies jingles soundtrack soundtracks"}, ", musicgen"},
    {{"generate generating generation create creating compose", "music"}, ", musicgen"},
    {{"clone cloning", "voice voices"}, ", xtts"},
    {{"fold folding structure structures", "protein proteins"}, ", esmfold"},
    {{trains_it, pictures_of_it, "classify classifier recognise recognize identify distinguish sort tell"}, ", train resnet-50"},
    {{"detect detecting count counting find spot recognise recognize", "camera cameras cctv doorbell photos pictures images"}, ", run yolo11m"},
    {{trains_it, pictures_of_it}, ", sdxl lora", {}, "model", "sdxl-unet", usual_for_it},
    {{"turn convert type subtitle subtitles", "recordings recording interviews lectures meetings memos voice audio speech video videos films sermons", "text words subtitle subtitles"}, ", transcribe"},
    {{"caption captioning tag tagging describe describing keyword", pictures_of_it}, ", qwen2.5-vl-7b, 1200 tokens in 60 out", {}, "input_tokens", "1200", "a picture is about so many tokens, of which a few dozen are written"},
    {{"read reads reading extract extracts extracting ocr digitise digitize", "invoice invoices receipt receipts forms handwriting letters"}, ", serving qwen2.5-vl-7b, 1200 tokens in 300 out", Intent::hardware, "model", "qwen2.5-vl-7b", "no model was named: one that reads pictures of pages, of about 1200 tokens each"},
    {{"upscale upscaling enhance enlarge", pictures_of_it}, ", realesrgan-x4plus", {}, "model", "realesrgan-x4plus", usual_for_it},
    {{makes_it, "picture pictures images image art artwork logo logos posters avatars illustrations", "ai generate generating"}, ", run sdxl"},
    {{"makes creates", "video videos clips", "second seconds minute minutes"}, ", run wan2.1-t2v-14b"},
    {{makes_it, "video videos clips films movies animations", "ai second seconds minute minutes"}, ", run wan2.1-t2v-14b"},
};
/// Behind it.
constexpr Deed late_deeds[] = {
    {{"geforce nvidia", "amd radeon apple mac", "or vs versus"}, ", at home, 32b", Intent::hardware, "model", "32b", class_for_home},
    {{"translate translating summarise summarize summarising summarizing proofread extract search answer answers rewrite", texts_of_it}, ", serving 8b", {}, "model", "8b", class_for_text},
    {{"chatbot bot assistant", "website site shop store menu hotel restaurant clinic hospital patient patients"}, ", serving 8b to 10 users", Intent::hardware, "model", "8b", class_for_text},
    {{trains_it, texts_of_it, "long time cost costs much"}, ", lora of 8b", Intent::duration, "model", "8b", class_for_tuning},
    {{"homework tutor tutoring story stories recipe recipes talk talking chat", "kids children family private own card computer pc"}, ", at home, 8b", Intent::hardware, "model", "8b", class_for_text},
    {{"alexa siri jarvis assistant", "home house private own"}, ", at home, 8b", Intent::hardware, "model", "8b", class_for_text},
    {{"scratch", "laptop pc computer home", trains_it}, ", gpt2 on a 4060 laptop, chinchilla optimal", Intent::duration, "model", "gpt2", "the smallest that writes sentences, on a laptop's card: larger ones are tuned, not trained, at home"},
    {{"cost costs price prices expensive", "gpu gpus card cards computer pc", "ai llm llms"}, ", price to buy 5060 ti 16gb, 3090, 5090", Intent::price, "accelerators", "rtx-5060-ti-16gb, rtx-3090, rtx-5090", "no card was named: what many buy for it"},
    {{"vram", "lot little decent useful useless worth"}, ", what can i run", Intent::largest},
};
// clang-format on

/// GB of "8gb ram", "16 gb of ram"; 0: none is told.
double ram_told(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto gb = reading::amount_in(words[i]);
        std::size_t unit = i + (gb && gb->unit == "gb" ? 1 : 2);
        unit += unit < words.size() && words[unit] == "of" ? 1 : 0;
        if (gb && unit < words.size() && words[unit] == "ram" &&
            (gb->unit == "gb" || words[i + 1] == "gb")) {
            return gb->value;
        }
    }
    return 0;
}

/// Whether the work is open: neither a model nor anything else of it was read.
bool leaves_work_open(const Reading* reading) {
    if (reading == nullptr) {
        return true;
    }
    const Intent intent = reading->intent;
    // "a bot for a hotel": a noun that was taken for a model's name.
    const bool unnamed = reading->model.empty() ||
                         (!reading->model_known && reading->neighbour.starts_with("give a size"));
    return unnamed && reading->family_models.empty() && !reading->kernel &&
           !asks(*reading, "value") && !asks(*reading, "api") && reading->environment.empty() &&
           intent != Intent::describe && intent != Intent::price && intent != Intent::compare;
}

/// "want the ai to write like me": a model that is there is tuned on what one has written.
std::optional<Supplement> supplement_of_style(const TypedWords& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i - 1] == "like" && reading::is_any(words[i], "me myself") &&
            has_word_of(words,
                        "write writes writing talk talks sound sounds reply replies speak")) {
            return Supplement{
                ", qlora of 8b", std::nullopt, {"model", "8b", std::string(class_for_tuning)}};
        }
    }
    return std::nullopt;
}

/// "my laptop with 8gb ram": the memory of the computer bounds what it runs without a card.
std::optional<Supplement> supplement_of_ram(const std::vector<std::string>& words) {
    constexpr double of_system = 4;
    constexpr double gb_of_a_billion = 0.6;  // in q4_k_m
    const double left = ram_told(words) - of_system;
    if (left <= 0 || !has_word_of(words, "laptop notebook pc computer server") ||
        has_word_of(words, "vram")) {
        return std::nullopt;
    }
    int size = 4;
    for (const int larger : {8, 14, 32}) {
        size = gb_of_a_billion * larger <= 0.9 * left ? larger : size;
    }
    const std::string name = std::to_string(size) + "b";
    return Supplement{
        ", without a gpu, " + name + " in q4_k_m",
        Intent::fit,
        {"model", name, "no model was named: one that such a memory holds in 4 bits"}};
}

}  // namespace

std::optional<Supplement> supplement_of_deed(const std::string& question, const Reading* reading,
                                             bool early) {
    if (!leaves_work_open(reading)) {
        return std::nullopt;
    }
    const TypedWords words = typed_words(question);
    // "translate this contract to german" asks for the work itself; a kind of network is named.
    if (!has_word_of(words, hardware_or_cost) || has_word_of(words, "diffusion dit")) {
        return std::nullopt;
    }
    if (auto ram = !early && (reading == nullptr || reading->accelerators.empty())
                       ? supplement_of_ram(words)
                       : std::nullopt) {
        return ram;
    }
    if (auto style = early ? supplement_of_style(words) : std::nullopt) {
        return style;
    }
    const std::span<const Deed> deeds =
        early ? std::span<const Deed>(early_deeds) : std::span<const Deed>(late_deeds);
    const bool limited =
        reading != nullptr && (reading->budget_usd || reading->usd_per_hour ||
                               reading->usd_per_month || !reading->accelerators.empty());
    const auto deed = std::ranges::find_if(deeds, [&](const Deed& each) {
        // What was said of hardware or money is no matter of a usual card.
        const bool card = each.intent && each.field != "model";
        return !(card && limited) &&
               std::ranges::all_of(each.any, [&](auto list) { return has_word_of(words, list); });
    });
    return deed == deeds.end()
               ? std::nullopt
               : std::optional(Supplement{
                     std::string(deed->words),
                     deed->intent,
                     {std::string(deed->field), std::string(deed->value), std::string(deed->why)}});
}

}  // namespace ridgeline::ask
