#include "base/date.h"

#include "base/text.h"

#include <fmt/format.h>

#include <charconv>

namespace ridgeline {
namespace {

namespace chrono = std::chrono;

/// -1 where a letter is no digit.
int number_at(std::string_view text, std::size_t at, std::size_t length) {
    const std::string_view digits = text.substr(at, length);
    int value = -1;
    if (all_digits(digits)) {
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    }
    return value;
}

}  // namespace

std::optional<chrono::sys_days> date_from(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return std::nullopt;
    }
    const int year = number_at(text, 0, 4);
    const int month = number_at(text, 5, 2);
    const int day = number_at(text, 8, 2);
    if (year < 0 || month < 0 || day < 0) {
        return std::nullopt;
    }
    const chrono::year_month_day date(chrono::year(year),
                                      chrono::month(static_cast<unsigned>(month)),
                                      chrono::day(static_cast<unsigned>(day)));
    return date.ok() ? std::optional(chrono::sys_days(date)) : std::nullopt;
}

std::string date_text(chrono::sys_days day) {
    const chrono::year_month_day date(day);
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace ridgeline
