#include "report/option_words.h"

#include "advise/stacks/stored_weights.h"
#include "base/duration_range.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/hardware_names.h"
#include "spec/mig.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

struct Rate {
    double value = 0;
    std::string_view unit;
};

Rate rate_of(const TimeEstimate& time) {
    return time.tokens_per_second > 0 ? Rate{time.tokens_per_second, "tokens/s"}
                                      : Rate{time.samples_per_second, "samples/s"};
}

}  // namespace

bool serves_one(const Workload& workload) {
    return workload.serving && workload.serving->concurrency == 1;
}

std::string gib_range(double gib, const Interval& band) {
    const bool alike = format_gib(gib).ends_with("GiB");
    return alike
               ? fmt::format("{} to {}", rate_figure(gib * band.low), rate_figure(gib * band.high))
               : fmt::format("{} to {}", format_gib(gib * band.low), format_gib(gib * band.high));
}

std::string rate_figure(double rate) {
    return rate >= 999.5 ? grouped(rate) : fmt::format("{:.3g}", rate);
}

std::string hardware_words(const Option& option) {
    const Accelerator& part = *option.cluster.accelerator;
    const std::string name = short_name(part);
    const std::string slice =
        is_slice(part) ? " " + part.id.substr(part.id.find('/') + 1) : std::string();
    return fmt::format("{} x {}{}", option.cluster.count, name, name.ends_with(slice) ? "" : slice);
}

bool takes_long_each(const TimeEstimate& time) {
    constexpr double slow = 0.2;
    return time.tokens_per_second <= 0 && time.samples_per_second > 0 &&
           time.samples_per_second < slow;
}

namespace {

/// " a clip", " a picture", " a sample": what is made one by one.
std::string_view sample_words(const Workload& workload) {
    return workload.batch.frames > 1       ? " a clip"
           : workload.batch.image_size > 0 ? " a picture"
                                           : " a sample";
}

}  // namespace

std::string rate_words(const Option& option) {
    const Rate rate = rate_of(option.estimate.time);
    if (takes_long_each(option.estimate.time)) {
        return format_duration(1 / rate.value) + std::string(sample_words(option.workload));
    }
    return rate.value > 0 ? fmt::format("{} {}", rate_figure(rate.value), rate.unit) : "";
}

std::string ranged_rate_words(const TimeEstimate& time, const Workload& workload) {
    return ranged_rate_words(time, workload, takes_long_each(time));
}

std::string ranged_rate_words(const TimeEstimate& time, const Workload& workload, bool each) {
    const Rate rate = rate_of(time);
    if (rate.value <= 0) {
        return "";
    }
    const std::string words = fmt::format("{} {}", rate_figure(rate.value), rate.unit);
    if (each && time.band.low > 0) {
        return format_duration_range(1 / rate.value, time.band.low / rate.value,
                                     time.band.high / rate.value) +
               std::string(sample_words(workload));
    }
    return time.band.low <= 0 || time.band.high <= 0
               ? words
               : fmt::format("{} ({} to {})", words, rate_figure(rate.value / time.band.high),
                             rate_figure(rate.value / time.band.low));
}

std::string ranged_rate_words(const Option& option) {
    return ranged_rate_words(option.estimate.time, option.workload);
}

std::string rent_words(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    if (!cost.offer || cost.usd_per_hour <= 0) {
        return "";
    }
    const std::string rent =
        format_usd(cost.usd_per_hour) + "/h" +
        (cost.offer->kind == PriceKind::marketplace ? " on a marketplace" : "");
    if (cost.idle_accelerators > 0) {
        return fmt::format("{} ({} x {} of {} whole, {} idle)", rent, cost.instances,
                           cost.offer->instance_type, cost.offer->provider, cost.idle_accelerators);
    }
    return rent;
}

std::string work_cost_words(const Option& option) {
    return work_cost_words(option, takes_long_each(option.estimate.time));
}

std::string work_cost_words(const Option& option, bool each) {
    const CostEstimate& cost = option.estimate.cost;
    if (!cost.offer) {
        return "";
    }
    return cost.usd_total > 0                ? format_usd(cost.usd_total)
           : cost.usd_per_million_tokens > 0 ? format_usd(cost.usd_per_million_tokens)
           : cost.usd_per_sample > 0         ? format_usd(cost.usd_per_sample * (each ? 1 : 1e6))
                                             : "";
}

std::string work_unit_words(const Option& option) {
    return work_unit_words(option, takes_long_each(option.estimate.time));
}

std::string work_unit_words(const Option& option, bool each) {
    const TimeEstimate& time = option.estimate.time;
    return time.total > Seconds{}       ? " the run"
           : each                       ? std::string(sample_words(option.workload))
           : time.tokens_per_second > 0 ? " per million tokens"
                                        : " per million samples";
}

}  // namespace ridgeline::report
