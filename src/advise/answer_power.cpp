#include "advise/answer_power.h"

#include "estimate/money/power.h"

#include <fmt/format.h>

#include <algorithm>

// What a rate is worth for each watt, what a lowered limit of power leaves of it, and how a rate that was
// seen stands to it.

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
    const AnswerValue each{"per_watt", *rate->low / watts, *rate->mid / watts, *rate->high / watts, made + "/J", ""};
    reply.headline = fmt::format("{} {}/s for each watt of {:.0f} W at the wall ({} to {}): {}",
                                 figure_words(*each.mid),
                                 made,
                                 watts,
                                 figure_words(*each.low),
                                 figure_words(*each.high),
                                 reply.headline);
    reply.values.insert(reply.values.begin(), each);
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
    const AnswerValue energy{"energy", 1e6 * joules * time.band.low / joules_in_kwh, 1e6 * joules / joules_in_kwh,
                             1e6 * joules * time.band.high / joules_in_kwh, "kWh/million tokens", ""};
    reply.headline = fmt::format("{} kWh for a million tokens ({} to {}), {} J each, at {:.0f} W at the wall: {}",
                                 figure_words(*energy.mid),
                                 figure_words(*energy.low),
                                 figure_words(*energy.high),
                                 figure_words(joules),
                                 watts,
                                 reply.headline);
    reply.values.insert(reply.values.begin(), energy);
}

/// The limit that was said, between work that only computes and work that only waits for memory.
void add_cap(double watts, const Accelerator& part, const Catalog& catalog, Answer& reply) {
    if (part.tdp <= Watts{} || watts >= part.tdp / watt) {
        return;
    }
    const PowerCap cap = power_cap(part, watts, 1, catalog.ownership.power_caps);
    reply.headline += cap.measured != nullptr
                          ? fmt::format(" Under {:g} W of {:.0f} it keeps about {:.0f} % of that, as measured on this part ({}).",
                                        watts,
                                        part.tdp / watt,
                                        100 / cap.time_factor_measured,
                                        cap.measured->work)
                          : fmt::format(" Under {:g} W of {:.0f} it keeps {:.0f} % of that where it computes, and up to all "
                                        "where it waits for memory.",
                                        watts,
                                        part.tdp / watt,
                                        100 / cap.time_factor);
}

/// A rate that was seen is slower than, within or above what is expected.
void add_seen(double seen, const Placement& placement, Answer& reply) {
    const TimeEstimate& time = placement.estimate.time;
    if (time.tpot <= Seconds{}) {
        return;
    }
    const double middle = second / time.tpot;
    const double low = middle / placement.tpot_band.high;
    const double high = middle / placement.tpot_band.low;
    reply.headline += seen < low    ? fmt::format(" {:g} tokens/s, as seen, is less than that: part of it lies outside the card, the card "
                                                  "shares its time, or another type of weights runs.",
                                                  seen)
                      : seen > high ? fmt::format(" {:g} tokens/s, as seen, is more than that.", seen)
                                    : fmt::format(" {:g} tokens/s, as seen, is what it reaches.", seen);
}

}  // namespace

void add_power_and_seen(const Reading& reading, const Placement& placement, const Catalog& catalog, Answer& reply) {
    const bool energy = asks(reading, "energy") || (reading.objective == Objective::energy && asks(reading, "per_million"));
    if (energy) {
        add_energy_of_tokens(placement, reply);
    }
    if (asks(reading, "per_watt")) {
        add_work_per_watt(placement, reply);
    }
    if (reading.seen_tokens_per_s) {
        add_seen(*reading.seen_tokens_per_s, placement, reply);
    }
    if (reading.power_cap_w) {
        add_cap(*reading.power_cap_w, *placement.cluster.accelerator, catalog, reply);
    }
}

}  // namespace ridgeline
