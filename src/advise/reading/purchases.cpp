#include "advise/reading/purchases.h"

#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

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

/// Whether the model in 16 bits lies on cards that are sold singly: two of 96 GB, four of 48.
bool lies_on_cards(const Sentence& sentence) {
    constexpr double most_parameters = 90e9;
    const auto model = sentence.named_architecture();
    const double parameters = model && !model->stacks.empty() ? static_cast<double>(count_parameters(*model).total)
                                                              : parameters_in(sentence.reading.model).value_or(0);
    return parameters > 0 && parameters <= most_parameters;
}

/// "budget 20k to serve 70b to 40 people": a service has no end that a rent could be paid to, so that a sum for it buys.
void buy_for_service(Sentence& sentence) {
    constexpr double least_usd = 1000;
    Reading& reading = sentence.reading;
    const bool ends = reading.tokens || reading.samples || reading.audio_s || reading.deadline_s || reading.months || reading.part_hours;
    const bool rents = sentence.any_word("rent renting rental rented cloud hour hours hourly month monthly credits lease") ||
                       !reading.providers.empty() || (!reading.price_kind.empty() && reading.price_kind != "purchase");
    const bool many = reading.concurrency || reading.requests_per_s;
    if (reading.task == Task::inference && many && lies_on_cards(sentence) && !ends && !rents && !reading.buy && !reading.owned && sentence.mentions.empty() &&
        *reading.budget_usd >= least_usd) {
        reading.buy = true;
        sentence.assume("purchase", fmt::format("{:.0f}", *reading.budget_usd), "a service has no end that a rent could be paid to: the sum buys");
    }
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
    buy_for_service(sentence);
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
