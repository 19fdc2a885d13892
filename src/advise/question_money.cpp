#include "advise/question_reader.h"
#include "base/text.h"

#include <array>

// Sums of money: a budget, or a limit of what is paid by the hour.

namespace ridgeline::question {
namespace {

// "$5000", "$2k", "5000$", "usd5000"; nothing when the word is no sum of money.
std::optional<double> dollars_in(std::string_view word) {
    if (word.size() > 1 && word.front() == '$') {
        return number_with_suffix(word.substr(1));
    }
    if (word.size() > 1 && word.back() == '$') {
        return number_with_suffix(word.substr(0, word.size() - 1));
    }
    if (word.substr(0, 3) == "usd" && word.size() > 3) {
        return number_with_suffix(word.substr(3));
    }
    return std::nullopt;
}

bool is_hour(std::string_view word) {
    return is_any(word, {"hour", "h", "hr", "hourly"});
}

// "$1/h" is "$1" by the hour.
bool cut_hour(std::string_view& word) {
    const auto slash = word.find('/');
    if (slash == std::string_view::npos || slash == 0 || !is_hour(word.substr(slash + 1))) {
        return false;
    }
    word = word.substr(0, slash);
    return true;
}

// Words that say "an hour" from `at` on: "per hour", "an hour", "/h", "hourly".
std::size_t hour_words(const State& state, std::size_t at) {
    const std::string_view word = state.word(at);
    if (is_any(word, {"hourly", "/h", "/hr", "/hour"})) {
        return 1;
    }
    return is_any(word, {"per", "an", "a", "each", "every", "/"}) && is_hour(state.word(at + 1))
               ? 2
               : 0;
}

// Hours of "a month", "per day", "monthly" from `at` on, and the words that say it; 0 where none
// does.
struct Period {
    double hours = 0;
    std::size_t words = 0;
};
Period longer_period(const State& state, std::size_t at) {
    struct Name {
        std::array<std::string_view, 2> words;
        double hours;
    };
    static constexpr Name names[] = {{{"day", "daily"}, 24},
                                     {{"week", "weekly"}, 168},
                                     {{"month", "monthly"}, 730},
                                     {{"year", "yearly"}, 8760}};
    const bool article = is_any(state.word(at), {"per", "a", "each", "every", "/"});
    for (const Name& name : names) {
        if (article && state.word(at + 1) == name.words[0]) {
            return {name.hours, 2};
        }
        if (state.word(at) == name.words[1]) {
            return {name.hours, 1};
        }
    }
    return {};
}

}  // namespace

std::size_t match_money(State& state, std::size_t at) {
    std::size_t i = at;
    while (is_any(state.word(i),
                  {"budget",
                   "under",
                   "below",
                   "within",
                   "for",
                   "of",
                   "less",
                   "than",
                   "at",
                   "most",
                   "max",
                   "up",
                   "to",
                   "is",
                   "spend",
                   "maximum"})) {
        ++i;
    }
    std::string_view word = state.word(i);
    bool hourly = cut_hour(word);
    auto money = dollars_in(word);
    std::size_t taken = i + 1 - at;
    std::string_view unit = state.word(i + 1);
    const bool unit_hour = cut_hour(unit);  // "2 dollars/hour"
    if (!money && is_any(unit, {"dollars", "dollar", "usd", "$", "bucks"})) {
        money = number_in(word);
        hourly = hourly || unit_hour;
        ++taken;
    } else if (!money && is_any(state.word(i), {"usd", "$"})) {
        money = number_in(state.word(i + 1));
        ++taken;
    } else if (!money && is_any(state.word(at), {"budget"})) {
        money = number_in(state.word(i));
    }
    if (!money) {
        return 0;
    }
    const std::size_t said = hourly ? 0 : hour_words(state, at + taken);
    const Period period = hourly || said > 0 ? Period{} : longer_period(state, at + taken);
    if (positive(state, state.word(at + taken - 1), *money)) {
        const bool rent = hourly || said > 0 || period.words > 0;
        auto& limit = rent ? state.query().budget_usd_per_hour : state.query().budget_usd;
        limit = period.words > 0 ? *money / period.hours : *money;
        if (period.words > 0) {
            state.reading.assumptions.push_back("a sum for each " +
                                                std::to_string(static_cast<int>(period.hours)) +
                                                " hours was taken as rent of every hour");
        }
    }
    taken += said + period.words;
    const bool named_after = is_any(state.word(at + taken), {"budget"});  // "$2,000 budget"
    return taken + (named_after ? 1 : 0);
}

}  // namespace ridgeline::question
