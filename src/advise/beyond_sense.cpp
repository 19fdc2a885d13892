#include "advise/beyond_sense.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

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

double figure_of(const AnswerValue& value) { return value.mid.value_or(value.low.value_or(0)); }

bool is_beyond(const AnswerValue& value) {
    const SenseBound* bound = bound_of(value.unit);
    // Rounding is not a figure beyond.
    return bound != nullptr && figure_of(value) * bound->scale > bound->most * (1 + 1e-9);
}

const AnswerValue* hours_of_work(const Answer& reply) {
    const auto found = std::ranges::find(reply.values, "accelerator_hours", &AnswerValue::quantity);
    return found == reply.values.end() ? nullptr : &*found;
}

const AnswerValue* first_beyond(const Answer& reply) {
    const AnswerValue* work = hours_of_work(reply);
    const bool work_asked = work != nullptr && work == &reply.values.front();
    for (const AnswerValue& value : reply.values) {
        const bool waits = value.quantity == "time" && work_asked;
        if (is_beyond(value) && !waits) {
            return &value;
        }
    }
    for (const Answer& each : reply.answers) {
        if (const AnswerValue* value = first_beyond(each); value != nullptr) {
            return value;
        }
    }
    return nullptr;
}

}  // namespace

std::string beyond_sense(const Answer& reply) {
    const AnswerValue* value = first_beyond(reply);
    if (value == nullptr) {
        return "";
    }
    const SenseBound& bound = *bound_of(value->unit);
    return fmt::format(
        "{}, more than {}, which no plan can mean: either a figure was not read as it was meant, "
        "or the hardware is far too small for the work",
        bound.words(figure_of(*value) * bound.scale), bound.most_words);
}

std::vector<AnswerValue> figures_of_run(const Estimate& estimate) {
    return {{"time", {}, estimate.time.total / hour, {}, "h", ""},
            {"cost", {}, estimate.cost.usd_total, {}, "USD", ""}};
}

std::string beyond_sense(const Estimate& estimate) {
    Answer run;
    run.values = figures_of_run(estimate);
    return beyond_sense(run);
}

Answer refusal_of(const Answer& reply) {
    Answer refusal;
    refusal.headline = fmt::format("That comes to {}.", beyond_sense(reply));
    if (const AnswerValue* work = hours_of_work(reply); work != nullptr && !is_beyond(*work)) {
        refusal.headline += fmt::format(" The work is {}.", work_words(figure_of(*work)));
        refusal.values = {*work};
    }
    return refusal;
}

}  // namespace ridgeline
