#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

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

/// "accumulate 16", "gradient accumulation of 4", "16 accumulation steps", "accumulating to 32".
struct Accumulated {
    int times = 0;  ///< or samples of a step, where it is accumulated to them
    bool to = false;
    std::size_t begin = 0;
    std::size_t end = 0;
};

Accumulated accumulation_at(const Sentence& sentence, std::size_t at) {
    Accumulated found{.begin = at};
    std::size_t i = at;
    i += is_any(sentence.word(i), "gradient grad") ? 1 : 0;
    if (!is_any(sentence.word(i),
                "accumulation accum accumulate accumulating accumulated accumulations ga")) {
        return found;
    }
    ++i;
    i += is_any(sentence.word(i), "steps step") ? 1 : 0;
    found.to = sentence.word(i) == "to";
    i += is_any(sentence.word(i), "of is to at x over = :") ? 1 : 0;
    constexpr double most = 1 << 16;
    const auto whole = [&](std::size_t k) {
        const auto amount =
            all_digits(sentence.word(k)) ? amount_in(sentence.word(k)) : std::nullopt;
        return amount && amount->value >= 1 && amount->value <= most
                   ? static_cast<int>(amount->value)
                   : 0;
    };
    if (sentence.follows(i) && whole(i) > 0) {
        found.times = whole(i);
        found.end = i + 1;
    } else if (at > 0 && whole(at - 1) > 0) {
        found.times = whole(at - 1);
        found.begin = at - 1;
        found.end = i;
    }
    return found;
}

/// "micro-batch 2 with 16 accumulation steps": the batch of a step, of all cards. Whether that was
/// told.
bool take_accumulation(Sentence& sentence) {
    Reading& reading = sentence.reading;
    std::optional<int> micro = reading.micro_batch ? reading.micro_batch : reading.batch;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const Accumulated told = accumulation_at(sentence, i);
        if (told.times == 0) {
            continue;
        }
        // "batch 2 x grad accum 16": the sign made of the 2 a count.
        const std::size_t sign = std::max<std::size_t>(told.begin, 2) - 1;
        const auto before =
            !micro && is_any(sentence.word(sign), "x * times") && sentence.open(sign - 1)
                ? amount_in(sentence.word(sign - 1))
                : std::nullopt;
        if (before && all_digits(sentence.word(sign - 1)) && before->value >= 1 &&
            before->value <= 1 << 16) {
            micro = static_cast<int>(before->value);
            sentence.claim(sign - 1, 2);
        }
        int cards = sentence.loose_count.value_or(1);
        for (const Mention& mention : sentence.mentions) {
            cards = std::max(cards, mention.count.value_or(1));
        }
        const int each = micro.value_or(1);
        reading.micro_batch = each;
        reading.batch = told.to ? told.times : each * told.times * cards;
        sentence.claim(told.begin, told.end - told.begin);
        sentence.assume("batch", std::to_string(*reading.batch),
                        told.to ? "samples of a step, as many as are accumulated"
                                : fmt::format("{} x {} accumulated on {} device{}", each,
                                              told.times, cards, cards > 1 ? "s" : ""));
        if (!sentence.has(Means::train) && !sentence.has(Means::tune)) {
            sentence.marks.push_back({Means::train, "", i, 1});
        }
        return true;
    }
    return false;
}

/// Whether what stands around it asks for it: "which", "best", or it begins the question.
bool is_asked_for(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::size_t farthest = 3;
    return near_words(sentence, at - std::min(at, farthest), at, which_words) ||
           (at > 1 && sentence.word(at - 2) == "how" &&
            is_any(sentence.word(at - 1), "many much")) ||
           (at == 0 && is_any(sentence.word(end), "and for to should on with")) ||
           is_any(sentence.word(end), "needed required");
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
    if (take_accumulation(sentence)) {
        return;
    }
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
