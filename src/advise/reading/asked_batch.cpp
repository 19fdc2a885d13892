#include "advise/reading/sentence.h"

#include <algorithm>

// "Which micro-batch and how much accumulation": the largest that one device holds, and how many of
// it make the batch of a step that is told.

namespace ridgeline::reading {
namespace {

/// Tokens from `at` on that name a batch of one device or its accumulation; 0: they do not.
std::size_t batch_noun_at(const Sentence& sentence, std::size_t at) {
    std::size_t end = at;
    const std::string_view word = sentence.word(at);
    const std::string_view next = sentence.word(at + 1);
    if (word == "microbatch") {
        end += 1;
    } else if (word == "micro" && is_any(next, "batch batches bs")) {
        end += 2;
    } else if (word == "per" && is_any(next, "device gpu card") &&
               is_any(sentence.word(at + 2), "batch bs")) {
        end += 3;
    } else if (is_any(word, "gradient grad") && is_any(next, "accumulation accum accumulate")) {
        end += 2;
    } else if (is_any(word, "accumulation accum")) {
        end += 1;
    } else if (word == "batch" && next == "size") {
        end += 1;
    } else {
        return 0;
    }
    end += is_any(sentence.word(end), "size steps step") ? 1 : 0;
    return end - at;
}

bool is_number(std::string_view word) { return !word.empty() && is_digit(word.front()); }

/// Whether what stands around it asks for it: "which", "best", or it begins the question.
bool is_asked_for(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::size_t farthest = 3;
    for (std::size_t i = at - std::min(at, farthest); i < at; ++i) {
        if (is_any(sentence.word(i),
                   "what which best optimal right good ideal recommended suitable")) {
            return true;
        }
    }
    return at == 0 && is_any(sentence.word(end), "and for to should on with");
}

/// "effective batch 64", "global batch of 256": what was read as the batch is that of a step.
void take_step_batch(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "effective global total overall") &&
            is_any(sentence.word(i + 1), "batch bs batchsize")) {
            sentence.claim(i);
        }
    }
    reading.step_batch = reading.batch;
    reading.batch.reset();
}

}  // namespace

void recognise_asked_batch(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.model.empty() || (sentence.mentions.empty() && !reading.memory_gib) ||
        reading.micro_batch || sentence.has(Means::infer)) {
        return;
    }
    bool asked = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t length = batch_noun_at(sentence, i);
        const std::size_t end = i + length;
        const bool told =
            length > 0 && (is_number(sentence.word(end)) ||
                           (sentence.word(end) == "of" && is_number(sentence.word(end + 1))) ||
                           (i > 0 && is_number(sentence.word(i - 1))));
        const bool beside = asked && i > 0 && is_any(sentence.word(i - 1), "and or plus");
        if (length == 0 || told || !(beside || is_asked_for(sentence, i, end))) {
            continue;
        }
        if (!asked) {
            sentence.marks.push_back({Means::ask, "largest_batch", i, length});
            sentence.marks.push_back({Means::train, "", i, length});
        }
        asked = true;
        sentence.claim(i, length);
    }
    if (asked) {
        take_step_batch(sentence);
    }
}

}  // namespace ridgeline::reading
