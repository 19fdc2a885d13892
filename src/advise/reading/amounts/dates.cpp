#include "advise/reading/amounts/dates.h"

#include "advise/reading/numbers/units.h"

#include <fmt/format.h>

#include <array>
#include <string>

// Days of the calendar: "2027-03-01", "from 1 march to 15 march", "until friday". Two of them are a
// time between; one alone is kept as it was told, for who knows today.

namespace ridgeline::reading {
namespace {

constexpr std::array<std::string_view, 12> months = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<int, 12> days_of_months = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

/// A day of a month, without its year.
struct Day {
    int month = 0;  ///< 1 to 12
    int day = 0;
    std::size_t words = 0;
};

/// "march", "mar", "sept": 3, 3, 9; 0: no month.
int month_of(std::string_view word) {
    for (std::size_t i = 0; i < months.size(); ++i) {
        const bool cut = word.size() >= 3 && word.size() <= 4 && months[i].starts_with(word);
        if (word == months[i] || cut) {
            return static_cast<int>(i) + 1;
        }
    }
    return 0;
}

/// "1", "1st", "15th": the number; 0: none of a day.
int day_number(std::string_view word) {
    const auto amount = amount_in(word);
    const bool ordinal = amount && (amount->unit.empty() || is_any(amount->unit, "st nd rd th"));
    return ordinal && amount->value >= 1 && amount->value <= 31 &&
                   amount->value == static_cast<int>(amount->value)
               ? static_cast<int>(amount->value)
               : 0;
}

/// "1 march", "1st of march", "march 15"; no words: none stands there.
Day day_at(const Sentence& sentence, std::size_t at) {
    if (const int day = day_number(sentence.word(at)); day > 0) {
        const std::size_t name = at + (sentence.word(at + 1) == "of" ? 2 : 1);
        const int month = sentence.follows(name) ? month_of(sentence.word(name)) : 0;
        return month > 0 ? Day{month, day, name + 1 - at} : Day{};
    }
    const int month = month_of(sentence.word(at));
    const int day = month > 0 && sentence.follows(at + 1) ? day_number(sentence.word(at + 1)) : 0;
    // "may 8 cards do": a day of May has a word of time before it.
    const bool told = month != 5 || (at > 0 && is_any(sentence.word(at - 1),
                                                      "by until till before on from to of since"));
    return day > 0 && told ? Day{month, day, 2} : Day{};
}

int day_of_year(const Day& day) {
    int days = day.day;
    for (int i = 1; i < day.month; ++i) {
        days += days_of_months[static_cast<std::size_t>(i - 1)];
    }
    return days;
}

/// "--03-15", as ISO 8601 wrote a day without a year.
std::string yearless(const Day& day) { return fmt::format("--{:02}-{:02}", day.month, day.day); }

void take_day(Sentence& sentence, const Day& day) {
    Reading& reading = sentence.reading;
    const std::string& first = reading.deadline_date;
    if (!first.starts_with("--")) {
        reading.deadline_date = yearless(day);
        return;
    }
    constexpr int year = 365;
    const Day start{std::stoi(first.substr(2, 2)), std::stoi(first.substr(5, 2)), 0};
    const int days = day_of_year(day) - day_of_year(start);
    reading.deadline_date.clear();
    reading.deadline_s = (days > 0 ? days : days + year) * 86400.0;
    sentence.assume("deadline_s", fmt::format("{:.0f}", *reading.deadline_s),
                    "the days between the two that were told");
}

/// "march to end of august", "january until june", "between may and july": whole months, the last
/// with them. The first may be "may" behind a word of time alone.
bool match_months(Sentence& sentence, std::size_t at) {
    const int first = month_of(sentence.word(at));
    const bool told =
        first != 5 || (at > 0 && is_any(sentence.word(at - 1), "from between since of mid"));
    if (first == 0 || !told) {
        return false;
    }
    std::size_t name = at + 1;
    const bool between = at > 0 && sentence.word(at - 1) == "between";
    if (!sentence.follows(name) ||
        !(is_any(sentence.word(name), "to until till through thru") ||
          (between && sentence.word(name) == "and") || sentence.tokens[name].gap == Gap::joint)) {
        return false;
    }
    const bool joined =
        sentence.tokens[name].gap == Gap::joint && month_of(sentence.word(name)) > 0;
    name += joined ? 0 : 1;
    while (sentence.follows(name) && is_any(sentence.word(name), "the end of and including late")) {
        ++name;
    }
    const int last = sentence.follows(name) ? month_of(sentence.word(name)) : 0;
    const bool day = sentence.follows(name + 1) && day_number(sentence.word(name + 1)) > 0;
    if (last == 0 || last == first || day) {
        return false;
    }
    int days = 0;
    int months_between = 1;
    for (int month = first;; month = month % 12 + 1, ++months_between) {
        days += days_of_months[static_cast<std::size_t>(month - 1)];
        if (month == last) {
            break;
        }
    }
    sentence.reading.deadline_s = days * 86400.0;
    sentence.assume("deadline_s", fmt::format("{:.0f}", *sentence.reading.deadline_s),
                    fmt::format("{} whole months, from the first of {} to the last of {}",
                                months_between, months[static_cast<std::size_t>(first - 1)],
                                months[static_cast<std::size_t>(last - 1)]));
    sentence.claim(at, name + 1 - at);
    return true;
}

/// "2027-03-01".
bool match_written_date(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const auto two_digits = [&](std::size_t i) {
        return i < sentence.tokens.size() && sentence.tokens[i].gap == Gap::joint &&
               sentence.word(i).size() == 2 && all_digits(sentence.word(i));
    };
    if (word.size() != 4 || !all_digits(word) || !two_digits(at + 1) || !two_digits(at + 2)) {
        return false;
    }
    sentence.reading.deadline_date =
        fmt::format("{}-{}-{}", word, sentence.word(at + 1), sentence.word(at + 2));
    sentence.claim(at, 3);
    return true;
}

/// "until friday", "by the end of the month".
bool match_named_end(Sentence& sentence, std::size_t at) {
    if (!is_any(sentence.word(at), "by until till before")) {
        return false;
    }
    std::size_t end = at + 1;
    while (sentence.follows(end) && is_any(sentence.word(end), "the this next end of coming new")) {
        ++end;
    }
    const std::string_view word = sentence.follows(end) ? sentence.word(end) : std::string_view();
    // Feasts by which work is often due.
    if (is_any(word, "christmas xmas") || (word == "year" && sentence.word(end - 1) == "new")) {
        sentence.reading.deadline_date = word == "year" ? "--12-31" : "--12-24";
        sentence.claim(at, end + 1 - at);
        return true;
    }
    const bool weekday = is_any(word, "monday tuesday wednesday thursday friday saturday sunday");
    const bool period = sentence.word(at + 1) != word && near_words(sentence, at, end, "end") &&
                        is_any(word, "week month year");
    if (!weekday && !period) {
        return false;
    }
    sentence.reading.deadline_date = weekday ? std::string(word) : "end of " + std::string(word);
    sentence.claim(at, end + 1 - at);
    return true;
}

}  // namespace

bool match_date(Sentence& sentence, std::size_t at) {
    if (match_written_date(sentence, at) || match_months(sentence, at) ||
        match_named_end(sentence, at)) {
        return true;
    }
    const Day day = day_at(sentence, at);
    if (day.words == 0) {
        return false;
    }
    take_day(sentence, day);
    sentence.claim(at, day.words);
    return true;
}

}  // namespace ridgeline::reading
