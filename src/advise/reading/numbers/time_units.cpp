#include "advise/reading/numbers/time_units.h"

#include <algorithm>
#include <iterator>

namespace ridgeline::reading {
namespace {

struct UnitOfTime {
    std::string_view word;
    double seconds;
};
constexpr double day_s = 86400;
// clang-format off
constexpr UnitOfTime units_of_time[] = {
    {"ms", 1e-3}, {"msec", 1e-3}, {"millisecond", 1e-3}, {"milliseconds", 1e-3}, {"millis", 1e-3},
    {"microsecond", 1e-6}, {"microseconds", 1e-6}, {"usec", 1e-6}, {"nanosecond", 1e-9}, {"nanoseconds", 1e-9},
    {"s", 1}, {"sec", 1}, {"secs", 1}, {"second", 1}, {"seconds", 1},
    {"min", 60}, {"mins", 60}, {"minute", 60}, {"minutes", 60},
    {"h", 3600}, {"hr", 3600}, {"hrs", 3600}, {"hour", 3600}, {"hours", 3600}, {"stunden", 3600},
    {"d", day_s}, {"day", day_s}, {"days", day_s}, {"tage", day_s},
    {"week", 7 * day_s}, {"weeks", 7 * day_s}, {"wk", 7 * day_s}, {"w", 7 * day_s},
    {"weekend", 2 * day_s}, {"weekends", 2 * day_s},
    {"fortnight", 14 * day_s},
    {"month", 30 * day_s}, {"months", 30 * day_s}, {"mo", 30 * day_s}, {"mos", 30 * day_s}, {"monate", 30 * day_s},
    {"meses", 30 * day_s}, {"mois", 30 * day_s},
    {"year", 360 * day_s}, {"years", 360 * day_s}, {"yr", 360 * day_s}, {"yrs", 360 * day_s},
    {"jahre", 360 * day_s}, {"y", 360 * day_s},
    {"quarter", 90 * day_s},
};
// clang-format on

}  // namespace

double seconds_of(std::string_view unit) {
    const auto* found = std::find_if(std::begin(units_of_time), std::end(units_of_time),
                                     [&](const UnitOfTime& each) { return each.word == unit; });
    return found != std::end(units_of_time) ? found->seconds : 0;
}

}  // namespace ridgeline::reading
