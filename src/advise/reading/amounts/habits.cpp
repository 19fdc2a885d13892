#include "advise/reading/amounts/habits.h"

#include "advise/reading/money/purchases.h"

#include <fmt/format.h>

#include <algorithm>

// How much of its time hardware is used, told as a habit: "2 days a week", "only on weekends", "in
// the evenings", "office hours". Owning is weighed against renting by it.

namespace ridgeline::reading {
namespace {

constexpr double days_of_a_week = 7;
constexpr double days_of_a_month = 30;

/// Days of a week, and the hours of such a day where they are told; `words` of the question.
struct Habit {
    double days = 0;
    double hours = 0;  ///< of such a day; 0: open
    std::size_t words = 0;
};

/// "a week", "per month", "/week", "weekly": the days of it, and its tokens.
std::pair<double, std::size_t> period_of_days(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return {0, 0};
    }
    const auto days = [](std::string_view word) {
        return is_any(word, "week wk")    ? days_of_a_week
               : is_any(word, "month mo") ? days_of_a_month
                                          : 0;
    };
    const std::string_view word = sentence.word(at);
    if (is_any(word, "weekly monthly")) {
        return {word == "weekly" ? days_of_a_week : days_of_a_month, 1};
    }
    if (sentence.tokens[at].gap == Gap::slash) {
        return {days(word), 1};
    }
    const bool article = is_any(word, "a per each every") && sentence.follows(at + 1);
    return {article ? days(sentence.word(at + 1)) : 0, 2};
}

/// "2 days a week", "one day per week", "3 evenings a week", "twice a week".
Habit counted_days(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const double times = word == "once" ? 1 : word == "twice" ? 2 : 0;
    const auto measure = measure_at(sentence, at);
    const bool plain = measure && !measure->scaled && !measure->negative && measure->value > 0;
    const bool one = is_any(word, "one a");
    if (!(times > 0 || one || plain)) {
        return {};
    }
    std::size_t end = at + (measure ? measure->length : 1);
    const bool glued = measure && is_any(measure->unit, "d day days");
    double hours = 0;
    if (times == 0 && !glued) {
        const std::string_view unit =
            sentence.follows(end) ? sentence.word(end) : std::string_view();
        hours = is_any(unit, "evening evenings") ? 4 : is_any(unit, "night nights") ? 12 : 0;
        if (hours == 0 && !is_any(unit, "day days")) {
            return {};
        }
        ++end;
    }
    const auto [days, length] = period_of_days(sentence, end);
    const double count = times > 0 ? times : one ? 1 : measure->value;
    return days > 0 && count <= days
               ? Habit{count * days_of_a_week / days, hours, end + length - at}
               : Habit{};
}

/// "weekends", "weekdays", "on saturdays", "in the evenings", "office hours".
Habit named_days(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view before =
        at > 0 && sentence.follows(at) ? sentence.word(at - 1) : std::string_view();
    const bool each = is_any(before, "every each on at");
    if (word == "weekends" || (word == "weekend" && each)) {
        return {2, 0, 1};
    }
    if (is_any(word, "weekdays workdays") ||
        (is_any(word, "weekday workday") && (each || is_any(before, "per a")))) {
        return {5, 0, 1};
    }
    // "monday to friday", "mon-fri"
    if (is_any(word, "monday mon mo") && sentence.follows(at + 1)) {
        const bool joined = is_any(sentence.word(at + 1), "friday fri fr");
        const bool to = is_any(sentence.word(at + 1), "to through thru till until bis") &&
                        is_any(sentence.word(at + 2), "friday fri fr");
        if (joined || to) {
            return {5, 0, joined ? 2U : 3U};
        }
    }
    if (is_any(word, "working business work") && is_any(sentence.word(at + 1), "day days")) {
        return {5, 0, 2};
    }
    if (is_any(word, "mondays tuesdays wednesdays thursdays fridays saturdays sundays")) {
        return {1, 0, 1};
    }
    if (word == "evenings" || (word == "evening" && each)) {
        return {days_of_a_week, 4, 1};
    }
    if (word == "nights" || (word == "night" && each)) {
        return {days_of_a_week, 12, 1};
    }
    const bool hours = is_any(word, "office business working work") && sentence.follows(at + 1) &&
                       sentence.word(at + 1) == "hours";
    return hours ? Habit{5, 8, 2} : Habit{};
}

/// "10 hrs on weekdays", "3 h every evening": hours right before such days are those of each.
bool hours_stand_before(Sentence& sentence, std::size_t at) {
    std::size_t unit = at;
    while (unit > 0 && sentence.follows(unit) &&
           is_any(sentence.word(unit - 1), "on every each per the in a")) {
        --unit;
    }
    if (unit == at || unit < 1 || !sentence.follows(unit)) {
        return false;
    }
    const bool apart = unit > 1 && is_any(sentence.word(unit - 1), "h hr hrs hour hours");
    const std::size_t number = apart ? unit - 2 : unit - 1;
    const auto hours = measure_at(sentence, number);
    const bool told = hours && sentence.open(number) && hours->value > 0 && hours->value <= 24 &&
                      (apart || is_any(hours->unit, "h hr hrs hour hours"));
    if (told) {
        sentence.reading.hours_per_day = hours->value;
        sentence.claim(number, at - number);
    }
    return told;
}

/// Whether it is asked if hardware pays: a habit of work tells nothing of a run.
bool weighs_money(const Sentence& sentence) {
    return weighs_owning(sentence) ||
           (sentence.any_word("buy buying purchase purchasing") &&
            sentence.any_word("sense worth worthwhile justify justified pays pay"));
}

/// "monthly bill of 4 l4 on weekdays": what such a habit costs.
bool is_paid(const Sentence& sentence) {
    return sentence.any_word("cost costs price bill monthly month pay much expensive rent rental");
}

}  // namespace

