#include "advise/largest/amount.h"

#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/largest/in_time.h"
#include "advise/search/time_limits.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/stored_weights.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

namespace ridgeline {
namespace {

/// The largest of 1 x unit, 2 x unit, ... that fits; 0: not even the first.
template <typename Fits>
double largest(double unit, double most, Fits fits) {
    if (!fits(unit)) {
        return 0;
    }
    double low = 1;
    double high = 2;
    while (high * unit <= most && fits(high * unit)) {
        low = high;
        high *= 2;
    }
    const double last = std::floor(most / unit);
    if (high > last && fits(last * unit)) {
        return last * unit;
    }
    high = std::min(high, last + 1);
    // A hundredth of the value is finer than the estimate.
    while (high - low > std::max(1.0, low / 100)) {
        const double middle = std::floor((low + high) / 2);
        (fits(middle * unit) ? low : high) = middle;
    }
    return low * unit;
}

/// Would the plan hold where memory is at the upper (or the lower) end of the error of the
/// estimate?
bool holds_within(const MemoryEstimate& memory, bool high) {
    const double bound = high ? memory.band.high : memory.band.low;
    return memory.process * (bound > 0 ? bound : 1) <= memory.capacity - memory.unclaimed;
}

struct Subject {
    std::string_view quantity;
    std::string_view unit;
    std::string_view words;
    double step;
    double most;
};

Subject subject_of(const Reading& reading) {
    switch (reading.extreme) {
        case Extreme::sequence:
            return {"context", "tokens", "the longest context is {} tokens", 128, 16.0 * (1 << 20)};
        case Extreme::users:
            return {"concurrency", "requests", "up to {} requests at once fit", 1, 1 << 16};
        case Extreme::batch:
            return {"batch", "samples", "the largest batch is {} samples", 1, 1 << 14};
        case Extreme::rank:
            return {"rank", "rank", "the largest rank is {}", 8, 1 << 12};
        case Extreme::image:
            return {"image_size", "px", "the largest picture has a side of {0} px ({0} x {0})", 64,
                    1 << 14};
        case Extreme::frames:
            return {"frames", "frames", "the longest clip has {} frames", 1, 1 << 12};
        case Extreme::kernel:  // answered where kernels are
        case Extreme::copies:
            return {"copies", "copies", "", 1, 0};
        case Extreme::model:
            break;
    }
    return {"model", "parameters", "", 0, 0};
}

/// What is asked of one cluster, and the placements that were tried on the way.
class AmountSearch {
public:
    AmountSearch(const Reading& reading, const Query& query, const Cluster& cluster,
                 const AnswerTools& tools, const Architecture& architecture,
                 WorkloadDocument document)
        : reading_(reading),
          query_(query),
          cluster_(cluster),
          tools_(tools),
          architecture_(architecture),
          document_(std::move(document)),
          subject_(subject_of(reading)),
          positions_(reading.extreme == Extreme::sequence && architecture.max_positions > 0),
          most_(positions_ ? std::min<double>(subject_.most, architecture.max_positions)
                           : subject_.most) {}

    /// The largest in the middle of the errors; 0: none fits.
    double found();
    /// with  " with llama.cpp (none with vLLM)": by which other way it is the largest
    Result<Answer> reply(const std::string& with);
    [[nodiscard]] const WorkloadDocument& document() const { return document_; }
    /// The placement of the largest, else of the least.
    const Placement* placed();

private:
    /// The plan with the amount, tried once; none: the problem is in `problem_`.
    const std::optional<Placement>& placed_at(double value);
    /// Does it fit and come in time, in the middle of the errors?
    bool holds(double value);
    /// The same where memory and time need as much as the error of the estimate allows, or as
    /// little.
    double found_at(bool high);
    /// Users at once are those that are answered at once: none waits for room in the cache.
    [[nodiscard]] bool all_run(const Placement& placed) const {
        return reading_.extreme != Extreme::users || !placed.workload.serving ||
               running_requests(placed.estimate.memory, placed.workload) >=
                   placed.workload.serving->concurrency;
    }
    std::string nothing_fits(const std::string& where);
    std::string batch_words(double found) const;
    [[nodiscard]] std::string accumulation_words(double found) const;
    std::string picture_words() const;
    std::optional<std::string> usual_clip(double low, double high);
    std::string users_words() const;
    /// Of a batch that saturates: the least whose rate is near that of the largest; empty: it is
    /// not asked.
    std::string saturating(double found, const std::string& with, Answer& reply);

