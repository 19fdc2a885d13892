#include "advise/figure_words.h"
#include "ask/kernel_answer.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "report/kernel_words.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

// One kernel on the hardware that was named, else on the best of the catalog.

namespace ridgeline::ask {
namespace {

const report::KernelOn& chosen_place(const report::KernelAnswer& answer) {
    return answer.by_cost ? answer.places.front() : report::fastest(answer);
}

/// What its arrays need, where a question is whether it fits or what it takes.
void add_kernel_memory(Intent intent, const report::KernelOn& best, Answer& reply) {
    const double gib = best.estimate.work.resident / gibibyte;
    const int count = best.cluster.count;
    if (intent == Intent::memory) {
        const double all = gib * count;
        reply.values.push_back({"memory", {}, all, {}, "GiB", ""});
        reply.headline = fmt::format(
            "Its arrays and work areas take {}{}. {}", format_gib(all),
            count > 1 ? fmt::format(", {} on each of {}", format_gib(gib), count) : std::string(),
            reply.headline);
    }
    if (intent == Intent::fit) {
        reply.needs = AnswerNeeds{gib, gib, gib};
        reply.have_gib = best.estimate.capacity / gibibyte;
    }
}

/// What a card must hold, where that parts the hardware.
std::string memory_to_hold(const report::KernelOn& best) {
    constexpr double least = 8;  // less is on every card
    const double gib = best.estimate.work.resident * best.cluster.count / gibibyte;
    return gib < least ? std::string()
                       : fmt::format(" Its arrays and work areas take {}.", format_gib(gib));
}

std::string lower_words(const std::vector<std::string>& question) {
    std::string words;
    for (const std::string& piece : question) {
        words += lower(piece) + " ";
    }
    return words;
}

/// "How many steps per second": that many, a sentence; empty: it was not asked.
std::string runs_a_second(const std::vector<std::string>& question, const report::KernelOn& on,
                          std::vector<AnswerValue>& values) {
    const std::string words = lower_words(question);
    static constexpr std::string_view units[] = {"steps",      "iterations", "sweeps", "updates",
                                                 "transforms", "ffts",       "runs"};
    for (const std::string_view unit : units) {
        const std::size_t at = words.find(unit);
        const std::string_view rest =
            at == std::string::npos ? "" : std::string_view(words).substr(at + unit.size());
        if (rest.starts_with("/s") || rest.starts_with(" per s") || rest.starts_with(" a sec") ||
            rest.starts_with(" each sec")) {
            const double rate = 1 / on.seconds();
            const double low = rate / on.estimate.high, high = rate / on.estimate.low;
            values.push_back({"runs", low, rate, high, std::string(unit) + "/s", ""});
            return fmt::format(" That is {} {} a second ({} to {}).", figure_words(rate), unit,
                               figure_words(low), figure_words(high));
        }
    }
    return "";
}

/// Whether the nanoseconds of a day that were asked, as time steps a second, are reached; the range
/// decides as it does of a rate.
void tell_simulated_pace(double steps_per_s, const report::KernelOn& on, Answer& reply) {
    const double reached = 1 / on.seconds() / steps_per_s;
    const double asked = on.estimate.rate / reached;
    const bool surely = reached >= on.estimate.high;
    reply.verdict = surely ? "yes" : reached >= 1 ? "barely" : "no";
    reply.headline =
        fmt::format("{}: {} ns/day of {} asked on {}{}. ",
                    surely         ? "Yes"
                    : reached >= 1 ? "Barely"
                                   : "No",
                    figure_words(on.estimate.rate), figure_words(asked), cards_words(on.cluster),
                    surely || reached < 1 ? "" : ", its slow end is below") +
        reply.headline;
}

/// Whether so many steps a second as were asked are reached; the range decides as it does of a
/// rate.
void tell_step_pace(double asked, const report::KernelOn& on, Answer& reply) {
    const double rate = 1 / on.seconds();
    const bool surely = rate >= asked * on.estimate.high;
    reply.verdict = surely ? "yes" : rate >= asked ? "barely" : "no";
    reply.headline = fmt::format("{}: {} steps/s ({} to {}) of {} asked on {}. ",
                                 surely          ? "Yes"
                                 : rate >= asked ? "Barely"
                                                 : "No",
                                 figure_words(rate), figure_words(rate / on.estimate.high),
                                 figure_words(rate / on.estimate.low), figure_words(asked),
                                 cards_words(on.cluster)) +
                     reply.headline;
}

/// "timesteps per second" of what is told in nanoseconds a day: the steps lead.
void lead_with_steps(const std::string& question, const report::KernelOn& on, Answer& reply) {
    const bool asked = std::ranges::any_of(
        std::initializer_list<std::string_view>{"steps per sec", "steps/s", "steps a second",
                                                "steps / s", "steps each second"},
        [&](std::string_view words) { return question.find(words) != std::string::npos; });
    if (asked) {
        const double rate = 1 / on.seconds();
        reply.headline =
            fmt::format("{} steps/s ({} to {}) on {}. ", figure_words(rate),
                        figure_words(rate / on.estimate.high), figure_words(rate / on.estimate.low),
                        cards_words(on.cluster)) +
            reply.headline;
    }
}

/// How long the nanoseconds that were asked take, as steps of their length.
void tell_simulated_time(double steps, const report::KernelOn& on, Answer& reply) {
    const double seconds = steps * on.seconds();
    const double ns = seconds / 86400 * on.estimate.rate;
    reply.headline =
        fmt::format("{} ns take {} ({} to {}) on {}, {} steps. ", figure_words(ns),
                    format_duration(seconds), format_duration(seconds * on.estimate.low),
                    format_duration(seconds * on.estimate.high), cards_words(on.cluster),
                    format_count(steps)) +
        reply.headline;
}

/// How long so many steps of a kernel take, before how long one does.
void tell_steps(double steps, const report::KernelOn& on, Answer& reply) {
    const double seconds = steps * on.seconds();
    reply.values.push_back(
        {"steps_time", seconds * on.estimate.low, seconds, seconds * on.estimate.high, "s", ""});
    reply.headline =
        fmt::format("{} steps take {} ({} to {}) on {}. ", format_count(steps),
                    format_duration(seconds), format_duration(seconds * on.estimate.low),
                    format_duration(seconds * on.estimate.high), cards_words(on.cluster)) +
        reply.headline;
}

/// Whether a rate that was measured is what is expected, before all else.
///
/// seen  bytes or operations a second
void tell_seen_rate(double seen, const report::KernelOn& on, Answer& reply) {
    const KernelEstimate& estimate = on.estimate;
    if (!is_among(estimate.work.unit, {"GB/s", "GFLOP/s"})) {
        return;
    }
    const double share = seen / 1e9 / estimate.rate;
    // The band is of the time: the longest gives the least rate.
    const std::string_view judged = share * estimate.high < 1  ? "low"
                                    : share * estimate.low > 1 ? "more than is expected"
                                                               : "as expected";
    const bool large = estimate.work.unit == "GFLOP/s" && estimate.rate >= 1e3;
    const double scale = large ? 1e-3 : 1;
    reply.headline =
        fmt::format("{} {}, as measured, is {}: {:.0f} % of the {} ({} to {}) of the estimate. ",
                    figure_words(scale * seen / 1e9), large ? "TFLOP/s" : estimate.work.unit,
                    judged, 100 * share, figure_words(scale * estimate.rate),
                    figure_words(scale * estimate.rate / estimate.high),
                    figure_words(scale * estimate.rate / estimate.low)) +
        reply.headline;
}

void add_kernel_figures(const report::KernelOn& on, std::vector<AnswerValue>& values) {
    const std::string& id = on.cluster.accelerator->id;
    const KernelEstimate& estimate = on.estimate;
    values.push_back(
        {"time", on.seconds() * estimate.low, on.seconds(), on.seconds() * estimate.high, "s", id});
    if (estimate.work.unit == "GFLOP/s") {
        const double tera = estimate.rate / 1000;
        values.push_back({"rate", tera / estimate.high, tera, tera / estimate.low, "TFLOP/s", id});
    }
}

AnswerChoice choice_of(const report::KernelAnswer& answer, const report::KernelOn& best) {
    AnswerChoice choice;
    choice.accelerator = best.cluster.accelerator->id;
    choice.count = best.cluster.count;
    if (best.usd_per_hour > 0) {
        choice.usd_per_hour = best.usd_per_hour;
    }
    choice.why = answer.by_cost ? "cheapest" : "fastest";
    choice.verdict = best.estimate.fits ? "yes" : "no";
    return choice;
}

/// ", 32 x h100-sxm5-80gb too": other parts of the question, each in its number; empty: none.
std::string other_forms_that_hold(const World& world, const report::KernelAnswer& answer,
                                  const report::KernelOn& best) {
    std::string words;
    for (const report::KernelOn& on : answer.places) {
        const int enough = on.cluster.accelerator == best.cluster.accelerator
                               ? 0
                               : enough_for_kernel(world, answer, on.cluster);
        if (enough > on.cluster.count) {
            words += fmt::format(", {} x {}", enough, on.cluster.accelerator->id);
        }
    }
    return words.empty() ? words : words + " too";
}

/// Whether it fits, before the figures of the first line.
///
/// asks_number  how many hold it is what was asked
void tell_kernel_fit(const World& world, Intent intent, const report::KernelAnswer& answer,
                     const report::KernelOn& best, bool asks_number, Answer& reply) {
    if (!best.estimate.fits) {
        reply.verdict = "no";
        const int enough = enough_for_kernel(world, answer, best.cluster);
        if (enough > best.cluster.count) {
            const std::string number =
                fmt::format("{} x {} hold it{}.", enough, best.cluster.accelerator->id,
                            other_forms_that_hold(world, answer, best));
            constexpr std::string_view no = "No: ";
            reply.headline = asks_number && reply.headline.starts_with(no)
                                 ? number + " One does not: " + reply.headline.substr(no.size())
                                 : reply.headline + " " + number;
        }
    } else if (intent == Intent::fit) {
        reply.headline = report::kernel_fit_sentence(answer) + " " + reply.headline;
        reply.verdict = "yes";
    } else if (intent == Intent::hardware) {
        reply.headline += memory_to_hold(best);
    }
}

/// No number was said, and one does not hold it.
void tell_count(const report::KernelOn& best, Answer& reply) {
    reply.headline = fmt::format("{} {} hold its arrays and work areas, {} of {} on each. {}",
                                 best.cluster.count, best.cluster.accelerator->name,
                                 format_gib(best.estimate.work.resident / gibibyte),
                                 format_gib(best.estimate.capacity / gibibyte), reply.headline);
}

bool says_count(const Reading& reading, const Query& query) {
    return query.exact_accelerators || std::ranges::any_of(reading.sides, [](const ReadSide& side) {
               return side.count.has_value();
           });
}

/// The largest size comes first.
void tell_largest_kernel(const std::string& largest, const Kernel& kernel, Answer& reply) {
    reply.headline = largest + " " + reply.headline;
    const bool line = kernel.size.empty();
    reply.values.push_back({"size",
                            {},
                            line ? kernel.elements : kernel.size.front(),
                            {},
                            line ? "elements" : "side",
                            ""});
}

}  // namespace

Result<Routed> Router::kernel() {
    const std::string largest =
        reading_.intent == Intent::largest ? enlarge_kernel(world_, asked_) : std::string();
    reading_.flags = largest.empty() ? reading_.flags : flags_of(reading_, asked_.query);
    const auto answer = kernel_asked(world_, asked_);
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    Routed out;
    out.json = report::kernel_json(*answer, stamp());
    out.text = report::kernel_text(*answer, style(), true);
    Answer& reply = out.reply;
    reply.headline = report::kernel_sentence(*answer);
    const report::KernelOn& best = chosen_place(*answer);
    const bool fits = best.estimate.fits;
    const bool counted = says_count(reading_, asked_.query);
    reply.choice = choice_of(*answer, best);
    const bool asks_number =
        !counted && lower_words(request_.texts("question")).find("how many") != std::string::npos;
    tell_kernel_fit(world_, reading_.intent, *answer, best, asks_number, reply);
    if (fits && best.cluster.count > 1 && !counted) {
        tell_count(best, reply);
    }
    add_kernel_memory(reading_.intent, best, reply);
    const bool simulates = best.estimate.work.unit == "ns/day" && fits;
    if (reading_.requests_per_s && simulates) {
        tell_simulated_pace(*reading_.requests_per_s, best, reply);
    } else if (reading_.requests_per_s && fits) {
        tell_step_pace(*reading_.requests_per_s, best, reply);
    }
    if (simulates && !reading_.requests_per_s) {
        lead_with_steps(lower_words(request_.texts("question")), best, reply);
    }
    if (reading_.seen_per_s && fits) {
        tell_seen_rate(*reading_.seen_per_s, best, reply);
    }
    if (reading_.steps && simulates) {
        tell_simulated_time(*reading_.steps, best, reply);
    } else if (reading_.steps && fits) {
        tell_steps(*reading_.steps, best, reply);
    }
    if (!largest.empty()) {
        tell_largest_kernel(largest, *asked_.query.workload.kernel, reply);
    }
    if (reading_.intent == Intent::throughput && fits && best.seconds() < 1) {
        reply.headline += runs_a_second(request_.texts("question"), best, reply.values);
    }
    for (const report::KernelOn& on : answer->places) {
        add_kernel_figures(on, reply.values);
    }
    const bool any =
        std::ranges::any_of(answer->places, [](const auto& on) { return on.estimate.fits; });
    // How many hold it was the question: that one does not is no failure.
    const bool told = asks_number && reply.headline.find(" hold it") != std::string::npos;
    out.exit_code = any || told ? 0 : 3;
    return out;
}

}  // namespace ridgeline::ask
