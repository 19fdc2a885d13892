#include "advise/reading/models/model_words.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

// The best model for a purpose: "best coding model on one 4080", "best model for writing on 12 GB".

namespace ridgeline::reading {
namespace {

/// A purpose, and what the names of models that are made for it hold; none: every model may serve.
struct Purpose {
    std::string_view words;
    std::string_view pieces;
};
const Purpose purposes[] = {
    {"coding code programming coder codegen",
     "coder code codellama codegemma codestral devstral starcoder starcoder2"},
    {"vision multimodal vl vlm ocr", "vl vision llava pixtral internvl paligemma"},
    {"embedding embeddings", "bge gte e5 embed embedding minilm"},
    {"reasoning thinking maths math", ""},
    {"chat chatting chatbot roleplay rp writing storytelling story translation translating "
     "summarization summarizing summarisation "
     "summaries summary assistant agents agentic rag general language text creative uncensored "
     "local instruct business homework "
     "studying email emails",
     ""}};

const Purpose* purpose_of(std::string_view word) {
    for (const Purpose& purpose : purposes) {
        if (is_any(word, purpose.words)) {
            return &purpose;
        }
    }
    return nullptr;
}

/// Models whose names say that they are made for the purpose: their ids, and other names with a
/// size
/// ("qwen-2.5-coder-14b") of models of the same shape.
std::vector<std::string> models_for(const Sentence& sentence, const Purpose& purpose) {
    const auto made_for = [&](const std::vector<std::string>& pieces) {
        return std::any_of(pieces.begin(), pieces.end(),
                           [&](const std::string& piece) { return is_any(piece, purpose.pieces); });
    };
    std::set<std::string> found;
    for (const std::string& id : sentence.vocabulary.profiles.model_ids) {
        if (made_for(model_pieces(id))) {
            found.insert(id);
        }
    }
    for (const auto& [family, models] : sentence.names.models_by_family) {
        for (const Names::Model& model : models) {
            if (made_for(model.pieces) && !made_for(model_pieces(model.id)) &&
                is_size_piece(model.pieces.back())) {
                found.insert(fmt::format("{}", fmt::join(model.pieces, "-")));
            }
        }
    }
    return {found.begin(), found.end()};
}

bool is_model_word(std::string_view word) { return is_any(word, "model models llm llms"); }

/// Whether a degree or a question word stands within three tokens before token `at`.
bool degree_before(const Sentence& sentence, std::size_t at) {
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
        if (is_any(sentence.word(at - back),
                   "best good strongest smartest biggest largest top which what better decent")) {
            return true;
        }
    }
    return false;
}

/// "best coding model", "best model for writing": a degree, and a model before or behind the
/// purpose.
bool asks_for_one(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at + 1; i < at + 3 && sentence.follows(i); ++i) {
        if (is_model_word(sentence.word(i))) {
            return degree_before(sentence, at);
        }
    }
    for (std::size_t back = 2; back <= 3 && back <= at; ++back) {
        const bool joined =
            is_any(sentence.word(at - 1), "for to creative long role") && sentence.follows(at);
        if (joined && is_model_word(sentence.word(at - back))) {
            return degree_before(sentence, at - back);
        }
    }
    return false;
}

/// "at decent speed": faster than one reads.
void settle_pace(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool pace = is_any(sentence.word(i), "speed speeds pace fast");
        const bool usable =
            is_any(sentence.word(i - 1),
                   "decent usable good reasonable ok okay acceptable comfortable fair");
        if (pace && usable && !sentence.reading.tpot_s) {
            constexpr double reading_pace_s = 0.1;
            sentence.reading.tpot_s = reading_pace_s;
            sentence.assume("tpot_s", "0.1",
                            "\"" + std::string(sentence.word(i - 1)) + " " +
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
        const Purpose* purpose = purpose_of(sentence.word(i));
        if (purpose == nullptr || !asks_for_one(sentence, i)) {
            continue;
        }
        reading.family_models = models_for(sentence, *purpose);
        if (!reading.family_models.empty()) {
            // What is best at a purpose is run.
            const bool trains = sentence.any_word(
                "train training trained tune tuning finetune finetuning fine-tune fine-tuning lora "
                "qlora");
            if (!reading.task && !trains) {
                reading.task = Task::inference;
            }
            reading.family = std::string(sentence.word(i)) + " model";
            sentence.assume("model", reading.family,
                            "models of the profiles whose names say so are tried, the largest that "
                            "fits is told");
        } else if (!purpose->pieces.empty()) {
            sentence.assume("model", "a language model",
                            fmt::format("no model for {} is bundled: the part of it that is none "
                                        "of a language model comes on top",
                                        sentence.word(i)));
        }
        sentence.marks.push_back({Means::ask, "largest_model", i, 1});
        for (std::size_t k = i;
             k == i || (sentence.follows(k) && purpose_of(sentence.word(k)) != nullptr); ++k) {
            sentence.claim(k);  // "creative writing"
        }
        settle_pace(sentence);
        return;
    }
}

}  // namespace ridgeline::reading