bool match_habit(Sentence& sentence, std::size_t at) {
    Habit habit = counted_days(sentence, at);
    const Habit named = habit.words == 0 ? named_days(sentence, at) : Habit{};
    // "for 2 weekends": a time, no habit.
    const auto number =
        at > 0 && sentence.follows(at) ? amount_in(sentence.word(at - 1)) : std::nullopt;
    const bool counted = number && number->unit.empty();
    if (counted && named.words == 1 && is_any(sentence.word(at), "weekend weekends")) {
        return false;
    }
    if (named.words > 0 &&
        (hours_stand_before(sentence, at) || weighs_money(sentence) || is_paid(sentence))) {
        habit = named;
    }
    if (habit.words == 0) {
        // "48 a100 idle on weekends": the days on which a run may go on.
        const double share = named.days / days_of_a_week * (named.hours > 0 ? named.hours / 24 : 1);
        sentence.run_share = named.words > 0 && !counted ? share : sentence.run_share;
        return false;
    }
    // "saturdays and sundays", of "3 evenings a week" the days alone.
    sentence.days_of_week = std::min(days_of_a_week, sentence.days_of_week + habit.days);
    sentence.hours_of_day = habit.hours > 0 ? habit.hours : sentence.hours_of_day;
    sentence.claim(at, habit.words);
    return true;
}

void settle_run_share(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const double share = sentence.run_share;
    const bool trains = reading.task == Task::train || !reading.method.empty() ||
                        sentence.has(Means::train) || sentence.has(Means::tune);
    if (share <= 0 || share >= 1 || !trains || reading.task == Task::inference) {
        return;
    }
    bool weekends = false;  // "in 10 weekends" is told of those days already
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const auto number = amount_in(sentence.word(i - 1));
        weekends = weekends || (is_any(sentence.word(i), "weekends weekend") && number &&
                                number->unit.empty() && sentence.follows(i));
    }
    constexpr double week_s = 7 * 86400;
    if (reading.deadline_s && *reading.deadline_s >= week_s && !weekends) {
        reading.deadline_s = *reading.deadline_s * share;
        sentence.assume(
            "deadline_s", fmt::format("{:.0f}", *reading.deadline_s),
            fmt::format("{:.0f} % of that time, in which the hardware is free", 100 * share));
    } else if (reading.intent == Intent::duration) {
        reading.unweighed.push_back(fmt::format(
            "the days between (by the calendar it takes {:.2g} times as long)", 1 / share));
    }
}

void settle_habits(Sentence& sentence) {
    if (sentence.days_of_week <= 0) {
        return;
    }
    Reading& reading = sentence.reading;
    const bool told = reading.hours_per_day || sentence.hours_of_day > 0;
    const double hours =
        reading.hours_per_day.value_or(sentence.hours_of_day > 0 ? sentence.hours_of_day : 24);
    reading.hours_per_day = hours * sentence.days_of_week / days_of_a_week;
    sentence.assume("hours_per_day", fmt::format("{:.3g}", *reading.hours_per_day),
                    fmt::format("{:g} hours on {:.3g} days of a week{}", hours,
                                sentence.days_of_week, told ? "" : ", as no hours were said"));
}

}  // namespace ridgeline::reading