    const Reading& reading_;
    const Query& query_;
    const Cluster& cluster_;
    const AnswerTools& tools_;
    const Architecture& architecture_;
    WorkloadDocument document_;
    Subject subject_;
    bool positions_;  ///< the model ends the search, not the memory
    double most_;
    std::optional<double> found_;
    std::optional<Placement> at_best_;
    std::optional<Error> problem_;
    std::map<double, std::optional<Placement>> tried_;
};

const std::optional<Placement>& AmountSearch::placed_at(double value) {
    const auto [at, fresh] = tried_.try_emplace(value);
    if (fresh) {
        WorkloadDocument trial = document_;
        set_amount(trial, reading_.extreme, value);
        auto placed = tools_.place(trial, architecture_, cluster_);
        if (placed) {
            at->second = std::move(*placed);
        } else {
            problem_ = placed.error();
        }
    }
    return at->second;
}

bool AmountSearch::holds(double value) {
    const auto& placed = placed_at(value);
    if (!placed || !placed->estimate.memory.fits || !all_run(*placed) ||
        !soon_enough(query_, placed->workload, placed->estimate.time, 1, 1)) {
        return false;
    }
    at_best_ = *placed;
    return true;
}

double AmountSearch::found_at(bool high) {
    return largest(subject_.step, most_, [&](double value) {
        const auto& placed = placed_at(value);
        return placed && holds_within(placed->estimate.memory, high) && all_run(*placed) &&
               soon_enough(query_, placed->workload, placed->estimate.time,
                           high ? placed->ttft_band.high : placed->ttft_band.low,
                           high ? placed->tpot_band.high : placed->tpot_band.low);
    });
}

std::string AmountSearch::nothing_fits(const std::string& where) {
    const auto& least = placed_at(subject_.step);
    const bool held = least && least->estimate.memory.fits;
    return fmt::format("{}: not even {}{}.", where, held ? "one fits" : "the smallest fits",
                       held ? target_words(query_) : "");
}

/// " on each card, 64 on all 8": of a batch on several cards.
std::string AmountSearch::batch_words(double found) const {
    if (reading_.extreme != Extreme::batch || cluster_.count == 1) {
        return "";
    }
    const int copies = at_best_->workload.plan.data;
    const int sharers = cluster_.count / std::max(1, copies);
    return sharers > 1
               ? fmt::format(
                     " on each {} cards, which share one copy of the model, {:.0f} on all {}",
                     sharers, found * copies, cluster_.count)
               : fmt::format(" on each card, {:.0f} on all {}", found * copies, cluster_.count);
}

/// "; 64 samples a step are 4 of them on 2 cards, accumulated 8 times": where a step's were told.
std::string AmountSearch::accumulation_words(double found) const {
    if (reading_.extreme != Extreme::batch || !reading_.step_batch) {
        return "";
    }
    const double copies = at_best_->workload.plan.data;
    // The largest that divides the step, so that every pass is as large.
    double micro = std::min(found, std::ceil(*reading_.step_batch / copies));
    while (micro > 1 && std::fmod(*reading_.step_batch, micro * copies) != 0) {
        --micro;
    }
    const double times = std::ceil(*reading_.step_batch / (micro * copies));
    return fmt::format("; {:g} samples a step: micro-batch {:g}{}, accumulated {:g} times",
                       static_cast<double>(*reading_.step_batch), micro,
                       copies > 1 ? fmt::format(" on each of {:g} copies", copies) : "", times);
}

/// How long a picture or clip of that size takes, and what the figure rests on.
std::string AmountSearch::picture_words() const {
    const bool clip = reading_.extreme == Extreme::frames;
    if (!clip && reading_.extreme != Extreme::image) {
        return "";
    }
    const double each = at_best_->estimate.time.samples_per_second;
    const int pixels = at_best_->workload.batch.image_size;
    return fmt::format(
        "{}{}, by the memory of the network alone (decoded in tiles); it is made for less than "
        "the most that fits",
        clip && pixels > 0 ? fmt::format(" at {} px", pixels) : "",
        each > 0 ? fmt::format(", {} each", format_duration(1 / each)) : "");
}

/// The pace of each of the most users, and of all.
std::string AmountSearch::users_words() const {
    if (reading_.extreme != Extreme::users) {
        return "";
    }
    const TimeEstimate& time = at_best_->estimate.time;
    std::string words = fmt::format(", each at {} tokens/s", figure_words(second / time.tpot));
    if (time.samples_per_second > 0 && at_best_->workload.serving) {
        words += fmt::format(", {:.3g} requests/s of {:g} tokens in and {:g} out",
                             time.samples_per_second, at_best_->workload.serving->input_tokens,
                             at_best_->workload.serving->output_tokens);
    }
    return words;
}

std::string AmountSearch::saturating(double found, const std::string& with, Answer& reply) {
    if (!asks(reading_, "saturating")) {
        return "";
    }
    constexpr double near = 0.9;  // of the highest rate: what is left hides in errors and waiting
    const bool tokens = at_best_->estimate.time.tokens_per_second > 0 && !reading_.counts_samples;
    const auto rate_at = [&](double value) {
        const auto& placed = placed_at(value);
        return !placed || !placed->estimate.memory.fits ? 0
               : tokens                                 ? placed->estimate.time.tokens_per_second
                                                        : placed->estimate.time.samples_per_second;
    };
    std::vector<double> tried = {found};
    for (double value = 1; value < found; value *= 2) {
        tried.push_back(value);
    }
    stable_order(tried.begin(), tried.end(), std::less<>());
    const double highest = std::ranges::max(tried, {}, rate_at);
    const auto enough = std::ranges::find_if(
        tried, [&](double value) { return rate_at(value) >= near * rate_at(highest); });
    const double least = tried.front();
    reply.values.insert(reply.values.begin(),
                        {"saturating", {}, *enough, {}, std::string(subject_.unit), ""});
    const std::string unit = tokens ? "tokens/s" : "samples/s";
    return fmt::format(
        "{} of {:.0f} saturates {}{}: {} {}, {:.0f} % of what {:.0f}{} make; {:.0f} make{} {}. "
        "More adds waiting, little work.",
        reading_.extreme == Extreme::users ? "A batch" : "A micro-batch", *enough,
        cards_words(cluster_), with, figure_words(rate_at(*enough)), unit,
        100 * rate_at(*enough) / rate_at(highest), highest,
        highest == found ? ", the most that fit," : "", least, least == 1 ? "s" : "",
        figure_words(rate_at(least)));
}

/// Of a clip, where how long it may be cannot be told: whether the length that the network is made
/// for fits, and how long it takes.
std::optional<std::string> AmountSearch::usual_clip(double low, double high) {
    constexpr double too_wide = 4;  // of the most over the least
    if (reading_.extreme != Extreme::frames || high < too_wide * std::max(low, 1.0)) {
        return std::nullopt;
    }
    const auto placed = tools_.place(document_, architecture_, cluster_);
    if (!placed || !placed->estimate.memory.fits || placed->workload.batch.frames <= 1) {
        return std::nullopt;
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    const double rate = placed->estimate.time.samples_per_second;
    return fmt::format(
        "the {} frames{} that it is made for {} ({:.1f} of {:.1f} GiB, decoded in tiles){}; how "
        "many more do cannot be told",
        placed->workload.batch.frames,
        placed->workload.batch.image_size > 0
            ? fmt::format(" at {} px", placed->workload.batch.image_size)
            : "",
        verdict_of(memory) == "barely" ? "barely fit" : "fit", memory.process / gibibyte,
        (memory.capacity - memory.unclaimed) / gibibyte,
        rate > 0 ? fmt::format(" and take {}", format_duration(1 / rate)) : "");
}

double AmountSearch::found() {
    if (!found_) {
        found_ = largest(subject_.step, most_, [&](double value) { return holds(value); });
    }
    return *found_;
}

const Placement* AmountSearch::placed() {
    const auto& least = placed_at(subject_.step);
    return at_best_ ? &*at_best_ : least ? &*least : nullptr;
}

/// " (75 to 80)", or that it fits by the middle of the errors alone.
std::string span_of(double low, double high) {
    return low == high ? ""
           : low == 0  ? fmt::format(
                             " (barely: none where it needs more than estimated, {:g} where "
                              "less)",
                             high)
                      : fmt::format(" ({:g} to {:g})", low, high);
}

Result<Answer> AmountSearch::reply(const std::string& with) {
    const double found = this->found();
    if (found == 0 && problem_) {
        return tl::unexpected(*problem_);
    }
    Answer reply;
    reply.choice.emplace();
    reply.choice->accelerator = cluster_.accelerator->id;
    reply.choice->count = cluster_.count;
    const double sure = found > 0 ? found_at(true) : 0;
    const double at_best_luck = found > 0 ? std::max(found, found_at(false)) : 0;
    reply.values = {{std::string(subject_.quantity), sure, found, at_best_luck,
                     std::string(subject_.unit), ""}};
    const std::string where = fmt::format("{} on {}", reading_.model, cards_words(cluster_));
    if (found == 0) {
        reply.headline = nothing_fits(where);
        return reply;
    }
    if (const auto clip = usual_clip(sure, at_best_luck)) {
        reply.headline = fmt::format("{}: {}.", where, *clip);
        return reply;
    }
    if (const std::string batch = saturating(found, with, reply); !batch.empty()) {
        reply.headline = fmt::format("{}: {}", reading_.model, batch);
        return reply;
    }
    reply.headline = fmt::format(
        "{}: {}{}{}{}{}{}{}{}.", where,
        fmt::format(fmt::runtime(subject_.words), static_cast<long long>(found)),
        span_of(sure, at_best_luck), with, batch_words(found) + accumulation_words(found),
        target_words(query_), picture_words(), users_words(),
        positions_ && found * 2 > most_
            ? fmt::format(" (the model knows {} positions)", architecture_.max_positions)
            : "");
    return reply;
}

/// " with Axolotl, a loss in pieces and the context over 8 cards (38144 with hf-trainer)".
std::string way_words(const LeanWay& way, AmountSearch& best, AmountSearch& usual) {
    const Placement* placed = best.placed();
    const Placement* plain = usual.placed();
    const int parts = placed == nullptr ? 1 : placed->workload.plan.context;
    std::string words = " with " + way.words;
    if (parts > 1) {
        words += fmt::format(" and the context over {} cards", parts);
    }
    if (plain == nullptr) {
        return words;
    }
    const Bytes kept = plain->estimate.memory.unclaimed;
    return words + fmt::format(" ({} with {}{})",
                               usual.found() > 0 ? fmt::format("{:g}", usual.found()) : "none",
                               plain->workload.framework,
                               kept > Bytes{} ? fmt::format(", which leaves {} of the card alone",
                                                            format_gib(kept / gibibyte))
                                              : "");
}

/// " That is in 16-bit weights: 75264 in q8_0, 106496 in q4_k_m.", the widest and the narrowest of
/// those that are usual, where nobody said how weights are stored.
std::string narrower_words(AmountSearch& whole,
                           const std::function<double(const WorkloadDocument&)>& found_in,
                           const std::vector<std::string_view>& types) {
    std::string words;
    double most = whole.found();
    for (std::size_t i = 0; i < types.size(); i += std::max<std::size_t>(types.size() - 1, 1)) {
        WorkloadDocument narrow = whole.document();
        narrow.quantization = std::string(types[i]);
        if (const double found = found_in(narrow); found > most) {
            words += fmt::format("{}{:g} in {}", words.empty() ? ": " : ", ", found, types[i]);
            most = found;
        }
    }
    return " That is in 16-bit weights" + words + ".";
}

}  // namespace

Result<Answer> largest_amount(const Reading& reading, const Query& query, const Cluster& cluster,
                              const AnswerTools& tools) {
    WorkloadDocument document = query.workload;
    if (document.task == Task::inference && !document.serving) {
        document.serving.emplace();
    }
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    train_as_networks_do(document, *architecture, cluster.count);
    constexpr double worth_a_change = 1.25;  // of the amount
    AmountSearch usual(reading, query, cluster, tools, *architecture, document);
    std::unique_ptr<AmountSearch> best;
    std::string with;
    const auto ways =
        reading.extreme == Extreme::sequence
            ? context_ways(tools.knowledge.profiles, document, *architecture, cluster.count)
            : std::vector<LeanWay>{};
    for (const LeanWay& way : ways) {
        auto other = std::make_unique<AmountSearch>(reading, query, cluster, tools, *architecture,
                                                    way.document);
        const double most = best ? best->found() : usual.found();
        if (other->found() > worth_a_change * most) {
            best = std::move(other);
            with = way_words(way, *best, usual);
        }
    }
    auto reply = best ? best->reply(with) : usual.reply("");
    // Networks are trained without it as a rule; it is told what computing layers again makes room
    // for.
    if (reply && reading.extreme == Extreme::batch && !query.workload.recompute &&
        document.recompute) {
        WorkloadDocument again = document;
        again.recompute = RecomputeMode::full;
        AmountSearch other(reading, query, cluster, tools, *architecture, again);
        if (other.found() > worth_a_change * usual.found()) {
            reply->headline += fmt::format(" {:g} with --recompute full.", other.found());
        }
    }
    if (reply && reading.extreme == Extreme::sequence &&
        leaves_weights_open(document, *architecture)) {
        AmountSearch& whole = best ? *best : usual;
        reply->headline += narrower_words(
            whole,
            [&](const WorkloadDocument& narrow) {
                return AmountSearch(reading, query, cluster, tools, *architecture, narrow).found();
            },
            weights_to_try(whole.document(), *architecture, std::array{cluster.accelerator},
                           tools.knowledge.profiles));
    }
    if (reply && best) {
        reply->framework = best->document().framework.value_or("");
        reply->loss = best->document().loss;
    }
    return reply;
}

void set_amount(WorkloadDocument& document, Extreme extreme, double value) {
    if (extreme == Extreme::sequence && document.task == Task::inference) {
        document.serving->input_tokens = std::max(1.0, value - document.serving->output_tokens);
    } else if (extreme == Extreme::sequence) {
        document.sequence_length = static_cast<int>(value);
    } else if (extreme == Extreme::users) {
        document.serving->concurrency = value;
    } else if (extreme == Extreme::image) {
        document.image_size = document.image_height = static_cast<int>(value);
    } else if (extreme == Extreme::frames) {
        document.frames = static_cast<int>(value);
    } else if (extreme == Extreme::rank) {
        document.lora_rank = static_cast<int>(value);
        document.has_lora = true;
    } else if (document.task == Task::inference) {
        document.serving->concurrency = value;
    } else {
        document.micro_batch = static_cast<int>(value);
        document.global_batch.reset();
    }
}

}  // namespace ridgeline
