#include "advise/reading/models/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"

#include <array>
#include <string>

// Stacks of speech whose names hold that of the model: "faster-whisper large-v2".

namespace ridgeline::reading {
namespace {

struct SpeechStack {
    std::string_view words;
    std::string_view id;
    bool one_word = false;  ///< apart, "openai whisper", they are the model and its maker
};

constexpr std::array speech_stacks = {SpeechStack{"faster-whisper", "faster-whisper"},
                                      SpeechStack{"faster whisper", "faster-whisper"},
                                      SpeechStack{"insanely-fast-whisper", "transformers"},
                                      SpeechStack{"insanely fast whisper", "transformers"},
                                      SpeechStack{"openai whisper", "openai-whisper", true},
                                      SpeechStack{"whisper.cpp", "whisper.cpp"},
                                      SpeechStack{"whisper cpp", "whisper.cpp"}};

/// The size that follows is one of Whisper; without one it is the usual model.
void take_whisper(Sentence& sentence, std::size_t at, std::size_t end) {
    const auto& known = sentence.names.models_by_key;
    std::string key = "whisper";
    std::string id = "whisper-large-v3";
    std::size_t last = end;
    for (std::size_t i = end; i < end + 3 && sentence.open(i) && sentence.follows(i); ++i) {
        key += sentence.word(i);
        if (const auto found = known.find(key); found != known.end()) {
            id = found->second;
            last = i + 1;
        }
    }
    sentence.claim(at, last - at);
    bool named = false;  // beside the stack
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        named = named || (sentence.open(i) && sentence.word(i) == "whisper");
    }
    if (!named && sentence.reading.model.empty()) {
        sentence.model_at = at;
        sentence.model_end = last;
        sentence.reading.model = id;
    }
}

/// "whisper large v2, faster-whisper": the model is named by itself.
bool names_whisper_elsewhere(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (i != at && sentence.open(i) && sentence.word(i) == "whisper") {
            return true;
        }
    }
    return false;
}

/// "a gru speech model", "train an lstm on librispeech": recurrent layers that hear are those of a
/// transducer, not of a model of text.
void take_recurrent_speech(Sentence& sentence) {
    if (!sentence.any_word("speech asr librispeech audio voice") ||
        sentence.any_word(
            "tacotron tacotron2 wav2vec wav2vec2 whisper rnnt rnn-t transducer tts")) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.open(i) && is_any(sentence.word(i), "lstm gru rnn") &&
            sentence.reading.model.empty()) {
            sentence.claim(i, sentence.word(i) == "rnn" && sentence.word(i + 1) == "t" ? 2 : 1);
            sentence.model_at = i;
            sentence.model_end = i + 1;
            sentence.reading.model = "rnnt-mlperf";
            sentence.assume("model", "rnnt-mlperf",
                            "of recurrent models that hear the one whose runs are published");
        }
    }
}

}  // namespace

void recognise_speech_stacks(Sentence& sentence) {
    take_recurrent_speech(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const SpeechStack& stack : speech_stacks) {
            const bool apart = stack.one_word && i + 1 < sentence.tokens.size() &&
                               sentence.tokens[i + 1].gap != Gap::joint;
            const std::size_t n = apart ? 0 : sentence.tokens_of(stack.words, i);
            if (n > 0) {
                sentence.marks.push_back({Means::framework, stack.id, i, n});
                const std::size_t last = i + n - 1;
                const bool ends_in_name = n > 1 && sentence.word(last) == "whisper";
                if (ends_in_name && names_whisper_elsewhere(sentence, last)) {
                    sentence.claim(i, n);
                } else if (ends_in_name) {
                    sentence.claim(i,
                                   n - 1);  // "whisper" is left to the models, which know its sizes
                } else {
                    take_whisper(sentence, i, i + n);
                }
                break;
            }
        }
    }
}

}  // namespace ridgeline::reading
