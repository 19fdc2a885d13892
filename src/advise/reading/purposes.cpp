#include "advise/reading/model_words.h"
#include "advise/reading/names.h"
#include "advise/reading/sentence.h"
#include "base/text.h"

#include <algorithm>

// The best model for a purpose that names of models tell: "best coding model on one 4080".

namespace ridgeline::reading {
namespace {

bool is_code_word(std::string_view word) {
    return is_any(word, {"coding", "code", "programming", "coder", "codegen"});
}

/// Models whose names say that they are made for code.
std::vector<std::string> models_of_code(const Sentence& sentence) {
    std::vector<std::string> found;
    for (const std::string& id : sentence.vocabulary.profiles.model_ids) {
        const auto pieces = model_pieces(id);
        const bool code = std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
            return is_any(piece, {"coder", "code", "codellama", "codegemma",
                                  "codestral", "devstral"}) ||
                   piece.starts_with("starcoder");
        });
        if (code) {
            found.push_back(id);
        }
    }
    return found;
}

/// A degree or a question word within three tokens before a purpose, and a model behind it.
bool asks_for_one(const Sentence& sentence, std::size_t at) {
    bool wanted = false;
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
        wanted = wanted || is_any(sentence.word(at - back),
                                  {"best", "good", "strongest", "smartest", "biggest", "largest", "top",
                                   "which", "what", "better", "decent"});
    }
    for (std::size_t i = at + 1; i < at + 3 && sentence.follows(i); ++i) {
        if (is_any(sentence.word(i), {"model", "models", "llm", "llms"})) {
            return wanted;
        }
    }
    return false;
}

/// "at decent speed": faster than one reads.
void settle_pace(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool pace = is_any(sentence.word(i), {"speed", "speeds", "pace", "fast"});
        const bool usable = is_any(sentence.word(i - 1), {"decent", "usable", "good", "reasonable", "ok",
                                                          "okay", "acceptable", "comfortable", "fair"});
        if (pace && usable && !sentence.reading.tpot_s) {
            constexpr double reading_pace_s = 0.1;
            sentence.reading.tpot_s = reading_pace_s;
            sentence.assume("tpot_s", "0.1", "\"" + std::string(sentence.word(i - 1)) + " " +
                                                 std::string(sentence.word(i)) +
                                                 "\" was taken as 10 tokens a second, faster than one reads");
        }
    }
}

}  // namespace

void recognise_purposes(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool hardware = !sentence.mentions.empty() || reading.memory_gib;
    if (!reading.model.empty() || !hardware || !reading.family_models.empty()) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!is_code_word(sentence.word(i)) || !asks_for_one(sentence, i)) {
            continue;
        }
        reading.family_models = models_of_code(sentence);
        if (reading.family_models.empty()) {
            return;
        }
        reading.family = std::string(sentence.word(i)) + " model";
        sentence.assume("model", reading.family,
                        "models of the profiles whose names say so are tried, the largest that fits is told");
        sentence.marks.push_back({Means::ask, "largest_model", i, 1});
        sentence.claim(i);
        settle_pace(sentence);
        return;
    }
}

}  // namespace ridgeline::reading
