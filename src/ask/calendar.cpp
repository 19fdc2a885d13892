#include "ask/calendar.h"

#include "base/date.h"

#include <array>
#include <charconv>
#include <chrono>

namespace ridgeline::ask {
namespace {

namespace chrono = std::chrono;

int number_in(std::string_view text, std::size_t at, std::size_t length) {
    int value = 0;
    const std::string_view part = text.substr(at, length);
    std::from_chars(part.data(), part.data() + part.size(), value);
    return value;
}

chrono::year_month_day last_of(chrono::year year, chrono::month month) {
    return chrono::year_month_day(year / month / chrono::last);
}

}  // namespace

std::string next_day(std::string_view today, std::string_view told) {
    static constexpr std::array<std::string_view, 7> weekdays = {
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};
    const chrono::year_month_day now(chrono::year(number_in(today, 0, 4)),
                                     chrono::month(static_cast<unsigned>(number_in(today, 5, 2))),
                                     chrono::day(static_cast<unsigned>(number_in(today, 8, 2))));
    const chrono::sys_days start(now);
    for (unsigned i = 0; i < weekdays.size(); ++i) {
        if (told == weekdays[i]) {
            const chrono::days ahead = chrono::weekday(i) - chrono::weekday(start);
            return date_text(start + (ahead.count() == 0 ? chrono::days(7) : ahead));
        }
    }
    if (told == "end of week") {
        const chrono::days ahead = chrono::Sunday - chrono::weekday(start);
        return date_text(start + ahead);
    }
    if (told == "end of month" || told == "end of year") {
        return date_text(
            last_of(now.year(), told == "end of year" ? chrono::December : now.month()));
    }
    if (!told.starts_with("--") || told.size() != 7) {
        return std::string(told);
    }
    chrono::year_month_day day(now.year(),
                               chrono::month(static_cast<unsigned>(number_in(told, 2, 2))),
                               chrono::day(static_cast<unsigned>(number_in(told, 5, 2))));
    if (day <= now) {
        day += chrono::years(1);
    }
    return date_text(day);
}

}  // namespace ridgeline::ask
