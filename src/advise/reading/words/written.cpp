#include "advise/reading/words/written.h"

// How long texts are, and what is written of them, where nobody said it.

namespace ridgeline::reading {
namespace {

/// A label, a grade or a yes in tokens.
constexpr int label_tokens = 8;

/// A sentence in subwords: 21 to 25 words in the test sets of WMT.
constexpr int sentence_tokens = 32;

}  // namespace

int usual_length(const Sentence& sentence) {
    struct Text {
        std::string_view words;
        int tokens;
    };
    static constexpr Text texts[] = {{"headline headlines title titles keyword keywords", 16},
                                     {"sentence sentences line lines", sentence_tokens},
                                     {"tweet tweets sms caption captions", 40},
                                     {"comment comments review reviews", 100},
                                     {"paragraph paragraphs ticket tickets email emails", 200},
                                     {"abstract abstracts", 300},
                                     {"page pages resume resumes cv cvs", 600},
                                     {"article articles essay essays post posts", 1024}};
    for (const Text& text : texts) {
        if (sentence.any_word(text.words)) {
            return text.tokens;
        }
    }
    return 0;
}

void settle_written(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto model = sentence.named_architecture();
    const bool writes = !model || (model->kind == ModelKind::decoder && !model->makes_vectors) ||
                        (model->kind == ModelKind::encoder_decoder && !model->reads_sound());
    if (reading.task != Task::inference || reading.output_tokens || reading.embeds ||
        reading.audio_s || !writes || reading.model.empty()) {
        return;
    }
    if (sentence.any_word("translate translates translating translation translations")) {
        const int told = usual_length(sentence);
        const bool sentences = model && model->kind == ModelKind::encoder_decoder;
        const int usual = told > 0    ? told
                          : sentences ? sentence_tokens
                                      : static_cast<int>(Serving{}.input_tokens);
        reading.input_tokens = reading.input_tokens.value_or(reading.sequence.value_or(usual));
        reading.sequence.reset();
        reading.output_tokens = reading.input_tokens;
        sentence.assume("output_tokens", std::to_string(*reading.output_tokens),
                        "a translation is about as long as what is read");
    } else if (sentence.any_word("classify classifying classification classifier label labels "
                                 "labeling labelling judge judging score scoring grade grading "
                                 "moderate moderation sentiment")) {
        reading.output_tokens = label_tokens;
        std::erase_if(reading.not_understood, [](const std::string& word) {
            return is_any(word, "score grade label judge moderate classify");
        });
        sentence.assume("output_tokens", std::to_string(label_tokens),
                        "a label or a score is a few tokens");
    }
}

}  // namespace ridgeline::reading
