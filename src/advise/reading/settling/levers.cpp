#include "advise/reading/settling/steps.h"

// "OOM on a 4090, what do i change": what takes less is asked, whatever the verdict.

namespace ridgeline::reading {
namespace {

/// Whether memory ran out: "oom", "out of memory", "runs out of vram".
bool ran_out(const Sentence& s) {
    for (std::size_t i = 0; i < s.tokens.size(); ++i) {
        const bool short_of =
            s.word(i) == "out" && s.word(i + 1) == "of" && is_any(s.word(i + 2), "memory vram mem");
        if (short_of || is_any(s.word(i), "oom ooms oomed ooming outofmemoryerror")) {
            return true;
        }
    }
    return false;
}

/// Tokens that ask for a change: "what do i change", "how to fix it", "what helps"; 0: none do.
std::size_t change_asked_at(const Sentence& s, std::size_t i) {
    constexpr std::size_t most = 6;  // "what should i really try to change"
    if (!is_any(s.word(i), "what which how anything any")) {
        return 0;
    }
    for (std::size_t end = i + 1; end < std::min(i + most, s.tokens.size()); ++end) {
        if (is_any(s.word(end), "gpu gpus card cards hardware buy rent")) {
            return 0;  // "what gpu would help" is answered by one
        }
        const bool done = s.word(end) == "do" && is_any(s.word(end - 1), "i we to can");
        if (s.follows(end) &&
            (is_any(s.word(end),
                    "change tweak adjust fix avoid reduce lower shrink cut solve help "
                    "helps try knobs settings options turn drop") ||
             (done && end + 1 == s.tokens.size()))) {
            return end + 1 - i;
        }
    }
    return 0;
}

}  // namespace

void recognise_levers(Sentence& sentence) {
    if (!ran_out(sentence)) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t length = change_asked_at(sentence, i);
        if (length == 0) {
            continue;
        }
        std::erase_if(sentence.marks, [&](const Mark& mark) {
            return mark.at >= i && mark.at < i + length;  // "what can i do" asks for no deeds
        });
        ask_for(sentence.reading, "levers");
        sentence.marks.push_back({Means::ask, "strong_fit", i, length});
        sentence.claim(i, length);
        return;
    }
}

}  // namespace ridgeline::reading
