#include "advise/reading/names.h"
#include "advise/reading/sentence.h"

#include <array>
#include <string>

// Stacks of speech whose names hold that of the model: "faster-whisper large-v2".

namespace ridgeline::reading {
namespace {

struct SpeechStack {
    std::string_view words;
    std::string_view id;
};

constexpr std::array speech_stacks = {SpeechStack{"faster-whisper", "faster-whisper"},
                                      SpeechStack{"faster whisper", "faster-whisper"},
                                      SpeechStack{"insanely-fast-whisper", "transformers"},
                                      SpeechStack{"insanely fast whisper", "transformers"},
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

}  // namespace

void recognise_speech_stacks(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const SpeechStack& stack : speech_stacks) {
            if (const std::size_t n = sentence.tokens_of(stack.words, i); n > 0) {
                sentence.marks.push_back({Means::framework, stack.id, i, n});
                // "whisper" alone in two words is left to the models, which know its sizes.
                n > 1 && sentence.word(i + n - 1) == "whisper" ? sentence.claim(i, n - 1) : take_whisper(sentence, i, i + n);
                break;
            }
        }
    }
}

}  // namespace ridgeline::reading
