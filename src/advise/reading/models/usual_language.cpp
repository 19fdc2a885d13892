#include "advise/reading/models/usual_language.h"

#include "advise/reading/models/steps.h"
#include "advise/reading/words/sentence.h"
#include "estimate/families/transformer/parameters.h"

#include <algorithm>
#include <optional>
#include <utility>

// A language model that is spoken of without a name or a size beside another: "a pc for llms and
// stable diffusion".

namespace ridgeline::reading {
namespace {

constexpr std::string_view usual_size = "8b";

bool is_language_model(std::string_view word) { return is_any(word, "llm llms"); }

/// Whether the model writes text; a size alone is that of one that does.
bool writes_text(const Sentence& sentence, const std::string& id) {
    const auto model =
        sentence.vocabulary.architecture ? sentence.vocabulary.architecture(id) : std::nullopt;
    return parameters_in(id).has_value() || !model || model->kind == ModelKind::decoder;
}

/// Where the model that is named stands: by its name, else by the task that it was taken for.
std::optional<std::size_t> place_of_model(const Sentence& sentence) {
    if (sentence.model_end > sentence.model_at) {
        return sentence.model_at;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (names_usual_model(sentence, i)) {
            return i;
        }
    }
    return std::nullopt;
}

/// "llm + some sd", "sdxl and local llms": nothing but words that join them between the two.
bool are_joined_by(const Sentence& sentence, std::size_t from, std::size_t to) {
    const std::size_t begin = from > 0 ? sentence.tokens[from - 1].end : 0;
    const std::size_t length = std::max(sentence.tokens[to].begin, begin) - begin;
    bool joined = sentence.text.substr(begin, length).find(',') != std::string::npos;
    for (std::size_t i = from; i < to; ++i) {
        const bool joins = is_any(sentence.word(i), "and & + plus with");
        joined = joined || joins;
        if (!joins && !is_any(sentence.word(i),
                              "some a an the bit of also local occasional running run models model "
                              "small light doing maybe well as for stable diffusion image video "
                              "generation")) {
            return false;
        }
    }
    return joined;
}

/// Beside a model that makes pictures or reads sound: a language model is another work.
bool add_beside_model(Sentence& sentence, std::size_t at) {
    Reading& reading = sentence.reading;
    // "llm and flux on 48GB": whether a memory holds them is asked of what is named.
    if (reading.memory_gib && sentence.mentions.empty()) {
        return false;
    }
    const auto place = place_of_model(sentence);
    const bool written = writes_text(sentence, reading.model) ||
                         std::ranges::any_of(sentence.other_models, [&](const auto& other) {
                             return writes_text(sentence, other.first);
                         });
    if (!place || written || reading.kernel ||
        !are_joined_by(sentence, std::min(*place, at) + 1, std::max(*place, at))) {
        return false;
    }
    std::pair<std::string, std::size_t> other{usual_size, at};
    if (at < *place) {
        other = {std::exchange(reading.model, std::string(usual_size)), *place};
        sentence.model_at = at;
    } else {
        sentence.model_at = *place;
    }
    sentence.model_end = sentence.model_at + 1;
    reading.model_known = true;
    sentence.other_models.insert(sentence.other_models.begin(), std::move(other));
    sentence.assume("language_model", std::string(usual_size),
                    "a small one, as no size was said: name one, as 32b");
    return true;
}

}  // namespace

bool settle_language_model(Sentence& sentence) {
    const auto word = std::ranges::find_if(
        sentence.tokens, [](const Token& token) { return is_language_model(token.text); });
    return word != sentence.tokens.end() && !sentence.reading.model.empty() &&
           add_beside_model(sentence, static_cast<std::size_t>(word - sentence.tokens.begin()));
}

}  // namespace ridgeline::reading
