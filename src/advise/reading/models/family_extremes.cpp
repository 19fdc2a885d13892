#include "advise/reading/models/family_extremes.h"

#include "advise/reading/models/model_words.h"
#include "advise/reading/words/names.h"

#include <algorithm>

// The largest of a family, or of the mixtures of experts.

namespace ridgeline::reading {
namespace {

/// Whether a model of that id is a network of pictures or of sound, whose sizes are letters, words
/// or depths: "vit-l-16", "whisper-small", "resnet-152".
bool is_network(const Sentence& sentence, const std::string& id) {
    const auto model =
        sentence.vocabulary.architecture ? sentence.vocabulary.architecture(id) : std::nullopt;
    return model &&
           (model->kind == ModelKind::image || model->reads_images() || model->reads_sound());
}

/// Sizes of the family whose name, without a size, stands at `noun` ("biggest qwen").
std::vector<std::string> sizes_of_family(const Sentence& sentence, std::size_t noun) {
    const bool hardware = !sentence.mentions.empty() || sentence.reading.memory_gib;
    if (!hardware || sentence.reading.model.empty() || noun != sentence.model_at ||
        sentence.model_end <= noun) {
        return {};
    }
    std::vector<std::string> said;
    for (std::size_t i = noun; i < sentence.model_end; ++i) {
        for (std::string& piece : model_pieces(sentence.word(i))) {
            said.push_back(std::move(piece));
        }
    }
    std::erase_if(said, is_release_word);
    if (said.empty() || has_size(said)) {
        return {};
    }
    const auto models = sentence.names.models_by_family.find(said.front());
    const auto is_of = [&](const std::string& id, ModelKind kind) {
        const auto model =
            sentence.vocabulary.architecture ? sentence.vocabulary.architecture(id) : std::nullopt;
        return model && model->kind == kind;
    };
    bool denoisers = false;
    bool writers = false;  // "qwen" names models of pictures beside those of text
    std::vector<std::string> sizes;
    if (models != sentence.names.models_by_family.end()) {
        for (const Names::Model& model : models->second) {
            const bool all = std::ranges::all_of(said, [&](const std::string& piece) {
                return std::ranges::find(model.pieces, piece) != model.pieces.end();
            });
            if (all && (has_size(model.pieces) || is_network(sentence, model.id))) {
                sizes.push_back(model.id);
            }
            denoisers = denoisers || (all && is_of(model.id, ModelKind::diffusion));
            writers = writers || (all && is_of(model.id, ModelKind::decoder));
        }
    }
    if (denoisers && !writers) {  // its autoencoder and text encoders are parts of each
        std::erase_if(sizes,
                      [&](const std::string& id) { return !is_of(id, ModelKind::diffusion); });
    }
    return sizes.size() > 1 ? sizes : std::vector<std::string>();
}

}  // namespace

bool is_degree(const Sentence& sentence, std::size_t i) {
    const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
    if (before == "how") {
        return is_any(sentence.word(i), "far high big large long much many");
    }
    if (sentence.word(i) == "size" && is_any(before, "what which")) {
        return is_any(sentence.word(i + 1), "model models llm llms of");
    }
    if (before == "upper") {
        return is_any(sentence.word(i), "limit bound end");
    }
    return is_any(sentence.word(i),
                  "max maximum largest biggest longest highest greatest most beefiest heftiest "
                  "fattest strongest smartest maximal top ceiling "
                  "widest deepest");
}

bool match_family_extreme(Sentence& sentence, std::size_t at, std::size_t noun) {
    const std::string_view word = sentence.word(at);
    const bool which =
        is_any(word, "which what") && noun == at + 1 &&
        is_any(sentence.word(sentence.model_end), "fit fits can could should would will runs");
    const bool other = is_any(word, "far long much many");  // "how long does wav2vec2 base take"
    if (!which && word != "best" && (other || !is_degree(sentence, at))) {
        return false;
    }
    std::vector<std::string> sizes = sizes_of_family(sentence, noun);
    if (sizes.empty()) {
        return false;
    }
    Reading& reading = sentence.reading;
    // "longest wan 2.2 clip": of clips, by the usual model of that name.
    const std::size_t end = sentence.model_end;
    const bool clip = is_any(word, "longest max maximum") && sentence.follows(end) &&
                      is_any(sentence.word(end), "clip clips video videos footage");
    if (clip) {
        sentence.marks.push_back({Means::ask, "largest_frames", at, 1});
        sentence.claim(at);
        sentence.claim(end);
        return true;
    }
    for (std::size_t i = noun; i < sentence.model_end; ++i) {
        reading.family += (reading.family.empty() ? "" : " ") + std::string(sentence.word(i));
    }
    forget_assumed(reading, "model");
    sentence.assume("model", reading.family + "*", "each size of it is tried");
    reading.model.clear();
    reading.family_of_networks =
        std::ranges::all_of(sizes, [&](const std::string& id) { return is_network(sentence, id); });
    reading.family_models = std::move(sizes);
    sentence.marks.push_back({Means::ask, "largest_model", at, 1});
    sentence.claim(at);
    return true;
}

void match_experts(Sentence& sentence) {
    Reading& reading = sentence.reading;
    bool experts = sentence.any_word("moe moes");
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        if (sentence.word(i) == "mixture" && sentence.word(i + 1) == "of" &&
            sentence.word(i + 2) == "experts") {
            experts = true;
            sentence.claim(i, 3);
        }
    }
    const bool asked = sentence.asks("largest_model") || sentence.asks("what_can") ||
                       sentence.asks("superlative") ||
                       sentence.any_word("largest biggest best greatest which what");
    const bool hardware = !sentence.mentions.empty() || reading.memory_gib;
    if (!experts || !asked || !hardware || !reading.model.empty() ||
        !reading.family_models.empty()) {
        return;
    }
    reading.family = "mixture of experts";
    reading.experts_only = true;
    reading.family_models = sentence.vocabulary.profiles.model_ids;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "moe moes")) {
            sentence.claim(i);
            sentence.marks.push_back({Means::ask, "largest_model", i, 1});
        }
    }
    sentence.marks.push_back({Means::ask, "largest_model", 0, 1});
    sentence.assume("model", "any mixture of experts", "each of the profiles is tried");
}

}  // namespace ridgeline::reading
