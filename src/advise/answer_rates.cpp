#include "advise/answer.h"
#include "advise/offers.h"
#include "advise/stored_weights.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/serving/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Replies about rates, times and the largest that fits.

namespace ridgeline {
namespace {

std::string model_of(const Placement& placement) {
    return placement.architecture.id.empty() ? placement.architecture.name
                                             : placement.architecture.id;
}

std::string hardware_of(const Placement& placement) {
    return fmt::format("{} x {}", placement.cluster.count, placement.cluster.accelerator->name);
}

AnswerChoice choice_of(const Placement& placement) {
    AnswerChoice choice;
    choice.accelerator = placement.cluster.accelerator->id;
    choice.count = placement.cluster.count;
    if (placement.estimate.cost.usd_per_hour > 0) {
        choice.usd_per_hour = placement.estimate.cost.usd_per_hour;
    }
    choice.verdict = verdict_of(placement.estimate.memory);
    return choice;
}

/// What a rent pays beside the accelerators that work, or how it is put together; empty: as many
/// are listed.
std::string rented_words(const Placement& placement) {
    const CostEstimate& cost = placement.estimate.cost;
    if (!cost.offer || placement.cluster.nodes() > 1) {
        return "";
    }
    return cost.idle_accelerators > 0 ? fmt::format(" ({}/h for a whole machine of {}, {} idle)",
                                                    format_usd(cost.usd_per_hour),
                                                    cost.offer->count, cost.idle_accelerators)
           : cost.instances > 1
               ? fmt::format(" ({} single cards of {} at {}/h)", cost.instances,
                             cost.offer->provider, format_usd(cost.offer->usd_per_hour))
               : "";
}

/// "20 steps of 1024 px", "50 steps, 832 x 480, 81 frames": what a picture or a clip was taken for;
/// empty: it is none.
std::string picture_words(const Placement& placement) {
    const Batch& batch = placement.workload.batch;
    if (placement.architecture.kind != ModelKind::diffusion || batch.steps <= 0 ||
        placement.workload.task != Task::inference) {
        return "";
    }
    std::string words = fmt::format("{} step{}", batch.steps, batch.steps == 1 ? "" : "s");
    if (batch.image_size > 0) {
        words += batch.image_height > 0
                     ? fmt::format(", {} x {} px", batch.image_size, batch.image_height)
                     : fmt::format(", {} px", batch.image_size);
    }
    return words + (batch.frames > 1 ? fmt::format(", {} frames", batch.frames) : "");
}

/// Denoising steps that a picture or clip passes in a second, without the encoder and the decoder;
/// 0: it has none.
double denoised_per_second(const Placement& placement) {
    double seconds = 0;
    for (const TimeComponent& component : placement.estimate.time.components) {
        seconds += component.name == "denoiser" ? component.time / second : 0;
    }
    return seconds > 0 && placement.workload.task == Task::inference
               ? placement.workload.batch.steps / seconds
               : 0;
}

/// A rate from a time whose range is known: the slow end is the low one.
AnswerValue rate(std::string quantity, double value, const Interval& band, std::string unit) {
    const double low = band.high > 0 ? value / band.high : value;
    const double high = band.low > 0 ? value / band.low : value;
    return {std::move(quantity), low, value, high, std::move(unit), ""};
}

AnswerValue time_value(std::string quantity, Seconds value, const Interval& band, std::string unit,
                       double scale) {
    const double seconds = value / second / scale;
    return {std::move(quantity),
            seconds * (band.low > 0 ? band.low : 1),
            seconds,
            seconds * (band.high > 0 ? band.high : 1),
            std::move(unit),
            ""};
}

std::string ranged(const AnswerValue& value, std::string_view unit) {
    return fmt::format("{} {} ({} to {})", figure_words(*value.mid), unit, figure_words(*value.low),
                       figure_words(*value.high));
}

/// What works on pictures: its samples are images.
bool counts_images(const Architecture& architecture) {
    return architecture.reads_images() || architecture.kind == ModelKind::diffusion ||
           architecture.kind == ModelKind::image;
}

/// "in q4_k_m", where the weights were chosen so that they fit; "does not fit" where they do not.
std::string room_words(const Reading& reading, const Placement& placement) {
    const std::string& stored = placement.workload.quantization.name;
    std::string words;
    const bool chosen = reading.quantization.empty() && reading.compute.empty() &&
                        placement.workload.task == Task::inference && !stored.empty() &&
                        is_tried_type(stored);
    const bool unsaid = reading.quantization.empty() && reading.compute.empty() &&
                        placement.workload.task == Task::inference && !reading.counts_samples &&
                        (stored.empty() || stored == "none");
    const Serving serving = placement.workload.serving.value_or(Serving{});
    if (serving.host_expert_layers > 0) {
        words = fmt::format(" in {0}, routed experts of {1} layers on the host (--n-cpu-moe {1}),",
                            stored, serving.host_expert_layers);
    } else if (serving.gpu_layers) {
        words = fmt::format(" in {}, {} of {} layers on the card and the others on the host,",
                            stored, *serving.gpu_layers, placement.architecture.text().layers);
    } else if (chosen) {
        words = " in " + stored + " (16-bit weights do not fit)";
    } else if (unsaid) {
        words = " in 16-bit weights";
    }
    if (!placement.estimate.memory.fits) {
        words += fmt::format(
            " (if its memory sufficed: it needs {}, {} is there)",
            format_gib(placement.estimate.memory.process / gibibyte),
            format_gib((placement.estimate.memory.capacity - placement.estimate.memory.unclaimed) /
                       gibibyte));
    }
    return words;
}

/// Of a server of texts: what a request and all together get. Those figures lead that were asked
/// for.
Answer decoding_reply(const Reading& reading, const Placement& placement,
                      const std::string& where) {
    const TimeEstimate& time = placement.estimate.time;
    const AnswerValue decode = rate("decode", second / time.tpot, placement.tpot_band, "tokens/s");
    const AnswerValue first = time_value("ttft", time.ttft, placement.ttft_band, "s", 1);
    const double users = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    Answer reply;
    reply.values = {decode};
    std::string does = fmt::format("decodes {} for each request", ranged(decode, "tokens/s"));
    if (users > 1) {
        reply.values.push_back(rate("total", time.tokens_per_second, time.band, "tokens/s"));
        const double running = running_requests(placement.estimate.memory, placement.workload);
        does += fmt::format(", {} for ", ranged(reply.values.back(), "tokens/s"));
        does += running < users
                    ? fmt::format("the {:.0f} of {:g} that run at once while the others wait",
                                  running, users)
                    : fmt::format("{:g} at once", users);
    }
    reply.values.push_back(first);
    reply.values.push_back(time_value("tpot", time.tpot, placement.tpot_band, "s", 1));
    does += fmt::format("; the first token comes after {} ({} to {}).", format_duration(*first.mid),
                        format_duration(*first.low), format_duration(*first.high));
    const auto lead = [&](const AnswerValue& value, const std::string& verb,
                          std::string_view more) {
        does = fmt::format("{} {}{}; it {}", verb, ranged(value, value.unit), more, does);
        reply.values.insert(reply.values.begin(), value);
    };
    if (placement.architecture.reads_sound()) {
        const double factor = time.samples_per_second * audio_window_s;
        lead(rate("real_time_factor", factor, time.band, "times real time"), "hears",
             fmt::format(", in windows of 30 s: {:.0f} live streams keep up", std::floor(factor)));
    }
    if (asks(reading, "prefill") && placement.workload.serving && time.ttft > Seconds{}) {
        const double read = placement.workload.serving->input_tokens * users;
        lead(rate("prefill", read / (time.ttft / second), placement.ttft_band, "tokens/s"),
             "reads prompts at", "");
    }
    if (reading.full_load && users > 1 && placement.workload.serving) {
        const AnswerValue total = reply.values[1];
        lead(rate("requests", time.requests_per_second, time.band, "requests/s"), "serves",
             fmt::format(" of {:g} tokens in and {:g} out, {} in all",
                         placement.workload.serving->input_tokens,
                         placement.workload.serving->output_tokens, ranged(total, "tokens/s")));
    }
    if (asks(reading, "all_day") && !placement.architecture.reads_sound()) {
        constexpr double day = 86400;
        const AnswerValue all =
            rate("total", day * time.tokens_per_second, time.band, "tokens/day");
        does = fmt::format("makes {} tokens a day ({} to {}); it {}", format_count(*all.mid),
                           format_count(*all.low), format_count(*all.high), does);
        reply.values.insert(reply.values.begin(), all);
    }
    reply.headline = where + " " + does;
    const double usd = placement.estimate.cost.usd_per_million_tokens;
    if (asks(reading, "per_million") && usd > 0) {
        reply.values.insert(reply.values.begin(), {"cost", usd * time.band.low, usd,
                                                   usd * time.band.high, "USD/million tokens", ""});
        reply.headline = fmt::format(
            "{} for a million tokens ({} to {}){}, {:.3g} accelerator-hours: {}", format_usd(usd),
            format_usd(usd * time.band.low), format_usd(usd * time.band.high),
            rented_words(placement), 1e6 / time.tokens_per_second / 3600 * placement.cluster.count,
            reply.headline);
    }
    const bool led = placement.architecture.reads_sound() || asks(reading, "prefill") ||
                     asks(reading, "per_million");
    if (asks(reading, "ttft") && !asks(reading, "prefill")) {
        std::swap(reply.values.front(), *(reply.values.end() - 2));
    }
    if (asks(reading, "whole_request")) {
        const AnswerValue next = reply.values.back();
        const Serving serving = placement.workload.serving.value_or(Serving{});
        const double steps = serving.output_tokens - 1;
        const AnswerValue whole{"request",
                                *first.low + steps * *next.low,
                                *first.mid + steps * *next.mid,
                                *first.high + steps * *next.high,
                                "s",
                                ""};
        reply.headline = fmt::format(
            "{}: a request of {:g} tokens in and {:g} out takes {} ({} to {}); the first token "
            "comes after {}, each further one after {}; it {}",
            where, serving.input_tokens, serving.output_tokens, format_duration(*whole.mid),
            format_duration(*whole.low), format_duration(*whole.high), format_duration(*first.mid),
            format_duration(*next.mid), does.substr(0, does.rfind("; the first token")) + ".");
        reply.values.insert(reply.values.begin(), whole);
    } else if (!led && (asks(reading, "latency") || asks(reading, "tpot"))) {
        reply.headline = fmt::format(
            "{}: the first token comes after {} ({} to {}), each further one "
            "after {} ({} to {}); it {}",
            where, format_duration(*first.mid), format_duration(*first.low),
            format_duration(*first.high), format_duration(time.tpot / second),
            format_duration(time.tpot / second * placement.tpot_band.low),
            format_duration(time.tpot / second * placement.tpot_band.high),
            does.substr(0, does.rfind("; the first token")) + ".");
    } else if (!led && asks(reading, "ttft")) {
        reply.headline = fmt::format(
            "{}: the first token comes after {} ({} to {}); it decodes {} for each request.", where,
            format_duration(*first.mid), format_duration(*first.low), format_duration(*first.high),
            ranged(decode, "tokens/s"));
    }
    return reply;
}

/// Of training, and of models that answer all at once: tokens, images or samples.
Answer sample_reply(const Reading& reading, const Placement& placement, const std::string& where) {
    const TimeEstimate& time = placement.estimate.time;
    const bool images = counts_images(placement.architecture);
    const bool clips = frames_a_second(placement.architecture) > 0;
    const bool tokens = time.tokens_per_second > 0 && !asks(reading, "images") && !images &&
                        !reading.answers_at_once &&
                        placement.architecture.kind != ModelKind::encoder;
    const AnswerValue made =
        tokens ? rate("training", time.tokens_per_second, time.band, "tokens/s")
               : rate(placement.workload.task == Task::inference ? "inference" : "training",
                      time.samples_per_second, time.band,
                      has_program(placement.architecture)
                          ? std::string(unit_of(placement.architecture)) + "/s"
                      : images ? "images/s"
                               : "samples/s");
    Answer reply;
    reply.values = {made, time_value("step", time.step, time.band, "s", 1)};
    reply.headline = fmt::format("{}: {}", where, ranged(made, made.unit));
    const bool answers = placement.workload.task == Task::inference && !tokens && !clips;
    const double at_once = placement.workload.serving.value_or(Serving{}).concurrency;
    if (answers && at_once > 1 && reading.answered_in_one_pass) {
        reply.headline += fmt::format(" in batches of {:.0f}", at_once / placement.cluster.count);
        if (asks(reading, "latency") && reading.concurrency) {
            reply.headline = fmt::format(
                "{}: {:g} at once take {} ({} to {}), {}", where, at_once,
                format_duration(time.step / second), format_duration(*reply.values[1].low),
                format_duration(*reply.values[1].high), ranged(made, made.unit));
            std::swap(reply.values[0], reply.values[1]);
        }
    } else if (answers && asks(reading, "latency")) {
        reply.headline =
            fmt::format("{}: an answer takes {} ({} to {}), {}", where,
                        format_duration(time.step / second), format_duration(*reply.values[1].low),
                        format_duration(*reply.values[1].high), ranged(made, made.unit));
        std::swap(reply.values[0], reply.values[1]);
    }
    if (asks(reading, "step_time")) {
        const AnswerValue& step = reply.values.back();
        const std::string rhythm = placement.workload.task == Task::train
                                       ? fmt::format("{} steps/s, ", figure_words(1 / *step.mid))
                                       : "";
        reply.headline = fmt::format("{}: a step takes {} ({} to {}), {}{}", where,
                                     format_duration(*step.mid), format_duration(*step.low),
                                     format_duration(*step.high), rhythm, ranged(made, made.unit));
        if (!rhythm.empty()) {
            reply.values.insert(reply.values.begin(),
                                rate("steps", second / time.step, time.band, "steps/s"));
        }
    }
    const double denoised = denoised_per_second(placement);
    if (asks(reading, "step_time") && denoised > 0) {
        const AnswerValue steps = rate("iterations", denoised, time.band, "it/s");
        reply.values.insert(reply.values.begin(), steps);
        reply.headline =
            fmt::format("{}: {}, {}", where, ranged(steps, steps.unit), ranged(made, made.unit));
    }
    if (clips && time.samples_per_second > 0) {
        const double each = time.step / second;
        reply.headline = fmt::format("{}: a clip takes {} ({} to {})", where, format_duration(each),
                                     format_duration(each * time.band.low),
                                     format_duration(each * time.band.high));
        if (placement.workload.plan.data > 1) {  // each makes its own
            reply.headline +=
                fmt::format(", {} are made at once, one every {}", placement.workload.plan.data,
                            format_duration(1 / time.samples_per_second));
        }
    } else if (images && time.samples_per_second > 0 && time.samples_per_second < 10) {
        reply.headline +=
            fmt::format(", {} a minute ({} each)", figure_words(60 * time.samples_per_second),
                        format_duration(1 / time.samples_per_second));
    }
    if (tokens && asks(reading, "per_gpu") && placement.cluster.count > 1) {
        reply.headline += fmt::format(
            ", {} on each", figure_words(time.tokens_per_second / placement.cluster.count));
    }
    if (reading.requests_per_s && !tokens) {
        const bool reached = time.samples_per_second >= *reading.requests_per_s;
        reply.headline +=
            fmt::format("; {} a second are asked, which is {}",
                        figure_words(*reading.requests_per_s), reached ? "reached" : "not reached");
    }
    if (time.mfu > 0 && placement.workload.task == Task::train) {
        reply.values.push_back(
            {"mfu", time.mfu / std::max(1e-9, time.band.high > 0 ? time.band.high : 1), time.mfu,
             time.mfu / std::max(1e-9, time.band.low > 0 ? time.band.low : 1), "ratio", ""});
        reply.headline += fmt::format(", {:.0f} % of peak (MFU)", 100 * time.mfu);
    }
    const std::string picture = picture_words(placement);
    reply.headline += picture.empty() ? "." : "; " + picture + ".";
    return reply;
}

}  // namespace

Answer reply_throughput(const Reading& reading, const Placement& placement) {
    const std::string where =
        model_of(placement) + room_words(reading, placement) + " on " + hardware_of(placement);
    const bool text = placement.estimate.time.tpot > Seconds{} && !reading.answers_at_once;
    Answer reply = placement.workload.task == Task::inference && text
                       ? decoding_reply(reading, placement, where)
                       : sample_reply(reading, placement, where);
    reply.choice = choice_of(placement);
    return reply;
}

void add_one_at_a_time(const Placement& alone, Answer& reply) {
    const TimeEstimate& time = alone.estimate.time;
    reply.values.push_back(time_value("one at a time", time.step, time.band, "s", 1));
    if (!reply.headline.empty() && reply.headline.back() == '.') {
        reply.headline.pop_back();
    }
    reply.headline += fmt::format(
        "; one by itself takes {} ({} to {}).", format_duration(*reply.values.back().mid),
        format_duration(*reply.values.back().low), format_duration(*reply.values.back().high));
}

namespace {

/// What a job is made of where it is no number of tokens: windows of audio, images, texts.
struct Pile {
    double samples = 0;
    std::string words;  ///< "500 hours of audio"
};
std::optional<Pile> pile_of(const Reading& reading, const Architecture& architecture) {
    if (reading.audio_s) {
        return Pile{*reading.audio_s / audio_window_s,
                    fmt::format("{} hours of audio", figure_words(*reading.audio_s / 3600))};
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

/// Whether a time that was set is kept.
std::string deadline_words(const Reading& reading, double seconds) {
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
    const double each = serving.input_tokens + (reads ? 0 : serving.output_tokens);
    const double made = pile              ? pile->samples
                        : reading.samples ? *reading.samples
                                          : reading.tokens.value_or(0) / each;
    Answer reply;
    reply.choice = choice_of(placement);
    const double seconds = time.samples_per_second > 0 ? made / time.samples_per_second : 0;
    reply.values = {{"time", seconds * time.band.low / 3600, seconds / 3600,
                     seconds * time.band.high / 3600, "h", ""}};
    reply.headline = fmt::format(
        "{} on {}: {} take{} {} ({} to {})", model_of(placement) + room_words(reading, placement),
        hardware_of(placement),
        pile ? pile->words : format_count(reading.tokens.value_or(0)) + " tokens",
        pile && pile->samples == 1 ? "s" : "", format_duration(seconds),
        format_duration(seconds * time.band.low), format_duration(seconds * time.band.high));
    reply.headline += deadline_words(reading, seconds);
    const double hours = seconds / 3600 * placement.cluster.count;
    reply.values.push_back({"accelerator_hours", {}, hours, {}, "accelerator-hours", ""});
    reply.headline += fmt::format(", {} accelerator-hours", figure_words(hours));
    const double usd = placement.estimate.cost.usd_per_hour * seconds / 3600;
    if (usd > 0) {
        reply.values.push_back({"cost", usd * time.band.low, usd, usd * time.band.high, "USD", ""});
        reply.headline += fmt::format(", {} ({} to {}) of rent{}", format_usd(usd),
                                      format_usd(usd * time.band.low),
                                      format_usd(usd * time.band.high), rented_words(placement));
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
        figure_words(hours), hardware_of(placement), model_of(placement), format_count(tokens),
        format_count(tokens / band.high), format_count(tokens / band.low),
        figure_words(tokens / parameters), format_count(usual), usual / parameters,
        figure_words(hours_of_usual));
    return reply;
}

}  // namespace

namespace {

/// What was asked comes first: the hours of one accelerator, then the time of all of them.
void lead_with_accelerator_hours(Answer& reply, double hours, const std::string& whose) {
    const AnswerValue& time = reply.values.front();
    const AnswerValue value{"accelerator_hours",
                            hours * *time.low / *time.mid,
                            hours,
                            hours * *time.high / *time.mid,
                            "accelerator-hours",
                            ""};
    const std::string rest =
        reply.headline.substr(std::min(reply.headline.size(), reply.headline.find(": ") + 2));
    reply.headline =
        fmt::format("{}: {} accelerator-hours ({} to {}), {}", whose, figure_words(hours),
                    figure_words(*value.low), figure_words(*value.high), rest);
    reply.values.insert(reply.values.begin(), value);
}

}  // namespace

Answer reply_duration(const Reading& reading, const Placement& placement) {
    constexpr double long_run_s = 30 * 86400.0;  // nobody waits for one card that long
    if (placement.workload.task == Task::inference && placement.workload.serving) {
        return reply_job(reading, placement);
    }
    const TimeEstimate& time = placement.estimate.time;
    const CostEstimate& cost = placement.estimate.cost;
    Answer reply;
    reply.choice = choice_of(placement);
    const double seconds = time.total / second;
    const double scale = seconds > 2 * 86400 ? 86400 : 3600;
    reply.values = {time_value("time", time.total, time.band, scale > 3600 ? "days" : "h", scale)};
    if (time.run) {
        reply.values.front().low = time.run->low / second / scale;
        reply.values.front().high = time.run->high / second / scale;
    }
    reply.headline =
        fmt::format("{} on {}: {} ({} to {})", model_of(placement) + room_words(reading, placement),
                    hardware_of(placement), format_duration(seconds),
                    format_duration(*reply.values.front().low * scale),
                    format_duration(*reply.values.front().high * scale));
    reply.headline += deadline_words(reading, seconds);
    const double accelerator_hours = seconds / 3600 * placement.cluster.count;
    if (asks(reading, "gpu_hours")) {
        lead_with_accelerator_hours(reply, accelerator_hours,
                                    model_of(placement) + " on " + hardware_of(placement));
    }
    if (reading.usd_per_hour && reading.usd_per_month == std::nullopt) {
        // "at $2 per hour": what each accelerator costs.
        const double usd = *reading.usd_per_hour * accelerator_hours;
        const double low = usd * *reply.values.front().low / *reply.values.front().mid;
        const double high = usd * *reply.values.front().high / *reply.values.front().mid;
        reply.values.push_back({"cost", low, usd, high, "USD", ""});
        reply.headline +=
            fmt::format(", {} ({} to {}) at {} an accelerator-hour", format_usd(usd),
                        format_usd(low), format_usd(high), format_usd(*reading.usd_per_hour));
    } else if (cost.usd_total > 0) {
        reply.values.push_back(
            {"cost", cost.usd_total_low > 0 ? cost.usd_total_low : cost.usd_total, cost.usd_total,
             cost.usd_total_high > 0 ? cost.usd_total_high : cost.usd_total, "USD", ""});
        reply.headline +=
            fmt::format(", {} ({} to {}) of rent{}", format_usd(cost.usd_total),
                        format_usd(*reply.values.back().low), format_usd(*reply.values.back().high),
                        rented_words(placement));
    } else if (!reading.owned) {
        reply.headline += ", no rent of it is known";
    }
    const bool more = std::any_of(
        reading.assumed.begin(), reading.assumed.end(), [](const AssumedField& assumed) {
            return assumed.field == "count" && assumed.why.ends_with("one does not hold it");
        });
    reply.headline += more ? " (one does not hold it)" : "";
    if (!asks(reading, "gpu_hours") && (placement.cluster.count > 1 || seconds > long_run_s)) {
        reply.values.push_back(
            {"accelerator_hours", {}, accelerator_hours, {}, "accelerator-hours", ""});
        reply.headline += fmt::format("; {} accelerator-hours", figure_words(accelerator_hours));
    }
    if ((asks(reading, "energy") || asks(reading, "power")) &&
        cost.kwh > 0) {  // of a run power is what it uses
        reply.values.insert(reply.values.begin(), {"energy", cost.kwh * time.band.low, cost.kwh,
                                                   cost.kwh * time.band.high, "kWh", ""});
        reply.headline += fmt::format("; {} kWh ({} to {}) of electricity", figure_words(cost.kwh),
                                      figure_words(cost.kwh * time.band.low),
                                      figure_words(cost.kwh * time.band.high));
        if (reading.usd_per_kwh) {
            reply.headline += fmt::format(", {}", format_usd(cost.kwh * *reading.usd_per_kwh));
        }
    }
    const bool said = reading.tokens || reading.samples || reading.steps;
    if (!said && reading.part_hours && placement.workload.duration_tokens &&
        accelerator_hours > 0) {
        return trained_within(*reading.part_hours, accelerator_hours, placement, std::move(reply));
    }
    if (!said && placement.workload.duration_tokens) {
        reply.headline += fmt::format(" for {} tokens, which were assumed",
                                      format_count(*placement.workload.duration_tokens));
    }
    reply.headline += ".";
    return reply;
}

}  // namespace ridgeline
