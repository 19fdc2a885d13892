#include "advise/reading/hardware/part_words.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"

#include <fmt/format.h>

#include <algorithm>

// Of memory that a processor and its graphics share, what the graphics may take: "strix halo with
// 96 of 128 GB", "128gb, 96gb allocated to the gpu".

namespace ridgeline::reading {
namespace {

/// Whether the one part that is named has no memory of its own.
bool shares_memory(const Sentence& sentence) {
    return sentence.mentions.size() == 1 && !sentence.mentions.front().parts.empty() &&
           std::ranges::all_of(sentence.mentions.front().parts, [](const Accelerator* part) {
               return part->kind == "apu" || part->vendor == "Apple";
           });
}

/// The token of the memory of the whole computer, beside that of the share, and how many it has; 0:
/// it is not told.
std::pair<std::size_t, std::size_t> whole_memory_at(const Sentence& sentence, double share) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto [gb, length] = memory_at(sentence, i);
        const auto bare = i > 0 && is_any(sentence.word(i - 1), "of out")
                              ? amount_in(sentence.word(i))
                              : std::nullopt;
        const bool listed = bare && bare->unit.empty() &&
                            has_memory(*sentence.mentions.front().parts.front(), bare->value);
        if (gb > share || (listed && bare->value > share)) {
            return {i, gb > share ? length : 1};
        }
    }
    return {0, 0};
}

/// Whether words say that the memory is set aside: by the firmware, or by a limit of the system.
bool is_set_aside(const Sentence& sentence) {
    const bool apple = sentence.mentions.front().parts.front()->vendor == "Apple";
    return sentence.any_word(
               "allocated allocate assigned assign dedicated reserved carved carve carveout gtt "
               "wired iogpu.wired_limit_mb") ||
           (!apple && sentence.any_word("vram uma bios"));
}

}  // namespace

void settle_memory_share(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const double share = reading.memory_gib.value_or(0);
    if (share <= 0 || reading.memory_at_least || !shares_memory(sentence) ||
        share > sentence.mentions.front().parts.front()->marketed_gb) {
        return;
    }
    const auto [at, length] = whole_memory_at(sentence, share);
    const bool alternative =
        sentence.has(Means::either) || sentence.has(Means::versus) || reading.less_memory_gib;
    if (alternative || (length == 0 && !is_set_aside(sentence))) {
        return;
    }
    for (std::size_t i = at; i < at + length; ++i) {
        std::erase(reading.not_understood, sentence.word(i));
    }
    sentence.claim(at, length);
    reading.memory_is_share = true;
    forget_assumed(reading, "memory_gib");
    sentence.assume("memory", fmt::format("{:g} GB", share),
                    "what the graphics may take of the memory that it shares");
}

}  // namespace ridgeline::reading
