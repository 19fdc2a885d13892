#include "advise/reading/hardware/offload_asked.h"

#include "advise/reading/numbers/units.h"

#include <optional>

namespace ridgeline::reading {
namespace {

/// The word of need that a mark hangs on: "need" of "need to use cpu offload", "or" of "or cpu
/// offload".
std::optional<std::size_t> need_before(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 0 && sentence.follows(i); --i) {
        const std::string_view word = sentence.word(i - 1);
        if (is_any(word, "need needs needing have must should require requires or")) {
            return i - 1;
        }
        if (!is_any(word,
                    "cpu to the a any some do i we use using model sequential parameter parameters "
                    "weight weights optimizer layers ram system host")) {
            break;
        }
    }
    return std::nullopt;
}

bool asks_for_fit(const Sentence& sentence) { return sentence.asks("fit strong_fit weak_fit"); }

/// Whether a verb that asks stands before `need`, or a question begins with it: "do i need", "does
/// a 12 GB card need", "should i use", "need offload?"; of "how much ram do i need to offload" the
/// amount is asked.
bool is_asked_at(const Sentence& sentence, std::size_t need) {
    constexpr std::size_t farthest = 8;
    const bool begins = need == 0 || !sentence.follows(need);
    bool asked =
        is_any(sentence.word(need + 1), "i we") ||
        (begins && (sentence.text.find('?') != std::string::npos || asks_for_fit(sentence)));
    for (std::size_t i = need; i > 0 && need - i < farthest && sentence.follows(i); --i) {
        const std::string_view word = sentence.word(i - 1);
        if (is_any(word, "how much many what which")) {
            return false;
        }
        asked = asked || is_any(word, "do does did will would is if whether");
    }
    return asked;
}

/// Where the question whether what is marked is needed begins; nothing: it is no question.
std::optional<std::size_t> asked_from(const Sentence& sentence, const Mark& mark) {
    const std::size_t end = mark.at + mark.length;
    if (sentence.follows(end) && is_any(sentence.word(end), "needed required necessary")) {
        return mark.at;
    }
    const auto need = need_before(sentence, mark.at);
    if (!need) {
        return std::nullopt;
    }
    const bool asked =
        sentence.word(*need) == "or" ? asks_for_fit(sentence) : is_asked_at(sentence, *need);
    return asked ? need : std::nullopt;
}

/// "everything kept on the card", "fit entirely in vram", "all of it on the gpu": the tokens from
/// what tells that nothing may lie elsewhere to where it lies; nothing: none says so.
std::optional<Mark> all_on_card(const Sentence& sentence) {
    constexpr std::size_t farthest = 6;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "everything all entirely fully completely wholly whole")) {
            continue;
        }
        for (std::size_t k = i + 1; k < i + farthest && sentence.follows(k); ++k) {
            const std::string_view word = sentence.word(k);
            if (is_any(word, "on in inside into onto")) {
                const std::size_t place = past_words(sentence, k + 1, "the my a one single its");
                const bool card = is_any(sentence.word(place), "card gpu vram") &&
                                  sentence.follows(place) && sentence.word(k) != "of";
                if (card) {
                    return Mark{Means::offload, "", i, place + 1 - i};
                }
                break;
            }
            if (!is_any(word,
                        "of it the model weights layers and text encoder encoders vae networks "
                        "kept keep keeps stay stays staying resident fit fits fitting held hold "
                        "loaded load lives sits run runs running must should to be is are "
                        "components")) {
                break;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

void settle_kept_on_card(Sentence& sentence) {
    const auto said = all_on_card(sentence);
    if (said && !sentence.has(Means::train) && !sentence.has(Means::tune)) {
        // "how do i get it all on the card": in which weights it fits, where no speed is asked.
        const std::size_t from = clause_start(sentence, said->at, 6);
        if (!sentence.asks("throughput how_fast latency") &&
            near_words(sentence, from, said->at, "how") &&
            near_words(sentence, from, said->at, "get fit load put squeeze keep make have")) {
            sentence.marks.push_back({Means::ask, "strong_fit", said->at, said->length});
            sentence.marks.push_back({Means::ask, "which_quant", said->at, said->length});
        }
        sentence.claim(said->at, said->length);
        sentence.reading.keeps_on_card = true;
    }
}

void settle_asked_offload(Sentence& sentence) {
    std::optional<std::size_t> from;
    std::size_t to = 0;  // one past its last token
    for (const Mark& mark : sentence.marks) {
        const auto begin = mark.means == Means::offload ? asked_from(sentence, mark) : std::nullopt;
        if (begin) {
            from = begin;
            to = mark.at + mark.length;
            to += sentence.follows(to) && is_any(sentence.word(to), "needed required necessary");
        }
    }
    if (!from) {
        return;
    }
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        const bool within = mark.at < to && mark.at + mark.length > *from;
        // "do i need" asks for hardware where nothing that is needed follows.
        return within &&
               (mark.means == Means::offload ||
                (mark.means == Means::ask && is_any(mark.value, "weak_hardware hardware")));
    });
    sentence.marks.push_back({Means::ask, "strong_fit", *from, to - *from});
    sentence.claim(*from, to - *from);
    sentence.reading.keeps_on_card = true;
}

}  // namespace ridgeline::reading
