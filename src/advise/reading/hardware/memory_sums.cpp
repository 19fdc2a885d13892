#include "advise/reading/hardware/part_words.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/money/sums.h"
#include "advise/reading/words/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

// Memory of several cards together: "640GB (8xh100)", "96 GB across 2 a6000", "2x48=96GB".

namespace ridgeline::reading {
namespace {

constexpr double most_cards = 1e6;
/// People round what all cards have: 8 x 94 GB are "750 GB".
constexpr double round_sum = 0.1;

bool says_sum(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if ((of_all_at(sentence, i) > 0 && sentence.word(i) != "for") ||
            is_any(sentence.word(i), "total across aggregate aggregated pooled overall")) {
            return true;
        }
    }
    return false;
}

/// How many cards have so much together, where no number was said; 1: one may have it, as cards are
/// sold with twice the memory of their listed form.
int count_in(const Mention& mention, double gb) {
    constexpr double most_of_one = 2.2;
    double nearest = round_sum;
    int count = 1;
    for (const Accelerator* part : mention.parts) {
        const double many = std::round(gb / part->marketed_gb);
        const double off = std::abs(many * part->marketed_gb / gb - 1);
        if (part->kind != "gpu" || gb <= most_of_one * part->marketed_gb) {
            return 1;
        }
        if (off < nearest) {
            nearest = off;
            count = static_cast<int>(std::min(many, most_cards));
        }
    }
    return count;
}

/// "instance with at least 500 GB of gpu memory": a machine before its memory.
bool has_machine_before_memory(const Sentence& sentence) {
    constexpr std::size_t farthest = 5;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool machine = is_any(sentence.word(i), "instance machine server node box vm") &&
                             is_any(sentence.word(i + 1), "with has having of that offering at >");
        for (std::size_t k = i + 2; machine && k <= i + farthest; ++k) {
            const auto size = measure_at(sentence, k);
            if (size && size->value == sentence.reading.memory_gib.value_or(0)) {
                return sentence.any_word("vram gpu gpus");
            }
        }
    }
    return false;
}

/// "4x machine": so many cards in one.
void count_cards_of_machine(Sentence& sentence) {
    for (std::size_t i = 2; i < sentence.tokens.size(); ++i) {
        const auto count = sentence.word(i - 1) == "x" &&
                                   is_any(sentence.word(i), "machine instance server node box")
                               ? amount_in(sentence.word(i - 2))
                               : std::nullopt;
        if (count && !sentence.reading.count) {
            sentence.reading.count = static_cast<int>(count->value);
            sentence.claim(i - 2, 3);
        }
    }
}

/// What is said of a machine without a part is of all its cards.
void settle_memory_of_machine(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool all = says_sum(sentence) || sentence.any_word("altogether combined") ||
                     has_machine_before_memory(sentence);
    // What is largest in so much is asked of the memory, not of what is rented with it.
    const bool filled =
        sentence.any_word("largest biggest") || reading.owned || reading.intent == Intent::largest;
    if (!sentence.mentions.empty() || !reading.memory_gib || !reading.model.empty() || !all ||
        filled) {
        return;
    }
    reading.memory_of_all_gib = reading.memory_gib;
    reading.memory_gib.reset();
    forget_assumed(reading, "memory_gib");
    count_cards_of_machine(sentence);
    sentence.assume("memory", fmt::format("{:g} GB", *reading.memory_of_all_gib),
                    "of all cards of a machine together");
}

}  // namespace

bool is_memory_of_each(const Sentence& sentence, const Mention& mention) {
    // Of some cards so many were rebuilt with twice their memory that the size is part of the name.
    const double told = sentence.reading.memory_gib.value_or(0);
    const bool rebuilt = !mention.parts.empty() && is_resoldered(*mention.parts.front(), told);
    const bool known = rebuilt && is_any(mention.parts.front()->id, "rtx-2080-ti rtx-3080-10gb");
    if (rebuilt && !says_sum(sentence) &&
        (known || sentence.any_word("modded mod modified rebuilt each"))) {
        return true;
    }
    for (std::size_t i = mention.at; i < mention.end; ++i) {
        const auto [gb, length] = memory_at(sentence, i);
        const std::string_view behind = sentence.word(i + length);
        const bool times =
            (behind.size() > 1 && behind.front() == 'x' && all_digits(behind.substr(1))) ||
            (behind == "x" && all_digits(sentence.word(i + length + 1)));
        if (gb > 0 && i > mention.at && sentence.follows(i + length) && times) {
            return true;
        }
    }
    return false;
}

