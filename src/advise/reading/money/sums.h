#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridgeline::reading {

/// Dollars for one unit of a currency: averages of 2024 of the reference rates of the European
/// Central Bank (1 euro is 1.0824 dollars or 0.8466 pounds). A budget is no more exact than that.
struct Currency {
    std::string_view word;
    double usd;
    std::string_view name;  ///< empty: dollars
};
const Currency* currency_of(std::string_view word);  ///< null: it is none

/// A sum of money, with one past its last token.
struct Sum {
    double usd = 0;
    std::size_t end = 0;
    const Currency* currency = nullptr;
    std::string_view written;
    bool negative = false;
};
/// A number with its currency on either side.
std::optional<Sum> sum_at(const Sentence& sentence, std::size_t at);
/// Tokens from `at` on that say of a sum that it is of each: "each", "per card"; 0: they do not.
std::size_t of_each_at(const Sentence& sentence, std::size_t at);
/// That it is of all: "for all", "in total", "together"; 0: they do not.
std::size_t of_all_at(const Sentence& sentence, std::size_t at);
/// A number of dollars that says no currency: told by its period, by what bounds it, or by what it
/// buys.
std::optional<Sum> bare_sum(const Sentence& sentence, std::size_t at);

/// Hours of a period, and its tokens; 0: it is none.
struct Period {
    double hours = 0;
    std::size_t length = 0;
    bool of_one = false;  ///< what is paid is that of one card: "per gpu hour", "per h100 hour"
};
/// The period that stands from token `at` on: "per hour", "/h", "a month", "hourly", "/gpu-hr",
/// "per gpu per hour", "an hour each".
Period period_at(const Sentence& sentence, std::size_t at);
/// Claims the tokens of a period that stands from `at` on; the name of a part in it stays open
/// where the question says it nowhere else.
void claim_period(Sentence& sentence, std::size_t at, const Period& period);
/// The period that stands before the sum at token `at`, with what it pays: "hourly limit", "monthly
/// budget of".
Period period_before(const Sentence& sentence, std::size_t at);
/// "per kWh", "a kWh", "/kWh": tokens of it from `at` on, 0: there is none.
std::size_t energy_unit_length(const Sentence& sentence, std::size_t at);
/// "per kW and month", "/kW/month", "a kW a year": how a room is let by its power.
struct RoomUnit {
    double months = 0;       ///< of the period, a month where none is said
    std::size_t length = 0;  ///< tokens; 0: there is none
};
RoomUnit room_unit_at(const Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
