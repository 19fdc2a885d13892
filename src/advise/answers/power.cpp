#include "advise/answers/power.h"

#include "advise/answers/rate_words.h"
#include "advise/figure_words.h"
#include "advise/reading/numbers/time_units.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

// What a rate is worth for each watt, what a lowered limit of power leaves of it, and how a rate
// that was seen stands to it.

namespace ridgeline {
namespace {

/// Tokens or samples of all requests for each joule at the wall.
void add_work_per_watt(const Placement& placement, Answer& reply) {
    const double watts = placement.estimate.cost.watts;
    const AnswerValue* rate = nullptr;
    for (const AnswerValue& value : reply.values) {
        const bool made = value.mid && value.low && value.high && value.unit.ends_with("/s");
        if (made && (rate == nullptr || value.quantity == "total")) {
            rate = &value;
        }
    }
    if (rate == nullptr || watts <= 0) {
        return;
    }
    const std::string made = rate->unit.substr(0, rate->unit.size() - 2);
    const AnswerValue each{"per_watt",          *rate->low / watts, *rate->mid / watts,
                           *rate->high / watts, made + "/J",        ""};
    reply.headline = fmt::format("{} {}/s for each watt of {:.0f} W at the wall ({} to {}): {}",
                                 figure_words(*each.mid), made, watts, figure_words(*each.low),
                                 figure_words(*each.high), reply.headline);
    reply.values.insert(reply.values.begin(), each);
}

/// What the machine draws while it works at that rate, and what its accelerators may draw.
void add_watts(const Placement& placement, Answer& reply) {
    const double watts = placement.estimate.cost.watts;
    const Cluster& cluster = placement.cluster;
    const double limit = cluster.count * (cluster.accelerator->tdp / watt);
    if (watts <= 0 || limit <= 0) {
        return;
    }
    // A whole machine draws what its maker states, with all that is around the accelerators.
    const bool whole = cluster.node_power && cluster.per_node > 1 &&
                       cluster.count == cluster.nodes() * cluster.per_node;
    const double most = whole ? cluster.nodes() * (*cluster.node_power / watt) : limit;
    const AnswerValue draw{"power", {}, most, {}, "W", cluster.accelerator->id};
    reply.headline += fmt::format(
        " Power of {}: at most {:.0f} W{}; at that rate about {:.0f} W at the wall, with its share "
        "of the machine.",
        cards_words(placement.cluster), most,
        whole ? fmt::format(", as the machine is stated (accelerators alone {:.0f} W)", limit)
              : std::string(" (TDP)"),
        watts);
    reply.values.push_back(draw);
}

/// Energy of a million tokens, of one model that writes them for all who ask at once.
void add_energy_of_tokens(const Placement& placement, Answer& reply) {
    const TimeEstimate& time = placement.estimate.time;
    const double watts = placement.estimate.cost.watts;
    if (watts <= 0 || time.tokens_per_second <= 0) {
        return;
    }
    constexpr double joules_in_kwh = 3.6e6;
    const double joules = watts / time.tokens_per_second;
    const AnswerValue energy{"energy",
                             1e6 * joules * time.band.low / joules_in_kwh,
                             1e6 * joules / joules_in_kwh,
                             1e6 * joules * time.band.high / joules_in_kwh,
                             "kWh/million tokens",
                             ""};
    reply.headline = fmt::format(
        "{} kWh for a million tokens ({} to {}), {} J each, at {:.0f} W at the wall: {}",
        figure_words(*energy.mid), figure_words(*energy.low), figure_words(*energy.high),
        figure_words(joules), watts, reply.headline);
    reply.values.insert(reply.values.begin(), energy);
}

/// A rate of the estimate that one that was seen may be of.
struct Expected {
    double middle = 0;
    std::string_view of;
};

/// Of a request, where it may be that, else of all together; of training that of each or of all.
Expected expected_near(double seen, const Reading& reading, const Placement& placement) {
    constexpr double most_above = 1.4;  // of what one request gets
    const TimeEstimate& time = placement.estimate.time;
    const int count = placement.cluster.count;
    const bool serves = placement.workload.task == Task::inference && time.tpot > Seconds{};
    const double users = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    if (serves && (users <= 1 || seen < most_above * second / time.tpot)) {
        return {second / time.tpot, " for each request"};
    }
    const bool each = !serves && count > 1 && asks(reading, "per_gpu");
    return {time.tokens_per_second / (each ? count : 1), each                     ? " on each"
                                                         : count > 1 || users > 1 ? " in all"
                                                                                  : ""};
}

/// Whether what was seen is what is expected, before all else; where it is low, what usually is the
/// cause.
///
/// expected  "112 tokens/s that are", a time without the verb; share: of the middle of the
/// estimate, of its pace where it is a time
void add_seen(const std::string& seen, const std::string& expected, double share,
              const Placement& placement, Answer& reply, bool time = false) {
    constexpr double as_expected =
        0.7;  // of the middle, or the middle of it: what settings and versions move
    const bool serves = placement.workload.task == Task::inference;
    const bool outside = !placement.estimate.memory.fits && serves;
    const bool low = share < as_expected && !outside;
    std::string words = seen + ", as seen, is ";
    words += outside       ? "what comes where part of a model lies outside the card."
             : low && time ? fmt::format("slow: {:.2g} times the {} expected.", 1 / share, expected)
             : low ? fmt::format("slow: {:.0f} % of the {} expected.", 100 * share, expected)
             : share > 1 / as_expected
                 ? fmt::format("{} than the {} expected.", time ? "faster" : "more", expected)
                 : fmt::format("as expected: {:.0f} % of the middle of the estimate.", 100 * share);
    if (low) {
        words += serves ? " Usual causes: layers that do not lie on the card, a longer context, "
                          "another type of weights, a card that is shared or "
                          "throttled."
                        : " Usual causes: input that comes too slowly, small batches, a plan that "
                          "shards more than memory needs, slow links.";
    }
    reply.headline = words + " " + reply.headline;
}

/// A time that was seen beside the one that is expected.
void add_seen_time(std::string_view what, double seen, double expected, const Placement& placement,
                   Answer& reply) {
    if (seen > 0 && expected > 0) {
        add_seen(fmt::format("{} {}", format_duration(seen), what),
                 format_duration(expected) + " that are", expected / seen, placement, reply, true);
    }
}

/// A rate of samples, a step, a first token that were seen.
void add_seen_times(const Reading& reading, const Placement& placement, Answer& reply) {
    const TimeEstimate& time = placement.estimate.time;
    const double samples =
        time.samples_per_second > 0 ? time.samples_per_second : time.requests_per_second;
    if (reading.seen_per_s && samples > 0) {
        add_seen(fmt::format("{} a second", figure_words(*reading.seen_per_s)),
                 fmt::format("{} a second that are", figure_words(samples)),
                 *reading.seen_per_s / samples, placement, reply);
    }
    const bool denoises = placement.workload.task == Task::inference &&
                          placement.workload.batch.steps > 0 && samples > 0;
    const double step =
        denoises ? 1 / samples / placement.workload.batch.steps : time.step / second;
    add_seen_time("a step", reading.seen_step_s.value_or(0),
                  placement.workload.task == Task::train || denoises ? step : 0, placement, reply);
    add_seen_time("to the first token", reading.seen_ttft_s.value_or(0), time.ttft / second,
                  placement, reply);
}

}  // namespace

void lead_with_given_share(const Reading& reading, const Placement& placement, Answer& reply) {
    const double mfu = placement.estimate.time.mfu;
    const bool trains = placement.workload.task == Task::train;
    const bool told = !reply.values.empty() && reply.values.front().mid;
    const double unit = told ? reading::seconds_of(reply.values.front().unit) : 0;
    if (!reading.given_mfu || mfu <= 0 || !trains || !told ||
        (unit <= 0 && !reply.values.front().unit.ends_with("/s"))) {
        return;
    }
    const double slower = mfu / *reading.given_mfu;
    AnswerValue value = reply.values.front();
    const double figure = *value.mid * (unit > 0 ? slower : 1 / slower);
    value = {value.quantity, {}, figure, {}, value.unit, "given share of peak"};
    std::string words = unit > 0 ? format_duration(figure * unit)
                                 : fmt::format("{} {}", figure_words(figure), value.unit);
    // At the rent of the answer, which may have been told.
    const auto cost = std::ranges::find(reply.values, "cost", &AnswerValue::quantity);
    const bool paid = cost != reply.values.end() && cost->mid && cost->unit == "USD";
    const double usd = paid ? *cost->mid : placement.estimate.cost.usd_total;
    if (unit > 0 && usd > 0) {
        words += fmt::format(", {}", format_usd(usd * slower));
    }
    reply.headline = fmt::format(
        "At the {:.3g} % of peak (MFU) that was said {}; at the {:.0f} % that are expected: {}",
        100 * *reading.given_mfu, words, 100 * mfu, reply.headline);
    reply.values.insert(reply.values.begin(), std::move(value));
}

void add_seen_duration(const Reading& reading, const Placement& placement, Answer& reply) {
    for (const AnswerValue& value : std::vector(reply.values)) {
        if (value.quantity == "time" && value.mid) {
            const double unit_s = reading::seconds_of(value.unit);
            add_seen_time("in all", reading.seen_time_s.value_or(0), *value.mid * unit_s, placement,
                          reply);
        }
    }
}

void add_power_and_seen(const Reading& reading, const Placement& placement, Answer& reply) {
    const bool energy = asks(reading, "energy") ||
                        (reading.objective == Objective::energy && asks(reading, "per_million"));
    if (energy) {
        add_energy_of_tokens(placement, reply);
    }
    if (asks(reading, "power")) {
        add_watts(placement, reply);
    }
    if (asks(reading, "per_watt")) {
        add_work_per_watt(placement, reply);
    }
    if (reading.seen_tokens_per_s) {
        const double seen = *reading.seen_tokens_per_s;
        const Expected expected = expected_near(seen, reading, placement);
        if (expected.middle > 0) {
            const double share = seen / expected.middle * placement.estimate.time.mfu;
            const std::string of_peak = asks(reading, "mfu") && share > 0
                                            ? fmt::format(" ({:.0f} % of peak, MFU)", 100 * share)
                                            : "";
            add_seen(
                fmt::format("{:g} tokens/s{}", seen, of_peak),
                fmt::format("{} tokens/s{} that are", figure_words(expected.middle), expected.of),
                seen / expected.middle, placement, reply);
        }
    }
    if (reading.seen_mfu && placement.estimate.time.mfu > 0) {
        const double mfu = placement.estimate.time.mfu;
        add_seen(fmt::format("{:.3g} % of peak (MFU)", 100 * *reading.seen_mfu),
                 fmt::format("{:.0f} % that are", 100 * mfu), *reading.seen_mfu / mfu, placement,
                 reply);
    }
    add_seen_times(reading, placement, reply);
}

std::string cap_words(double watts, const Accelerator& part, const Catalog& catalog) {
    if (part.tdp <= Watts{} || watts >= part.tdp / watt) {
        return {};
    }
    // Between work that only computes and work that only waits for memory.
    const PowerCap cap = power_cap(part, watts, catalog.ownership.power_caps);
    const std::string kept =
        cap.measured != nullptr
            ? fmt::format("about {:.0f} % of its speed, as measured on this part ({})",
                          100 / cap.time_factor_measured, cap.measured->work)
            : fmt::format(
                  "{:.0f} % of its speed where it computes, and up to all where it waits "
                  "for memory",
                  100 / cap.time_factor);
    return fmt::format("Under {:g} W of {:.0f} it keeps {}.", watts, part.tdp / watt, kept);
}

}  // namespace ridgeline
