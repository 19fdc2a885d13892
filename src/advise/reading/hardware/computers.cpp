#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

// Computers that are named by their memory instead of their chip: "mac studio 512gb".

namespace ridgeline::reading {
namespace {

/// Computers and the sizes of chip that they are sold with (apple.com/mac/compare); an empty size
/// is the plain chip.
struct Computer {
    std::string_view words;
    std::string_view sizes;
};
constexpr Computer computers[] = {
    {"mac studio", "max ultra"},      {"mac pro", "ultra"},     {"mac mini", "plain pro"},
    {"macbook pro", "plain pro max"}, {"macbook air", "plain"}, {"imac", "plain"},
};

bool is_sold_with(const Accelerator& part, const Computer& computer) {
    const auto pieces = split(part.id, '-');
    const std::string size = pieces.size() > 2 ? pieces.back() : "plain";
    const auto sizes = split(computer.sizes, ' ');
    return part.vendor == "Apple" && std::ranges::find(sizes, size) != sizes.end();
}

/// Memory beside the name: "512gb mac studio", "mac studio 512 gb", "mac mini with 24gb"; its
/// tokens.
struct Beside {
    double gb = 0;
    std::size_t at = 0;
    std::size_t length = 0;
};
Beside memory_beside(const Sentence& sentence, std::size_t at, std::size_t end) {
    const auto size_at = [&](std::size_t i) {
        if (const double one = memory_piece(sentence.word(i)); one > 0 && sentence.open(i)) {
            return Beside{one, i, 1};
        }
        const bool two = sentence.open(i) && all_digits(sentence.word(i)) &&
                         sentence.word(i).size() <= 3 && sentence.follows(i + 1) &&
                         is_any(sentence.word(i + 1), "gb gib gigs");
        return two ? Beside{number_with_suffix(sentence.word(i)).value_or(0), i, 2} : Beside{};
    };
    for (std::size_t i = end; i < end + 3 && sentence.follows(i); ++i) {
        if (const Beside found = size_at(i); found.gb > 0) {
            return found;
        }
        if (!is_any(sentence.word(i), "with of the and")) {
            break;
        }
    }
    for (std::size_t back = 1; back <= 2 && back <= at && sentence.follows(at); ++back) {
        if (const Beside found = size_at(at - back); found.gb > 0 && found.length == back) {
            return found;
        }
    }
    return {};
}

/// The newest chips that the computer is sold with in this memory: Apple lists a chip with the most
/// that it comes with, and sells it from about a sixth of that on.
std::vector<const Accelerator*> chips_with(const Catalog& catalog, const Computer& computer,
                                           double gb) {
    constexpr double largest_over_smallest = 6;
    std::vector<const Accelerator*> chips;
    for (const Accelerator& part : catalog.accelerators) {
        const double most = part.marketed_gb;
        if (is_sold_with(part, computer) && most >= 0.97 * gb &&
            most <= largest_over_smallest * gb) {
            chips.push_back(&part);
        }
    }
    // Where the catalog says in which computers chips stand, one that stands in another is none.
    const auto stands_in = [&](const Accelerator* part) {
        return std::ranges::find(part->families, computer.words) != part->families.end();
    };
    if (std::ranges::any_of(chips, stands_in)) {
        std::erase_if(chips, [&](const Accelerator* part) { return !stands_in(part); });
    }
    return chips;
}

/// All chips that the computer is sold with.
std::vector<const Accelerator*> chips_of(const Catalog& catalog, const Computer& computer) {
    std::vector<const Accelerator*> chips;
    for (const Accelerator& part : catalog.accelerators) {
        const auto named = [&](const std::string& family) { return family == computer.words; };
        if (std::ranges::any_of(part.families, named)) {
            chips.push_back(&part);
        }
    }
    return chips;
}

/// Whether one chip of Apple's is named and nothing beside it.
bool chip_is_said(const Sentence& sentence) {
    return sentence.mentions.size() == 1 && !sentence.mentions.front().parts.empty() &&
           sentence.mentions.front().parts.front()->vendor == "Apple";
}

/// "macbook air m3": the chip of the computer whose words are the tokens [at, end).
bool names_its_chip(const Sentence& sentence, std::size_t at, std::size_t end) {
    return std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
        return !each.parts.empty() && each.parts.front()->vendor == "Apple" &&
               ((each.at == end && sentence.follows(end)) ||
                (each.end == at && sentence.follows(at)));
    });
}

}  // namespace

void recognise_computers(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const Computer& computer : computers) {
            const std::size_t length = sentence.tokens_of(computer.words, i, true);
            if (length == 0) {
                continue;
            }
            const Beside memory = memory_beside(sentence, i, i + length);
            if (chip_is_said(sentence)) {
                // "m4 mac mini with 24gb"
                sentence.claim(i, length);
                if (memory.gb > 0) {
                    sentence.reading.memory_gib = memory.gb;
                    sentence.claim(memory.at, memory.length);
                }
                continue;
            }
            if (names_its_chip(sentence, i, i + length)) {
                sentence.claim(i, length);
                continue;
            }
            const bool side =
                memory.gb <= 0 && (sentence.any_word("or vs versus"));  // "mac studio or a 3090"
            const auto chips = side ? chips_of(sentence.vocabulary.catalog, computer)
                                    : chips_with(sentence.vocabulary.catalog, computer, memory.gb);
            if ((memory.gb <= 0 && !side) || chips.empty()) {
                continue;
            }
            // The newest chip of that memory stands for all, of those of a year the smallest.
            const Accelerator& chip = **std::ranges::max_element(chips, [](const Accelerator* a,
                                                                           const Accelerator* b) {
                return std::pair(a->year, -a->marketed_gb) < std::pair(b->year, -b->marketed_gb);
            });
            Mention mention;
            mention.at = side ? i : std::min(i, memory.at);
            mention.end = std::max(i + length, side ? 0 : memory.at + memory.length);
            mention.name = chip.id;
            mention.parts = {&chip};
            if (!side) {
                sentence.reading.memory_gib = memory.gb;
                mention.memory_gb =
                    std::abs(chip.marketed_gb - memory.gb) > memory_tolerance * memory.gb
                        ? memory.gb
                        : 0;
            }
            sentence.assume("accelerators", chip.id,
                            "no chip was said: the newest " + std::string(computer.words) +
                                (side ? " that is listed" : " sold with that memory"));
            sentence.claim(mention.at, mention.end - mention.at);
            sentence.mentions.push_back(std::move(mention));
        }
    }
}

}  // namespace ridgeline::reading
