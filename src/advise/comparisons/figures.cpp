#include "advise/answers/rate_words.h"
#include "advise/answers/side_rents.h"
#include "advise/comparisons/side_by_side.h"
#include "advise/figure_words.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

// Sides of a comparison without a workload: memory, bandwidth and rates.

namespace ridgeline {

namespace {

/// The matrix rate in TFLOP/s, of scientific computing that of doubles; else bandwidth in GB/s.
double deciding_rate(const ComparedSide& side, bool matrix, bool science) {
    const auto bf16 = side.part->peak(ComputeType::bf16);
    const auto peak = science ? side.part->peak_vector_fp64
                      : bf16  ? bf16
                              : side.part->peak(ComputeType::fp16);
    return matrix ? (peak ? side.count * (*peak / teraflop_per_second) : 0)
                  : side.count * (side.part->memory_bandwidth / gigabyte_per_second);
}

}  // namespace

Answer SideBySide::by_figures() {
    const bool science = tools_.knowledge.profiles.in_doubles(reading_.profile);
    const bool trains = reading_.task == Task::train;
    std::string headline;
    std::string value;
    std::string room;
    const Accelerator* subject = nullptr;  // that the words before speak of
    Answer reply;
    // What was asked for goes first: double precision, else training or decoding.
    const bool rate_first = trains || science;
    for (const bool matrix : {rate_first, !rate_first}) {
        for (ComparedSide& side : sides_) {
            side.score = deciding_rate(side, matrix, science);
            side.measure = matrix ? "TFLOP/s" : "GB/s";
        }
        if (reply.values.empty()) {
            keep_usual_forms();
        }
        rank();
        const ComparedSide& best = sides_.front();
        const ComparedSide* other = second();
        if (reply.values.empty()) {
            reply.choice = choice_of(best);
            reply.runner_up = choice_of(*other);
            add_values(reply);
            std::tie(room, subject) =
                science || trains ? std::pair(std::string(), subject) : room_words();
        }
        const double ratio = other->score > 0 ? best.score / other->score : 0;
        const std::string what = !matrix   ? "memory bandwidth"
                                 : science ? "fp64 rate"
                                           : "matrix rate";
        const std::string has = subject == best.part ? "it has" : words_of(best) + " has";
        const std::string than = subject == nullptr ? " of " + words_of(*other) : "";
        headline += headline.empty() ? "" : "; ";
        if (ratio == 0) {
            headline += "the " + what + " of " + words_of(*other) + " is not known";
        } else if (ratio < same_rate_within) {
            headline += fmt::format(
                "{} about the same {} ({} against {} {})",
                subject == nullptr ? words_of(best) + " and " + words_of(*other) + " have"
                                   : "both have",
                what, figure_words(best.score), figure_words(other->score), best.measure);
        } else {
            headline += fmt::format("{} {} times the {}{} ({} against {} {})", has,
                                    times_words(ratio), what, than, figure_words(best.score),
                                    figure_words(other->score), best.measure);
        }
        subject = ratio == 0 ? subject : best.part;
        headline += matrix && science ? units_words(false) : "";
        headline += science  ? matrix ? ", which decides arithmetic in double precision"
                                      : ", which decides stencils, sparse matrices and transforms"
                    : matrix ? ", which decides training and prompts"
                             : ", which decides decoding";
        headline += matrix || science ? "" : apart_words(best, *other);
        headline += matrix && science ? units_words(true) : "";
        if (asks(reading_, "value")) {
            const std::string worth =
                value_words(best, *other, matrix ? " for training and prompts" : " for decoding",
                            tools_.knowledge.catalog);
            value += worth.empty() ? worth : worth + " ";
            value += value.empty() ? without_price(best, *other) : "";
        }
    }
    const bool bought = value.empty() && stands_at_desks();
    const std::string sold =
        bought ? bought_words(sides_.front(), *second(), tools_.knowledge.catalog) : "";
    reply.headline = matched_words(false) + value + room + headline + "." + sold +
                     (sold.empty() && value.empty() && !asks_for_bill(reading_)
                          ? rents_words(sides_.front(), *second(), tools_.knowledge.catalog)
                          : "");
    return reply;
}

std::string SideBySide::units_words(bool products) const {
    const auto tera = [](const ComparedSide& side, const std::optional<FlopsPerSecond>& peak) {
        return peak ? figure_words(side.count * (*peak / teraflop_per_second))
                    : std::string("not known");
    };
    std::string words;
    for (const ComparedSide& side : sides_) {
        const bool told = &side == &sides_.front() || &side == second();
        const auto peak =
            products ? side.part->peak(ComputeType::fp64) : side.part->peak_vector_fp64;
        if (products ? peak.has_value() : !told) {
            words += fmt::format("{}{} {}", products && words.empty() ? "" : ", ", words_of(side),
                                 tera(side, peak));
        }
    }
    return products && !words.empty() ? "; matrix units in fp64: " + words : words;
}

std::string SideBySide::matched_words(bool at_work) const {
    const auto side = [&](const ReadSide& read) {
        return std::find_if(sides_.begin(), sides_.end(),
                            [&](const ComparedSide& each) { return each.side == &read; });
    };
    const auto many = side(reading_.sides.front());
    const auto one = side(reading_.sides.back());
    if (!asks(reading_, "matches") || many == sides_.end() || one == sides_.end()) {
        return {};
    }
    if (at_work) {
        if (many->score <= 0 || one->score <= 0 || many->by_energy) {
            return {};
        }
        const double worth = (one->score / one->count) / (many->score / many->count);
        if (worth <= 1) {
            return fmt::format("One {} is as fast as {} of {} at this work. ", many->part->name,
                               times_words(1 / worth), one->part->name);
        }
        return fmt::format(
            "{:.0f} x {} make up for one {} at this work, before what links between "
            "them cost: it is as fast as {}. ",
            std::max(2.0, std::ceil(worth - 0.05)), many->part->name, one->part->name,
            times_words(worth));
    }
    const auto rate = [](const ComparedSide& each) {
        const auto bf16 = each.part->peak(ComputeType::bf16);
        const auto peak = bf16 ? bf16 : each.part->peak(ComputeType::fp16);
        return peak ? *peak / teraflop_per_second : 0;
    };
    const std::string& name = many->part->name;
    const std::string rates =
        rate(*many) > 0 && rate(*one) > 0
            ? fmt::format("{} by matrix rate, ", times_words(rate(*one) / rate(*many)))
            : std::string();
    return fmt::format(
        "One {} is worth {}{} by bandwidth and {} by memory of {}, before what links between them "
        "cost. ",
        one->part->name, rates,
        times_words(one->part->memory_bandwidth / many->part->memory_bandwidth),
        times_words(one->part->capacity() / many->part->capacity()), name);
}

std::pair<std::string, const Accelerator*> SideBySide::room_words() const {
    const auto gib = [](const ComparedSide& side) {
        return side.count * (side.part->capacity() / gibibyte);
    };
    const ComparedSide& first = sides_.front();
    const ComparedSide& other = *second();
    const ComparedSide& more = gib(first) >= gib(other) ? first : other;
    const ComparedSide& less = &more == &first ? other : first;
    constexpr double hardly_more = 1.1;
    if (gib(less) <= 0 || gib(more) < hardly_more * gib(less)) {
        return {"", nullptr};
    }
    return {fmt::format("{} holds the larger models: {} against {} of {}; ", words_of(more),
                        format_gib(gib(more)), format_gib(gib(less)), words_of(less)),
            more.part};
}

std::string SideBySide::apart_words(const ComparedSide& best, const ComparedSide& other) {
    if (best.count == other.count) {
        return {};
    }
    const ComparedSide& more = best.count > other.count ? best : other;
    return fmt::format(
        " (of all at once; layers that lie on one card after the other are read at the {} GB/s "
        "of each)",
        figure_words(more.part->memory_bandwidth / gigabyte_per_second));
}

}  // namespace ridgeline
