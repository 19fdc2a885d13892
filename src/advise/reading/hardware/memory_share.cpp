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

constexpr std::string_view systems = "os system host windows linux macos cpu";

/// The token of the share, and how many it has; 0: it is written otherwise.
std::pair<std::size_t, std::size_t> share_at(const Sentence& sentence, double share) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto [gb, length] = memory_at(sentence, i);
        if (length > 0 && gb == share) {
            return {i, length};
        }
    }
    return {0, 0};
}

/// "64 GB swap", "a model of 40 GB", "64 GB reserved for the OS": memory of something else.
bool is_of_another(const Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::string_view things =
        "swap swapfile pagefile model models weights gguf file files checkpoint dataset ssd disk";
    const std::size_t noun =
        past_words(sentence, end, "of for reserved kept left set aside to the my its a used");
    const bool behind = noun < sentence.tokens.size() && (noun == end || sentence.follows(end)) &&
                        sentence.follows(noun) &&
                        (is_any(sentence.word(noun), things) ||
                         (noun > end && is_any(sentence.word(noun), systems)));
    const std::size_t from = first_of_words(sentence, at, "of with at is has about a");
    return behind || (from > 0 && from < at && sentence.follows(at) &&
                      is_any(sentence.word(from - 1), things));
}

/// Whether words say that the memory is set aside: by the firmware, by a limit of the system, or
/// for the graphics.
bool is_set_aside(const Sentence& sentence, std::size_t end) {
    const bool apple = sentence.mentions.front().parts.front()->vendor == "Apple";
    const std::size_t noun = past_words(sentence, end, "for to the its my");
    return sentence.any_word(
               "allocated allocate assigned assign dedicated reserved carved carve carveout gtt "
               "wired iogpu.wired_limit_mb") ||
           (noun > end && sentence.follows(end) && sentence.follows(noun) &&
            is_any(sentence.word(noun), "gpu igpu graphics vram")) ||
           (!apple && sentence.any_word("vram uma bios"));
}

/// "96 of 128 GB", "96 GB out of 128": the share of the whole that stands right behind it.
bool is_of_whole(const Sentence& sentence, std::size_t whole) {
    const std::size_t of = first_of_words(sentence, whole, "of out the its total");
    return of < whole && is_any(sentence.word(of), "of out") && of > 0 &&
           (memory_piece(sentence.word(of - 1)) > 0 || has_digit(sentence.word(of - 1)) ||
            is_any(sentence.word(of - 1), "gb gib gig gigs"));
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
    if (alternative) {
        return;
    }
    const auto [own, pieces] = share_at(sentence, share);
    if (pieces > 0 && is_of_another(sentence, own, own + pieces)) {
        if (const double whole = memory_at(sentence, at).first; length > 0 && whole > share) {
            reading.memory_gib = whole;
            forget_assumed(reading, "memory_gib");
            sentence.assume("memory", fmt::format("{:g} GB", whole),
                            fmt::format("{:g} GB are told of something else", share));
        }
        return;
    }
    if (!is_set_aside(sentence, own + pieces) && (length == 0 || !is_of_whole(sentence, at))) {
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
