#include "advise/answers/hours_of_day.h"
#include "advise/answers/power.h"
#include "advise/answers/side_rents.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/search/search.h"
#include "ask/router.h"
#include "base/duration_range.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

// What time a run takes, from its length or from what the same took elsewhere.

namespace ridgeline::ask {
namespace {

/// "How many days": the time in what it was asked in.
void tell_in_unit(const std::vector<std::string>& question, Answer& reply) {
    static constexpr std::pair<std::string_view, double> units[] = {
        {"minutes", 60}, {"hours", 3600}, {"days", 86400}, {"weeks", 604800}};
    std::string words;
    for (const std::string& piece : question) {
        words += lower(piece) + " ";
    }
    const auto unit = std::ranges::find_if(units, [&](const auto& each) {
        return words.find("how many " + std::string(each.first)) != std::string::npos;
    });
    const auto time = std::ranges::find(reply.values, "time", &AnswerValue::quantity);
    if (unit == std::end(units) || time == reply.values.end() || !time->low || !time->high) {
        return;
    }
    const double scale = time->unit == "days" ? 86400 : 3600;
    const std::string told =
        format_duration_range(*time->mid * scale, *time->low * scale, *time->high * scale);
    const auto in_unit = [&](double value) { return figure_words(value * scale / unit->second); };
    if (const std::size_t at = reply.headline.find(told); at != std::string::npos) {
        reply.headline.replace(at, told.size(),
                               fmt::format("{} {} ({} to {})", in_unit(*time->mid), unit->first,
                                           in_unit(*time->low), in_unit(*time->high)));
    }
}

/// "10 h a day free": a run that has some hours of each day takes so many days. False: it has all
/// of them, or is done within those of one day.
bool tell_days_of_hours(const Reading& reading, Answer& reply) {
    const double hours = hours_of_run(reading).value_or(0);
    const auto time = std::ranges::find(reply.values, "time", &AnswerValue::quantity);
    if (hours <= 0 || time == reply.values.end() || !time->low || !time->mid || !time->high) {
        return false;
    }
    const double scale = time->unit == "days" ? 24 : 1;
    if (*time->mid * scale <= hours) {
        return false;
    }
    const AnswerValue work{
        "work_time", *time->low * scale, *time->mid * scale, *time->high * scale, "h", ""};
    const std::string told_words =
        format_duration_range(*work.mid * 3600, *work.low * 3600, *work.high * 3600);
    const auto days = [hours](double value) { return figure_words(value / hours); };
    const std::string spread =
        fmt::format("{} days of {:g} hours ({} to {}), {} of work", days(*work.mid), hours,
                    days(*work.low), days(*work.high), told_words);
    *time = {"time", *work.low / hours, *work.mid / hours, *work.high / hours, "days", ""};
    reply.values.push_back(work);
    if (const std::size_t at = reply.headline.find(told_words); at != std::string::npos) {
        reply.headline.replace(at, told_words.size(), spread);
    } else {
        reply.headline += fmt::format(" That is {}.", spread);
    }
    return true;
}

/// The same work, so many times as long.
void lengthen(WorkloadDocument& document, double times) {
    for (std::optional<double>* each :
         {&document.duration_tokens, &document.duration_samples, &document.duration_epochs}) {
        if (*each) {
            **each *= times;
        }
    }
}

/// Beside what was timed there, how long the same takes here.
void tell_seen_run(const Reading& reading, const Placement& there, const Placement& here,
                   Answer& reply) {
    const double faster = there.estimate.time.total / here.estimate.time.total;
    const std::string on =
        fmt::format("{} x {}", there.cluster.count, there.cluster.accelerator->name);
    if (!reading.seen_step_s) {
        reply.headline += fmt::format(" The {} of {} are the measure: {:.3g} times as fast here.",
                                      format_duration(*reading.seen_time_s), on, faster);
        return;
    }
    reply.headline = fmt::format(
        "A step of {} on {} takes {}, {:.3g} times as fast (by the estimate alone {} there and {} "
        "here). So long are {:.0f}: {}",
        format_duration(*reading.seen_step_s), on, format_duration(*reading.seen_step_s / faster),
        faster, format_duration(there.estimate.time.step / second),
        format_duration(there.estimate.time.step / second / faster),
        *reading.seen_time_s / *reading.seen_step_s, reply.headline);
}

}  // namespace

Result<Routed> Router::duration() {
    const WorkloadDocument& document = asked_.query.workload;
    if (reading_.model.empty() && document.model_id.empty() && !document.architecture) {
        return tl::unexpected(no_known_model());
    }
    if (document.task == Task::inference) {
        serve_in_bulk();
        serve_as_many_as_fit();
        reading_.flags = flags_of(reading_, asked_.query);
    } else {
        if (reading_.counts_samples && !document.dataset_samples) {
            assume_samples();
        }
        if (!document.duration_tokens && !document.duration_epochs && !document.duration_samples) {
            if (const auto assumed = assume_length(); !assumed) {
                return tl::unexpected(assumed.error());
            }
        }
    }
    if (reading_.seen_side >= 0 && reading_.seen_time_s && reading_.sides.size() > 1) {
        return timed_elsewhere();
    }
    return estimated([this](const Placement& placement) {
        const Cluster& on = placement.cluster;
        const bool home = stands_at_a_desk(*on.accelerator) && on.count <= cards_of_a_desk;
        Answer reply =
            reply_duration(reading_, placement, usd_of_kwh(reading_, world_.catalog, home));
        if (reading_.method == "lora" && placement.workload.method == Method::qlora) {
            reply.headline =
                "LoRA does not fit on one; QLoRA, on 4-bit weights, does: " + reply.headline;
        }
        reply.headline += placement.estimate.memory.fits ? "" : time_with_adapters();
        lead_with_sum(reading_, reply);
        add_seen_duration(reading_, placement, reply);
        lead_with_given_share(reading_, placement, reply);
        if (!tell_days_of_hours(reading_, reply)) {
            tell_in_unit(request_.texts("question"), reply);
        }
        lead_with_lack(placement, reply);
        return reply;
    });
}

Result<Routed> Router::timed_elsewhere() {
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const auto on_each = [&]() -> Result<std::vector<Placement>> {
        std::vector<Placement> placed;
        for (const Reading& side : each_side(reading_, world_.catalog)) {
            Query query = asked_.query;
            query.accelerators = side.accelerators;
            query.exact_accelerators = side.count.value_or(1);
            auto one =
                fastest_of(clusters_of(side, query, world_.catalog), document, *architecture);
            if (!one) {
                return tl::unexpected(one.error());
            }
            placed.push_back(*std::move(one));
        }
        return placed;
    };
    auto placed = on_each();
    const auto timed = static_cast<std::size_t>(reading_.seen_side);
    if (placed && !placed->at(timed).estimate.memory.fits && document.method == Method::lora) {
        document.method = Method::qlora;  // it ran there
        assume_first(reading_, "method", "qlora", "LoRA does not fit where the run was timed");
        placed = on_each();
    }
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    // As long as what was timed there: the same work on both.
    lengthen(document, *reading_.seen_time_s / (placed->at(timed).estimate.time.total / second));
    placed = on_each();
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    const Placement& there = placed->at(timed);
    forget_assumed(reading_, "tokens");
    Routed out;
    for (std::size_t i = 0; i < placed->size(); ++i) {
        const Placement& here = (*placed)[i];
        if (i == timed) {
            continue;
        }
        Reading as_long = reading_;
        as_long.tokens = document.duration_tokens;  // told by the time, not assumed
        Answer reply = reply_duration(as_long, here, 0);
        tell_seen_run(reading_, there, here, reply);
        if (out.reply.headline.empty()) {
            out.json = report::estimate_json(here, stamp());
            out.text = report::time_first_text(here, style());
            out.exit_code = here.estimate.memory.fits ? 0 : 3;
            out.reply = std::move(reply);
        } else {
            out.reply.headline += " " + reply.headline;
        }
    }
    return out;
}

std::string Router::time_with_adapters() {
    WorkloadDocument& document = asked_.query.workload;
    const WorkloadDocument whole = document;
    std::string words;
    for (const Method method : {Method::lora, Method::qlora}) {
        document.method = method;
        document.has_lora = true;
        const auto narrower =
            words.empty() && method > *whole.method ? placed() : tl::unexpected(Error{});
        if (narrower && narrower->estimate.memory.fits) {
            const TimeEstimate& time = narrower->estimate.time;
            const double usd = narrower->estimate.cost.usd_total;
            words =
                fmt::format(" With adapters{} (--method {}), which it holds, {} ({} to {}){}.",
                            method == Method::qlora ? " on 4-bit weights" : "", name_of(method),
                            format_duration(time.total / second),
                            format_duration(time.band.low * time.total / second),
                            format_duration(time.band.high * time.total / second),
                            usd > 0 ? fmt::format(", {} of rent", format_usd(usd)) : std::string());
        }
    }
    document = whole;
    return words;
}

}  // namespace ridgeline::ask
