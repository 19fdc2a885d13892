#include "advise/reading/purchases.h"

// What a sum pays for: the card alone or the computer around it, one card or several.

namespace ridgeline::reading {
namespace {

/// "a pc for 2k", "8k workstation"; what is "my pc" is there already.
bool buys_a_computer(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool computer = is_any(sentence.word(i), "pc pcs rig workstation computer box desktop tower server");
        const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
        const std::string_view two_before = i > 1 ? sentence.word(i - 2) : std::string_view();
        const auto there = [](std::string_view word) {
            return is_any(word, "my our existing current this his her");
        };
        if (computer && !there(before) && !there(two_before)) {
            return true;
        }
    }
    return false;
}

}  // namespace

bool weighs_owning(const Sentence& sentence) {
    const bool rents = sentence.any_word("rent renting rental rentals cloud rented lease leasing leased opex hire");
    const bool buys =
        sentence.any_word("buy buying bought purchase purchasing purchased own owning owned prem premise premises capex house");
    return (rents && buys) ||
           sentence.any_word("tco even breakeven ownership owning amortize amortise amortizes amortises amortized amortised amortization "
                             "payback capex roi");
}

void settle_purchase(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.budget_usd || reading.usd_per_hour || reading.usd_per_month) {
        return;
    }
    if (reading.credits) {
        return;  // they pay for rent
    }
    reading.rents = sentence.asks_any("rent cloud");
    if (!reading.owned && buys_a_computer(sentence)) {
        reading.attributes.emplace_back("computer");
    }
    const bool one = sentence.any_word("gpu card") && !sentence.any_word("gpus cards");
    const bool open = !reading.count && !reading.max_count && reading.model.empty();
    if (one && open && reading.intent == Intent::budget) {
        reading.max_count = 1;
        sentence.assume("max_count", "1", "one card is asked for; \"gpus\" weighs several");
    }
}

}  // namespace ridgeline::reading
