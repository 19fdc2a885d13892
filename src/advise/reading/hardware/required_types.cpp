#include "advise/hardware/desk.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <vector>

// Types of numbers as a demand on hardware: "a card that does fp8 natively", "gpus with int8 tensor
// cores".

namespace ridgeline::reading {
namespace {

bool is_card_noun(std::string_view word) {
    return is_any(word,
                  "gpu gpus card cards accelerator accelerators hardware chip chips part parts hw");
}

/// Words that make of a type a property of hardware, behind it or before it.
bool is_native_word(std::string_view word) {
    return is_any(word,
                  "native natively support supported supports supporting capable capability "
                  "acceleration accelerated units hardware");
}

/// "fp8 support", "int8 tensor cores", "native fp8".
bool is_demanded_beside(const Sentence& sentence, std::size_t first, std::size_t behind) {
    const bool after = sentence.follows(behind) && is_native_word(sentence.word(behind));
    const bool cores = sentence.follows(behind) && sentence.word(behind) == "tensor" &&
                       is_any(sentence.word(behind + 1), "core cores");
    return after || cores || (first > 0 && is_native_word(sentence.word(first - 1)));
}

/// "card that has bf16", "gpus with nvfp4", "a gpu which does fp8", "a gpu with 16gb that can do
/// fp8".
bool is_demanded_of_card(const Sentence& sentence, std::size_t first) {
    constexpr std::size_t farthest = 8;
    if (first == 0 || !is_any(sentence.word(first - 1),
                              "with has have having does do doing supports run runs handle")) {
        return false;
    }
    for (std::size_t back = 2; back <= std::min(farthest, first); ++back) {
        const std::string_view word = sentence.word(first - back);
        if (is_card_noun(word)) {
            return true;
        }
        if (!is_any(word, "that which can and with gb gib of vram memory at least") &&
            !has_digit(word)) {
            return false;
        }
    }
    return false;
}

/// Claims the words beside a type that say no more than that hardware has it.
void claim_beside(Sentence& sentence, std::size_t first, std::size_t behind) {
    if (first > 0 && is_native_word(sentence.word(first - 1))) {
        sentence.claim(first - 1);
    }
    while (behind < sentence.tokens.size() && sentence.follows(behind) &&
           (is_native_word(sentence.word(behind)) ||
            is_any(sentence.word(behind), "tensor core cores"))) {
        sentence.claim(behind++);
    }
    // Tensor cores for a type are no figure that is asked for.
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::attribute && mark.at >= first && mark.at < behind;
    });
}

}  // namespace

void recognise_required_types(Sentence& sentence) {
    // Of hardware that is named it is asked, not demanded.
    if (!sentence.mentions.empty()) {
        return;
    }
    const bool model = !sentence.reading.model.empty();
    // "which cards have gddr7"
    const bool listed = sentence.asks("which_have") || (!model && sentence.any_word("cards gpus"));
    for (std::size_t i = 0; listed && i < sentence.tokens.size(); ++i) {
        if (is_memory_type(sentence.word(i))) {
            std::erase_if(sentence.marks, [&](const Mark& each) {
                return each.means == Means::attribute && each.at <= i && i < each.at + each.length;
            });
            sentence.marks.push_back({Means::feature, sentence.word(i), i, 1});
            sentence.claim(i);
        }
    }
    const std::vector<Mark> marks = sentence.marks;
    for (const Mark& mark : marks) {
        const bool type = (mark.means == Means::quantization || mark.means == Means::compute) &&
                          is_unit_type(mark.value);
        const std::size_t behind = mark.at + mark.length;
        if (!type || (!is_demanded_beside(sentence, mark.at, behind) &&
                      !is_demanded_of_card(sentence, mark.at))) {
            continue;
        }
        claim_beside(sentence, mark.at, behind);
        // "fp4" alone is either type of 4 bits.
        const std::string_view value = sentence.word(mark.at) == "fp4" ? "fp4" : mark.value;
        if (!model) {  // nothing runs in it
            std::erase_if(sentence.marks, [&](const Mark& each) {
                return each.at == mark.at && each.means == mark.means;
            });
        }
        sentence.marks.push_back({Means::feature, value, mark.at, mark.length});
    }
}

}  // namespace ridgeline::reading
