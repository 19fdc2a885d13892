#include "advise/reading/hardware/laptop_cards.h"

#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cmath>

// Cards of laptops, which are other parts than the cards of that name.

namespace ridgeline::reading {
namespace {

/// The parts of laptops that have the name of a card, those of the memory that was said first.
std::vector<const Accelerator*> laptop_parts_of(const Sentence& sentence, const Mention& card) {
    std::vector<const Accelerator*> named;
    std::vector<const Accelerator*> sized;
    for (const Accelerator& part : sentence.vocabulary.catalog.accelerators) {
        for (const Accelerator* own : card.parts) {
            // "rtx-3080-10gb": the memory belongs to the card alone.
            std::string name;
            for (const std::string& piece : split(own->id, '-')) {
                name += memory_piece(piece) > 0 ? "" : piece + "-";
            }
            if (part.id.starts_with(name + "laptop")) {
                named.push_back(&part);
                const auto gb = sentence.reading.memory_gib;
                if (gb && std::abs(part.marketed_gb - *gb) <= 0.06 * *gb) {
                    sized.push_back(&part);
                }
                break;
            }
        }
    }
    return sized.empty() ? named : sized;
}

}  // namespace

void settle_laptop_card(Sentence& sentence) {
    if (sentence.mentions.size() != 1) {
        return;
    }
    Mention& card = sentence.mentions.front();
    // "rtx 3080 max-q": a design for thin laptops, where no part is called so itself.
    const bool thin = sentence.word(card.end) == "maxq" && sentence.open(card.end);
    if (!thin && !sentence.any_word("laptop laptops notebook notebooks")) {
        return;
    }
    if (thin) {
        sentence.claim(card.end);
        std::erase(sentence.reading.not_understood, "maxq");
    }
    bool apart = sentence.any_word("desktop egpu external thunderbolt oculink tower server");
    // "a laptop or a 4070"
    for (std::size_t i = card.at; i > 0 && card.at - i < 3; --i) {
        apart = apart || is_any(sentence.word(i - 1), "or vs");
    }
    const bool geforce = !card.parts.empty() &&
                         (card.name.starts_with("rtx-") || card.name.starts_with("gtx-")) &&
                         card.name.find("laptop") == std::string::npos;
    const auto parts =
        geforce && !apart ? laptop_parts_of(sentence, card) : std::vector<const Accelerator*>{};
    if (!parts.empty()) {
        const std::string desktop = card.name;
        card.parts = parts;
        card.name = parts.front()->id;
        sentence.assume(
            "accelerators", card.name,
            "a laptop is spoken of, whose part of that name is slower than the card " + desktop);
    } else if (geforce) {
        sentence.assume("accelerators", card.name,
                        "the desktop card of that name: a laptop's is slower and may have less "
                        "memory; say it, as in \"16gb card\"");
    }
}

void tell_laptop_power(Sentence& sentence) {
    for (const Mention& mention : sentence.mentions) {
        if (mention.parts.empty() || mention.name.find("laptop") == std::string::npos) {
            continue;
        }
        sentence.assume(
            "power", fmt::format("{:g} W", mention.parts.front()->tdp / watt),
            "a laptop that allows its part less power is slower, one that allows more is faster");
        return;
    }
}

}  // namespace ridgeline::reading
