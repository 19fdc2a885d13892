#include "advise/sense.h"

#include "advise/figure_words.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ridgeline {
namespace {

constexpr double hours_a_year = 365.25 * 24;

/// The most of a unit, and what one of it is of the unit that it is told in.
struct SenseBound {
    std::string_view unit;
    double most;
    double scale;
    std::string (*words)(double);
    std::string_view most_words;
};

std::string hours_words(double hours) { return format_duration(hours * 3600); }
std::string count_words(double count) { return figure_words(count) + " accelerators"; }
std::string work_words(double hours) { return format_count(hours) + " accelerator-hours"; }
std::string energy_words(double kwh) { return format_count(kwh) + " kWh"; }
std::string rent_words(double usd) { return format_usd(usd) + " a year"; }

constexpr double most_hours = longest_sense_years * hours_a_year;
// All power stations of the world made 31,000 TWh in 2024 (Ember, Global Electricity Review 2025).
constexpr double most_kwh = 3.1e13;

constexpr std::string_view years = "1,000 years";
constexpr std::string_view hardware = "a million accelerators";
constexpr std::string_view money = "a trillion dollars";

constexpr SenseBound bounds[] = {
    {"s", most_hours, 1.0 / 3600, &hours_words, years},
    {"h", most_hours, 1, &hours_words, years},
    {"days", most_hours, 24, &hours_words, years},
    {"months", most_hours, hours_a_year / 12, &hours_words, years},
    {"years", most_hours, hours_a_year, &hours_words, years},
    {"accelerators", most_sense_accelerators, 1, &count_words, hardware},
    {"machines", most_sense_accelerators, 1, &count_words, hardware},
    {"nodes", most_sense_accelerators, 1, &count_words, hardware},
    {"accelerator-hours", most_sense_accelerators* most_hours, 1, &work_words,
     "a million accelerators work in 1,000 years"},
    {"USD", most_sense_usd, 1, &format_usd, money},
    {"USD/h", most_sense_usd, hours_a_year, &rent_words, money},
    {"kWh", most_kwh, 1, &energy_words, "the world's power stations make in a year"},
};

const SenseBound* bound_of(std::string_view unit) {
    const auto* found = std::ranges::find(bounds, unit, &SenseBound::unit);
    return found == std::end(bounds) ? nullptr : found;
}

}  // namespace

std::string beyond_sense(double figure, std::string_view unit) {
    const SenseBound* bound = bound_of(unit);
    // Rounding is not a figure beyond.
    if (bound == nullptr || figure * bound->scale <= bound->most * (1 + 1e-9)) {
        return "";
    }
    return fmt::format(
        "{}, more than {}, which no plan can mean: either a figure was not read as it was meant, "
        "or the hardware is far too small for the work",
        bound->words(figure * bound->scale), bound->most_words);
}

std::string beyond_sense(const Estimate& estimate) {
    const std::string longer = beyond_sense(estimate.time.total / hour, "h");
    return longer.empty() ? beyond_sense(estimate.cost.usd_total, "USD") : longer;
}

}  // namespace ridgeline
