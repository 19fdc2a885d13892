#include "advise/answers/answer.h"
#include "advise/answers/hours_of_day.h"
#include "advise/answers/rate_words.h"
#include "advise/answers/rents.h"
#include "advise/figure_words.h"
#include "base/duration_range.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// Replies about how long a run or a job takes.

namespace ridgeline {
namespace {

/// "$8.27 ($6.10 to $12.00)", in the currency that was asked for "6.47 pounds ($8.27, from $6.10 to
/// $12.00)".
std::string cost_words(const Reading& reading, double low, double usd, double high) {
    return reading.currency.empty()
               ? fmt::format("{} ({} to {})", format_usd(usd), format_usd(low), format_usd(high))
               : fmt::format("{} {} ({}, from {} to {})",
                             figure_words(usd / reading.usd_per_currency), reading.currency,
                             format_usd(usd), format_usd(low), format_usd(high));
}

/// What a job is made of where it is no number of tokens: windows of audio, images, texts.
struct Pile {
    double samples = 0;
    std::string words;  ///< "500 hours of audio"
};
std::optional<Pile> pile_of(const Reading& reading, const Architecture& architecture) {
    if (reading.audio_s) {
        constexpr double hour = 3600;
        return Pile{reading.heard_s.value_or(*reading.audio_s) / audio_window_s,
                    *reading.audio_s < hour
                        ? format_duration(*reading.audio_s) + " of audio"
                        : fmt::format("{} hour{} of audio", figure_words(*reading.audio_s / hour),
                                      *reading.audio_s == hour ? "" : "s")};
    }
    if (!reading.samples && !reading.tokens && counts_images(architecture)) {
        return Pile{1, frames_a_second(architecture) > 0 ? "one clip" : "one image"};
    }
    if (reading.samples && (counts_images(architecture) || !reading.tokens)) {
        return Pile{*reading.samples, fmt::format("{} {}", format_count(*reading.samples),
                                                  frames_a_second(architecture) > 0 ? "clips"
                                                  : counts_images(architecture)     ? "images"
                                                                                    : "samples")};
    }
    return std::nullopt;
}

/// What stretches the upper end of a run of days.
std::string lost_days_words(const TimeEstimate& time) {
    constexpr double told_below = 0.9;
    const bool long_run = time.run && time.run->high > 2 * 86400 * second;
    const double advancing = long_run ? time.band.high * time.run->steps / time.run->high : 1;
    return advancing < told_below
               ? fmt::format("; at the slow end {:.0f} % of it is lost, as in published logs",
                             100 * (1 - advancing))
               : "";
}

/// Whether a time that was set is kept.
std::string deadline_words(const Reading& reading, double work_seconds) {
    // Of each day it may have some hours alone.
    const double seconds = work_seconds * 24 / hours_of_run(reading).value_or(24);
    return !reading.deadline_s
               ? std::string()
               : fmt::format("; that is {} the {} asked",
                             seconds <= *reading.deadline_s ? "within" : "longer than",
                             format_duration(*reading.deadline_s));
}

/// The time that a job takes which nobody waits for: tokens to be read and answered, recordings,
/// images.
Answer reply_job(const Reading& reading, const Placement& placement) {
    const TimeEstimate& time = placement.estimate.time;
    const auto& serving = *placement.workload.serving;
    const auto pile = pile_of(reading, placement.architecture);
    // An encoder reads and writes nothing.
    const bool reads = placement.architecture.kind == ModelKind::encoder;
    const double each = (reading.writes_tokens && !reads ? 0 : serving.input_tokens) +
                        (reads ? 0 : serving.output_tokens);
    const double made = pile              ? pile->samples
                        : reading.samples ? *reading.samples
                                          : reading.tokens.value_or(0) / each;
    Answer reply;
    reply.choice = choice_of(placement);
    const double seconds = time.samples_per_second > 0 ? made / time.samples_per_second : 0;
    reply.values = {{"time", seconds * time.band.low / 3600, seconds / 3600,
                     seconds * time.band.high / 3600, "h", ""}};
    reply.headline = fmt::format(
        "{} on {}: {} take{} {}", model_of(placement) + room_words(reading, placement),
        cards_words(placement.cluster),
        pile ? pile->words
             : format_count(reading.tokens.value_or(0)) +
                   (reading.writes_tokens ? " tokens that are written" : " tokens"),
        pile && pile->samples == 1 ? "s" : "", duration_range(seconds * second, time.band));
    reply.headline += deadline_words(reading, seconds);
    const double hours = seconds / 3600 * placement.cluster.count;
    reply.values.push_back({"accelerator_hours", {}, hours, {}, "accelerator-hours", ""});
    reply.headline += fmt::format(", {} accelerator-hours", figure_words(hours));
    const double usd = placement.estimate.cost.usd_per_hour * seconds / 3600;
    if (usd > 0) {
        reply.values.push_back({"cost", usd * time.band.low, usd, usd * time.band.high, "USD", ""});
        reply.headline += ", " +
                          cost_words(reading, usd * time.band.low, usd, usd * time.band.high) +
                          paid_words(placement);
    }
    const std::string picture = picture_words(placement);
    reply.headline +=
        placement.architecture.reads_sound()
            ? fmt::format(", {:g} window{} of 30 s at once.", serving.concurrency,
                          serving.concurrency == 1 ? "" : "s")
        : counts_images(placement.architecture)
            ? fmt::format(", {:g} at once{}.", serving.concurrency,
                          picture.empty() ? "" : "; " + picture)
        : reads ? fmt::format(", {:g} at once of {:g} tokens.", serving.concurrency,
                              serving.input_tokens)
                : fmt::format(", {:g} requests at once of {:g} tokens in and {:g} out.",
                              serving.concurrency, serving.input_tokens, serving.output_tokens);
    return reply;
}

/// What a number of accelerator-hours trains, where no length of the run was said.
Answer trained_within(double hours, double hours_of_usual, const Placement& placement,
                      Answer reply) {
    const Interval& band = placement.estimate.time.band;
    const double usual = *placement.workload.duration_tokens;
    const double tokens = usual * hours / hours_of_usual;
    const double parameters = static_cast<double>(count_parameters(placement.architecture).total);
    reply.values.insert(reply.values.begin(),
                        {"trained", tokens / band.high, tokens, tokens / band.low, "tokens", ""});
    reply.headline = fmt::format(
        "{} accelerator-hours on {} train {} on {} tokens ({} to {}), {} for each parameter; {} "
        "tokens, the "
        "usual {:.0f} for each, take {}.",
        figure_words(hours), cards_words(placement.cluster), model_of(placement),
        format_count(tokens), format_count(tokens / band.high), format_count(tokens / band.low),
        figure_words(tokens / parameters), format_count(usual), usual / parameters,
        figure_words(hours_of_usual));
    return reply;
}

constexpr std::string_view takes = " takes ";

/// What was asked comes first: the hours of one accelerator, then the time of all of them.
void lead_with_accelerator_hours(Answer& reply, double hours, bool in_days,
                                 const std::string& whose) {
    const AnswerValue& time = reply.values.front();
    const AnswerValue value{"accelerator_hours",
                            hours * *time.low / *time.mid,
                            hours,
                            hours * *time.high / *time.mid,
                            "accelerator-hours",
                            ""};
    const std::string rest = reply.headline.substr(
        std::min(reply.headline.size(), reply.headline.find(takes) + takes.size()));
    constexpr double hours_of_a_day = 24;
    reply.headline = fmt::format(
        "{}{}{} accelerator-hours ({} to {}){}, {}", whose, takes, figure_words(hours),
        figure_words(*value.low), figure_words(*value.high),
        in_days ? fmt::format(", {} days of one of them", figure_words(hours / hours_of_a_day))
                : std::string(),
        rest);
    reply.values.insert(reply.values.begin(), value);
}

/// Whose time it is and where: "llama-3.1-8b on 8 x H100".
std::string place_words(const Reading& reading, const Placement& placement) {
    const bool more = std::ranges::any_of(reading.assumed, [](const AssumedField& assumed) {
        return assumed.field == "count" && assumed.why.ends_with("one does not hold it");
    });
    return model_of(placement) + room_words(reading, placement) + " on " +
           cards_words(placement.cluster) + (more ? " (one does not hold it)" : "");
}

/// `scale`: seconds of the unit in which a reader counts such a run, hours or days.
AnswerValue time_of_run(const TimeEstimate& time, double scale) {
    AnswerValue value =
        time_value("time", time.total, time.band, scale > 3600 ? "days" : "h", scale);
    if (time.run) {
        value.low = time.run->low / second / scale;
        value.high = time.run->high / second / scale;
    }
    return value;
}

/// The cost of a run at a rent that was told: "at $2 per hour" is what each accelerator costs,
/// "8 h100 at $16 an hour" all of them.
void tell_cost_at_told_rent(const Reading& reading, const Placement& placement,
                            double accelerator_hours, Answer& reply) {
    const int count = placement.cluster.count;
    const double known = placement.estimate.cost.usd_per_hour / count;
    const bool each = count == 1 || is_rate_of_one(reading, known, count);
    const AnswerValue time = reply.values.front();
    const double usd = *reading.usd_per_hour * accelerator_hours / (each ? 1 : count);
    const double low = usd * *time.low / *time.mid;
    const double high = usd * *time.high / *time.mid;
    reply.values.push_back({"cost", low, usd, high, "USD", ""});
    reply.headline +=
        fmt::format(", {} at {} {}", cost_words(reading, low, usd, high),
                    format_usd(*reading.usd_per_hour), each ? "an accelerator-hour" : "an hour");
}

void tell_cost_of_run(const Reading& reading, const Placement& placement, double accelerator_hours,
                      Answer& reply) {
    const CostEstimate& cost = placement.estimate.cost;
    if (pays_told_rent(reading)) {
        tell_cost_at_told_rent(reading, placement, accelerator_hours, reply);
    } else if (cost.usd_total > 0) {
        const double low = cost.usd_total_low > 0 ? cost.usd_total_low : cost.usd_total;
        const double high = cost.usd_total_high > 0 ? cost.usd_total_high : cost.usd_total;
        reply.values.push_back({"cost", low, cost.usd_total, high, "USD", ""});
        reply.headline +=
            ", " + cost_words(reading, low, cost.usd_total, high) + paid_words(placement);
    } else if (!reading.owned) {
        reply.headline += ", no rent of it is known";
    }
}

/// What was asked comes first: the electricity that a run uses.
void lead_with_energy(const Reading& reading, const Placement& placement, double usd_per_kwh,
                      Answer& reply) {
    const double kwh = placement.estimate.cost.kwh;
    const Interval& band = placement.estimate.time.band;
    const double low = kwh * band.low, high = kwh * band.high;
    std::string cost;
    if (usd_per_kwh > 0) {
        cost = fmt::format(", {} at ${:.3g} a kWh{}", money_words(reading, kwh * usd_per_kwh),
                           usd_per_kwh,
                           reading.usd_per_kwh ? "" : " (the catalog's; yours: \"0.30 per kwh\")");
    }
    reply.values.insert(reply.values.begin(), {"energy", low, kwh, high, "kWh", ""});
    reply.headline = fmt::format("{} kWh ({} to {}) of electricity{}{}: {}", figure_words(kwh),
                                 figure_words(low), figure_words(high),
                                 asks(reading, "carbon") ? ", " + carbon_words(reading, kwh) : "",
                                 cost, reply.headline);
}

}  // namespace

Answer reply_duration(const Reading& reading, const Placement& placement, double usd_per_kwh) {
    constexpr double long_run_s = 30 * 86400.0;  // nobody waits for one card that long
    if (placement.workload.task == Task::inference && placement.workload.serving) {
        return reply_job(reading, placement);
    }
    const TimeEstimate& time = placement.estimate.time;
    Answer reply;
    reply.choice = choice_of(placement);
    const double seconds = time.total / second;
    const double scale = seconds > 2 * 86400 ? 86400 : 3600;
    reply.values = {time_of_run(time, scale)};
    const std::string whose = place_words(reading, placement);
    const std::string of = reading.guessed_samples > 0
                               ? fmt::format(": a pass over {} samples, which were assumed,",
                                             figure_words(reading.guessed_samples))
                               : std::string();
    const AnswerValue& front = reply.values.front();
    reply.headline = whose + of + std::string(takes) +
                     format_duration_range(seconds, *front.low * scale, *front.high * scale);
    reply.headline += deadline_words(reading, seconds);
    const double accelerator_hours = seconds / 3600 * placement.cluster.count;
    const bool asks_hours = asks(reading, "gpu_hours");
    if (asks_hours) {
        lead_with_accelerator_hours(reply, accelerator_hours, asks(reading, "gpu_days"), whose);
    }
    tell_cost_of_run(reading, placement, accelerator_hours, reply);
    if (!asks_hours && (placement.cluster.count > 1 || seconds > long_run_s)) {
        reply.values.push_back(
            {"accelerator_hours", {}, accelerator_hours, {}, "accelerator-hours", ""});
        reply.headline += fmt::format("; {} accelerator-hours", figure_words(accelerator_hours));
    }
    // Of a run power is what it uses; its carbon is that of its electricity.
    const bool energy =
        asks(reading, "energy") || asks(reading, "power") || asks(reading, "carbon");
    if (energy && placement.estimate.cost.kwh > 0) {
        lead_with_energy(reading, placement, usd_per_kwh, reply);
    }
    const bool said = reading.tokens || reading.samples || reading.steps;
    const auto& assumed_tokens = placement.workload.duration_tokens;
    if (!said && reading.part_hours && assumed_tokens && accelerator_hours > 0) {
        return trained_within(*reading.part_hours, accelerator_hours, placement, std::move(reply));
    }
    if (!said && assumed_tokens) {
        reply.headline +=
            fmt::format(" for {} tokens, which were assumed", format_count(*assumed_tokens));
    }
    reply.headline += lost_days_words(time) + ".";
    return reply;
}

void lead_with_sum(const Reading& reading, Answer& reply) {
    const auto cost = std::ranges::find_if(
        reply.values, [](const AnswerValue& each) { return each.quantity == "cost"; });
    if (!reading.budget_usd || reading.usd_per_hour || cost == reply.values.end() || !cost->mid) {
        return;
    }
    const double sum = *reading.budget_usd;
    const bool within = *cost->mid <= sum;
    const bool sure =
        within ? cost->high.value_or(*cost->mid) <= sum : cost->low.value_or(*cost->mid) > sum;
    reply.headline = fmt::format("{} the {}{}: {}", within ? "Within" : "Above", format_usd(sum),
                                 sure     ? ""
                                 : within ? " but for its slow end"
                                          : " but for its fast end",
                                 reply.headline);
}

}  // namespace ridgeline
