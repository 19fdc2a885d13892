#include "base/duration_range.h"
#include "base/text.h"
#include "report/kernel_report.h"
#include "report/kernel_words.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

// What is said of a kernel in one sentence.

namespace ridgeline::report {

std::string rate_figure_of(double rate) {
    return rate >= 100 ? grouped(std::round(rate)) : fmt::format("{:.3g}", rate);
}

std::string type_words(ComputeType type) {
    return type == ComputeType::fp16_fp16_accumulate ? std::string("fp16 with sums in fp16")
                                                     : std::string(name_of(type));
}

std::string range_words(const KernelOn& on) {
    return fmt::format("{} to {}", format_duration(on.seconds() * on.estimate.low),
                       format_duration(on.seconds() * on.estimate.high));
}

namespace {

std::string ranged_time(const KernelOn& on) {
    return format_duration_range(on.seconds(), on.seconds() * on.estimate.low,
                                 on.seconds() * on.estimate.high);
}

/// "23.4 TFLOP/s", "1,290 GB/s".
std::string rate_words(double rate, std::string_view unit) {
    constexpr double thousands = 1000;
    return unit == "GFLOP/s" && rate >= thousands
               ? fmt::format("{} TFLOP/s", rate_figure_of(rate / thousands))
               : fmt::format("{} {}", rate_figure_of(rate), unit);
}

std::string rate_words(const KernelEstimate& estimate) {
    return rate_words(estimate.rate, estimate.work.unit);
}

/// ", 255 Gcells/s": codes that update cells tell their speed in them; empty: it is another kernel.
std::string cells_words(const Kernel& kernel, const KernelEstimate& estimate) {
    constexpr double giga = 1e9;
    const double seconds = estimate.time / second;
    double cells = kernel.operation.starts_with("stencil") && !kernel.size.empty() ? 1 : 0;
    for (std::size_t side = 0; cells > 0 && side < 3; ++side) {
        cells *= kernel.size[std::min(side, kernel.size.size() - 1)];
    }
    return cells > 0 && seconds > 0 && kernel.size.size() != 2
               ? fmt::format(", {} Gcells/s", rate_figure_of(cells / seconds / giga))
               : std::string();
}

/// The rate; what is simulated in a day with its range, since that is what was asked.
std::string asked_rate(const KernelEstimate& estimate) {
    return rate_words(estimate) +
           (estimate.work.unit == "ns/day" && estimate.low > 0
                ? fmt::format(" ({} to {})", rate_figure_of(estimate.rate / estimate.high),
                              rate_figure_of(estimate.rate / estimate.low))
                : "");
}

std::string bound_words(const KernelEstimate& estimate) {
    switch (estimate.bound) {
        case Bound::compute:
            return "arithmetic";
        case Bound::memory:
            return "memory bandwidth";
        case Bound::overhead:
            return "launches";
        case Bound::communication:
            return "the links between devices";
        case Bound::input:
            return "copies over the host link";
    }
    return "";
}

/// What is reached of the rate on paper that bounds it: ", 93 % of the 1,290 GFLOP/s on paper";
/// empty: it is bound by neither, or that rate is not known.
std::string share_of_paper(const KernelOn& on) {
    const Accelerator& part = *on.cluster.accelerator;
    const int count = on.cluster.count;
    if (on.estimate.bound == Bound::memory) {
        const double paper = count * (part.memory_bandwidth / gigabyte_per_second);
        const double reached = on.estimate.bandwidth / gigabyte_per_second;
        return paper > 0 && reached > 0
                   ? fmt::format(" ({:.0f} % of {} GB/s on paper)",
                                 100 * std::min(1.0, reached / paper), rate_figure_of(paper))
                   : "";
    }
    // Of the units that the longest part runs on: those of matrices, or of vectors.
    const auto& parts = on.estimate.parts;
    const auto longest = std::ranges::max_element(parts, {}, &KernelPartTime::time);
    if (on.estimate.bound != Bound::compute || on.estimate.peak_assumed || longest == parts.end() ||
        longest->peak.base() <= 0 || on.estimate.work.unit != "GFLOP/s") {
        return "";
    }
    const double paper = 1000 * count * (longest->peak / teraflop_per_second);
    return fmt::format(" ({:.0f} % of {} on paper)", 100 * std::min(1.0, on.estimate.rate / paper),
                       rate_words(paper, "GFLOP/s"));
}

std::string name_of_place(const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    return cluster.count > 1 ? fmt::format("{} {}", cluster.count, part.name)
           : part.devices_seen > 1
               ? fmt::format("one of the {} devices of {}", part.devices_seen, part.name)
               : part.name;
}

/// Where each place has a problem as large as its memory, rates compare, not times.
bool sized_by_memory(const KernelAnswer& answer) {
    return answer.kernel.operation == "hpl" && answer.kernel.size.empty() &&
           answer.kernel.elements == 0;
}

/// Devices that run one each at once: what is named beside others is weighed as it is sold, whole.
int devices_of_a_card(const KernelAnswer& answer, const KernelOn& on) {
    return answer.ranked || on.cluster.count > 1 ? 1 : on.cluster.accelerator->devices_seen;
}

/// Seconds of the same work: of a problem as large as the memory, those of a FLOP.
double seconds_alike(const KernelAnswer& answer, const KernelOn& on) {
    const double flops = on.estimate.work.flops.base();
    const double seconds = on.seconds() / devices_of_a_card(answer, on);
    return sized_by_memory(answer) && flops > 0 ? seconds / flops : seconds;
}

}  // namespace

const KernelOn& fastest(const KernelAnswer& answer) {
    return *std::ranges::min_element(answer.places, [&](const auto& a, const auto& b) {
        return a.estimate.fits != b.estimate.fits
                   ? a.estimate.fits
                   : seconds_alike(answer, a) < seconds_alike(answer, b);
    });
}

std::string kernel_fit_sentence(const KernelAnswer& answer) {
    const KernelOn& best = fastest(answer);
    return fmt::format("{}: its arrays and work areas take {} of {}{} on {}.",
                       best.estimate.fits ? "Yes" : "No",
                       format_gib(best.estimate.work.resident / gibibyte),
                       format_gib(best.estimate.capacity / gibibyte),
                       best.cluster.count > 1 ? " of each" : "", name_of_place(best.cluster));
}

namespace {

/// " ($2.59/h, hotaisle, 2026-09-20)": whose rent an hour it is.
std::string hour_words(const KernelOn& on) {
    return on.offer == nullptr ? ""
                               : fmt::format(" ({}/h, {}, {})", format_usd(on.usd_per_hour),
                                             on.offer->provider, on.offer->date);
}

/// "about $2,150 (used, 2026-07)"; empty: it is not known to be sold.
std::string sold_words(const KernelOn& on) {
    return on.usd_to_buy > 0 ? fmt::format("about {} ({})", format_usd(on.usd_to_buy), on.bought)
                             : std::string();
}

/// Of the places that have a price in dollars the one with the least; null: none has.
template <typename Price>
const KernelOn* least_of(const KernelAnswer& answer, const Price& price) {
    const KernelOn* least = nullptr;
    for (const KernelOn& on : answer.places) {
        const bool less =
            on.estimate.fits && price(on) > 0 && (least == nullptr || price(on) < price(*least));
        least = less ? &on : least;
    }
    return least;
}

/// What does it for the least rent, or most for its price, and what the fastest costs.
std::string cheapest_sentence(const KernelAnswer& answer, const std::string& what) {
    const KernelOn& cheap = answer.places.front();
    const KernelOn& fast = fastest(answer);
    std::string beside;
    if (fast.cluster.accelerator != cheap.cluster.accelerator) {
        const std::string sum = answer.buys             ? sold_words(fast)
                                : fast.usd_per_hour > 0 ? format_usd(fast.usd_per_million())
                                                        : "";
        beside = fmt::format("; the fastest, {}, takes {}{}", name_of_place(fast.cluster),
                             format_duration(fast.seconds()),
                             sum.empty() ? ", its price is not known" : " for " + sum);
    }
    const KernelOn* least =
        answer.buys ? least_of(answer, [](const KernelOn& on) { return on.usd_to_buy; })
                    : least_of(answer, [](const KernelOn& on) { return on.usd_per_million(); });
    if (least != &cheap && answer.buys) {
        beside +=
            fmt::format("; least is paid for {}, {}, which takes {}", name_of_place(least->cluster),
                        sold_words(*least), format_duration(least->seconds()));
    } else if (least != &cheap) {
        beside += fmt::format("; {} does it for {}, but has next to no units for {}",
                              name_of_place(least->cluster), format_usd(least->usd_per_million()),
                              type_words(answer.type));
    }
    if (answer.buys) {
        return fmt::format("{} is fastest for its price on {}, {} to buy: {}, {}, bound by {}{}.",
                           what, name_of_place(cheap.cluster), sold_words(cheap),
                           ranged_time(cheap), asked_rate(cheap.estimate),
                           bound_words(cheap.estimate), beside);
    }
    return fmt::format(
        "{} is cheapest on {}: {} for a million runs by rent{}, each {}, {}, bound by {}{}.", what,
        name_of_place(cheap.cluster), format_usd(cheap.usd_per_million()), hour_words(cheap),
        ranged_time(cheap), asked_rate(cheap.estimate), bound_words(cheap.estimate), beside);
}

/// Who pays for it is told what the fastest costs, and what costs least.
std::string price_of_fastest(const KernelAnswer& answer, const KernelOn& best) {
    const auto to_buy = [](const KernelOn& on) { return on.usd_for_speed(); };
    const auto to_rent = [](const KernelOn& on) { return on.usd_per_million(); };
    const KernelOn* cheap = answer.buys ? least_of(answer, to_buy) : least_of(answer, to_rent);
    if (cheap == nullptr) {
        return "";
    }
    const bool same = cheap == &best;
    if (answer.buys) {
        return fmt::format(". It costs {}{}", sold_words(best),
                           same ? std::string(", the least for its speed")
                                : fmt::format("; least for its speed is {}, {} (each {})",
                                              name_of_place(cheap->cluster), sold_words(*cheap),
                                              format_duration(cheap->seconds())));
    }
    // What takes seconds is not run a million times.
    constexpr double long_run_s = 1;
    if (best.seconds() >= long_run_s) {
        return "";
    }
    const std::string first =
        best.usd_per_hour > 0 ? fmt::format(". A million runs cost {} by rent{}",
                                            format_usd(best.usd_per_million()), hour_words(best))
                              : std::string(". No rent of it is known");
    return first + (same
                        ? ", the least of all"
                        : fmt::format("; least on {}, {}{}, each {}", name_of_place(cheap->cluster),
                                      format_usd(cheap->usd_per_million()), hour_words(*cheap),
                                      format_duration(cheap->seconds())));
}

/// " To buy: NVIDIA A30 for about $2,150 (used, 2026-07), each 12 ms."
std::string bought_words(const KernelAnswer& answer) {
    return answer.to_buy
               ? fmt::format(" To buy: {} for {}, each {}.", name_of_place(answer.to_buy->cluster),
                             sold_words(*answer.to_buy), format_duration(answer.to_buy->seconds()))
               : std::string();
}

}  // namespace

std::string kernel_sentence(const KernelAnswer& answer) {
    const KernelOn& best = fastest(answer);
    std::string what = fmt::format("{} in {}", best.estimate.work.title, type_words(answer.type));
    what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
    const std::string figures =
        fmt::format("{}, {}{}, bound by {}", ranged_time(best), asked_rate(best.estimate),
                    cells_words(answer.kernel, best.estimate), bound_words(best.estimate));
    std::string where = name_of_place(best.cluster);
    if (answer.places.size() > 1 && devices_of_a_card(answer, best) > 1) {
        where.replace(0, 3, "each");  // "one of the 2 devices"
    }
    if (!best.estimate.fits) {
        return fmt::format("{} If it fitted: {} in {}.", kernel_fit_sentence(answer), what,
                           figures);
    }
    if (answer.places.size() == 1) {
        return fmt::format("{} on {} takes {}{}.", what, where, figures, share_of_paper(best));
    }
    if (answer.by_cost) {
        return cheapest_sentence(answer, what) + bought_words(answer);
    }
    const KernelOn* next = nullptr;
    for (const KernelOn& on : answer.places) {
        const bool other = on.cluster.accelerator != best.cluster.accelerator ||
                           on.cluster.count != best.cluster.count;
        if (other && on.estimate.fits &&
            (next == nullptr || seconds_alike(answer, on) < seconds_alike(answer, *next))) {
            next = &on;
        }
    }
    std::string beside;
    constexpr double a_tie = 1.005;
    if (next != nullptr && seconds_alike(answer, *next) < a_tie * seconds_alike(answer, best)) {
        beside = fmt::format("; {} {}", name_of_place(next->cluster),
                             sized_by_memory(answer) ? "is as fast" : "takes as long");
    } else if (next != nullptr && sized_by_memory(answer)) {
        beside = fmt::format("; {} reaches {}", name_of_place(next->cluster),
                             rate_words(next->estimate));
    } else if (next != nullptr) {
        const bool whole =
            devices_of_a_card(answer, best) > 1 || devices_of_a_card(answer, *next) > 1;
        beside = fmt::format("; {} takes {:.3g} times as long{} ({})", name_of_place(next->cluster),
                             seconds_alike(answer, *next) / seconds_alike(answer, best),
                             whole ? " where whole cards run as many" : "",
                             format_duration(next->seconds()));
    }
    beside += sized_by_memory(answer) ? std::string() : price_of_fastest(answer, best);
    return fmt::format("{} is fastest on {}: {}{}.{}", what, where, figures, beside,
                       bought_words(answer));
}

}  // namespace ridgeline::report