void recognise_counted_memory(Sentence& sentence) {
    for (std::size_t i = 0; i + 3 < sentence.tokens.size(); ++i) {
        const auto count = sentence.open(i) && sentence.word(i + 1) == "x"
                               ? amount_in(sentence.word(i))
                               : std::nullopt;
        if (!count || count->value > most_cards || count->value != std::floor(count->value)) {
            continue;
        }
        const auto [gb, length] = memory_at(sentence, i + 2);
        const auto bare = amount_in(sentence.word(i + 2));
        const double each = gb > 0 ? gb : bare ? bare->value : 0;
        const std::size_t behind = i + 2 + std::max<std::size_t>(length, 1);
        const double sum = memory_at(sentence, behind).first;
        if (sum > 0 && count->value * each == sum) {
            sentence.loose_count = static_cast<int>(count->value);
            sentence.claim(i, behind - i);
        }
    }
}

void add_rented_card(Sentence& sentence) {
    if (sentence.mentions.size() != 1 || !sentence.any_word("or vs versus")) {
        return;
    }
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        const std::size_t at = i + (is_any(sentence.word(i + 1), "a an one single") ? 2 : 1);
        const auto [gb, length] = memory_at(sentence, at);
        if (!is_any(sentence.word(i), "rent renting") || gb <= 0 || !sentence.open(at) ||
            !is_any(sentence.word(at + length), "card gpu one")) {
            continue;
        }
        const Offer* cheapest = nullptr;
        for (const Offer& offer : sentence.vocabulary.catalog.offers) {
            const Accelerator* part = sentence.vocabulary.catalog.accelerator(offer.accelerator);
            if (part != nullptr && offer.count == 1 && offer.kind == PriceKind::on_demand &&
                has_memory(*part, gb) &&
                (cheapest == nullptr || offer.usd_per_hour < cheapest->usd_per_hour)) {
                cheapest = &offer;
            }
        }
        if (cheapest == nullptr) {
            return;
        }
        Mention mention;
        mention.at = at;
        mention.end = at + length + 1;
        mention.parts = {sentence.vocabulary.catalog.accelerator(cheapest->accelerator)};
        mention.name = cheapest->accelerator;
        mention.count = 1;
        sentence.claim(at, length + 1);
        sentence.assume("accelerators", mention.name,
                        fmt::format("the cheapest of {:g} GB that is rented", gb));
        auto& mentions = sentence.mentions;
        mentions.insert(mentions.front().at < at ? mentions.end() : mentions.begin(),
                        std::move(mention));
        return;
    }
}

void settle_memory_sum(Sentence& sentence) {
    Reading& reading = sentence.reading;
    settle_memory_of_machine(sentence);
    if (sentence.mentions.size() != 1 || !reading.memory_gib ||
        !sentence.mentions.front().machine.empty()) {
        return;
    }
    Mention& mention = sentence.mentions.front();
    if (is_memory_of_each(sentence, mention)) {
        return;
    }
    const double gb = *reading.memory_gib;
    const int count = mention.count          ? *mention.count
                      : sentence.loose_count ? *sentence.loose_count
                                             : count_in(mention, gb);
    std::vector<const Accelerator*> forms;
    std::copy_if(mention.parts.begin(), mention.parts.end(), std::back_inserter(forms),
                 [&](const Accelerator* part) {
                     return std::abs(count * part->marketed_gb - gb) <= round_sum * gb;
                 });
    // "a100 x2 80gb": a form has so much by itself.
    const bool of_one = std::ranges::any_of(
        mention.parts, [gb](const Accelerator* part) { return has_memory(*part, gb); });
    if (count < 2 || ((forms.empty() || of_one) && !says_sum(sentence))) {
        return;
    }
    if (!mention.count && !sentence.loose_count) {
        mention.count = count;
    }
    forget_assumed(reading, "memory_gib");
    sentence.assume("memory", fmt::format("{:g} GB", gb), fmt::format("of all {} together", count));
    if (forms.empty()) {
        reading.memory_gib = gb / count;
        return;
    }
    reading.memory_gib.reset();
    if (forms.size() < mention.parts.size()) {
        mention.name = forms.size() == 1
                           ? forms.front()->id
                           : fmt::format("{}-{:g}gb", mention.name, forms.front()->marketed_gb);
        mention.parts = std::move(forms);
    }
}

}  // namespace ridgeline::reading
