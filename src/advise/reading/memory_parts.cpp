#include "advise/reading/sentence.h"

#include <algorithm>

// Single parts of a model's memory that are asked for: states of the optimizer, weights or their file, the host's share.

namespace ridgeline::reading {
namespace {

bool is_optimizer(std::string_view word) {
    return is_any(word, "optimizer optimiser optim adam adamw lion muon adafactor sgd lamb momentum");
}

/// "AdamW states", "optimizer moments"
void match_states(Sentence& sentence, std::size_t at) {
    if (is_optimizer(sentence.word(at)) && sentence.follows(at + 1) &&
        is_any(sentence.word(at + 1), "state states moment moments buffers memory")) {
        sentence.marks.push_back({Means::ask, "part_optimizer", at, 2});
        sentence.marks.push_back({Means::train, "", at, 2});
        sentence.claim(at, 2);
    }
}

/// "gguf size", "size of the file", "disk space", "just the weights": what is stored, and nothing that runs.
void match_weights(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view next = sentence.follows(at + 1) ? sentence.word(at + 1) : std::string_view();
    const bool file = is_any(word, "gguf file files download safetensors") && is_any(next, "size sizes");
    const bool disk = (is_any(word, "disk storage") && is_any(next, "space size usage")) || (word == "on" && next == "disk");
    const bool sized = is_any(word, "big large size") && sentence.any_word("gguf file download") && sentence.reading.task != Task::train;
    const bool weights = (word == "weights" && is_any(next, "alone only")) || (is_any(word, "just only") && (next == "weights" || (next == "the" && sentence.word(at + 2) == "weights")));
    if (!(file || disk || sized || weights)) {
        return;
    }
    sentence.marks.push_back({Means::ask, "part_weights", at, sized ? 1U : 2U});
    sentence.claim(at, sized ? 1 : 2);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "gguf file files download")) {
            sentence.claim(i);
        }
    }
}

/// "host ram", "cpu memory": of the computer, not of a card.
void match_host(Sentence& sentence, std::size_t at) {
    const bool host = is_any(sentence.word(at), "host cpu system main") && sentence.follows(at + 1) &&
                      is_any(sentence.word(at + 1), "ram memory");
    if (host && !sentence.reading.host_memory_gib) {
        sentence.marks.push_back({Means::ask, "host_ram", at, 2});
        sentence.claim(at, 2);
    }
}

}  // namespace

void recognise_memory_parts(Sentence& sentence) {
    const bool sized = std::any_of(sentence.tokens.begin(), sentence.tokens.end(), [](const Token& token) { return parameters_in(token.text).has_value(); });
    if (sentence.reading.model.empty() && !sized) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_states(sentence, i);
        if (sentence.mentions.empty() && !sentence.reading.memory_gib) {
            match_weights(sentence, i);  // "what size gguf for my 3060" asks what fits
        }
        match_host(sentence, i);
    }
}

}  // namespace ridgeline::reading
