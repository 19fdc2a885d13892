#include "advise/answer.h"
#include "advise/memory_ways.h"
#include "advise/models_that_fit.h"
#include "advise/offers.h"
#include "advise/pretrainable.h"
#include "advise/stored_weights.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

// Replies about the largest that fits.

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

/// Whether the first token and the further ones come as soon as the question wants.
///
/// first, further  factors on the middle of both times
bool soon_enough(const Query& query, const TimeEstimate& time, double first, double further) {
    return (!query.ttft_s || time.ttft / second * first <= *query.ttft_s) &&
           (!query.tpot_s || time.tpot / second * further <= *query.tpot_s);
}

/// " with the first token within 1 s", where the question wants it.
std::string target_words(const Query& query) {
    std::string words;
    if (query.ttft_s) {
        words += " with the first token within " + format_duration(*query.ttft_s);
    }
    if (query.tpot_s) {
        words += (words.empty() ? " with" : " and") + std::string(" each further one within ") +
                 format_duration(*query.tpot_s);
    }
    return words;
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

void set(WorkloadDocument& document, Extreme extreme, double value) {
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
    const Subject subject = subject_of(reading);
    std::optional<Placement> at_best;
    std::optional<Error> problem;
    std::map<double, std::optional<Placement>> tried;
    const bool positions = reading.extreme == Extreme::sequence && architecture->max_positions > 0;
    const double most =
        positions ? std::min<double>(subject.most, architecture->max_positions) : subject.most;
    const auto placed_at = [&](double value) -> const std::optional<Placement>& {
        const auto [at, fresh] = tried.try_emplace(value);
        if (fresh) {
            WorkloadDocument trial = document;
            set(trial, reading.extreme, value);
            auto placed = tools.place(trial, *architecture, cluster);
            if (placed) {
                at->second = std::move(*placed);
            } else {
                problem = placed.error();
            }
        }
        return at->second;
    };
    const double found = largest(subject.step, most, [&](double value) {
        const auto& placed = placed_at(value);
        if (placed && placed->estimate.memory.fits &&
            soon_enough(query, placed->estimate.time, 1, 1)) {
            at_best = *placed;
            return true;
        }
        return false;
    });
    // The same where memory and time need as much as the error of the estimate allows, and as
    // little.
    const auto found_at = [&](bool high) {
        return largest(subject.step, most, [&](double value) {
            const auto& placed = placed_at(value);
            return placed && holds_within(placed->estimate.memory, high) &&
                   soon_enough(query, placed->estimate.time,
                               high ? placed->ttft_band.high : placed->ttft_band.low,
                               high ? placed->tpot_band.high : placed->tpot_band.low);
        });
    };
    if (found == 0 && problem) {
        return tl::unexpected(*problem);
    }
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    const double sure = found > 0 ? found_at(true) : 0;
    const double at_best_luck = found > 0 ? std::max(found, found_at(false)) : 0;
    reply.values = {
        {std::string(subject.quantity), sure, found, at_best_luck, std::string(subject.unit), ""}};
    const std::string where =
        fmt::format("{} on {} x {}", reading.model, cluster.count, cluster.accelerator->name);
    if (found == 0) {
        const auto& least = placed_at(subject.step);
        const bool held = least && least->estimate.memory.fits;
        reply.headline =
            fmt::format("{}: not even {}{}.", where, held ? "one fits" : "the smallest fits",
                        held ? target_words(query) : "");
        return reply;
    }
    reply.headline = fmt::format(
        "{}: {}", where, fmt::format(fmt::runtime(subject.words), static_cast<long long>(found)));
    if (sure != at_best_luck) {
        reply.headline += fmt::format(" ({:g} to {:g})", sure, at_best_luck);
    }
    if (reading.extreme == Extreme::batch && at_best && cluster.count > 1) {
        const int copies = at_best->workload.plan.data;
        const int sharers = cluster.count / std::max(1, copies);
        reply.headline +=
            sharers > 1
                ? fmt::format(
                      " on each {} cards, which share one copy of the model, {:g} on all {}",
                      sharers, found * copies, cluster.count)
                : fmt::format(" on each card, {:g} on all {}", found * copies, cluster.count);
    }
    reply.headline += target_words(query);
    if ((reading.extreme == Extreme::image || reading.extreme == Extreme::frames) && at_best) {
        const double each = at_best->estimate.time.samples_per_second;
        const int pixels = at_best->workload.batch.image_size;
        reply.headline += fmt::format(
            "{}{}, by the memory of the network alone (decoded in tiles); it is made for less than "
            "the most that fits",
            reading.extreme == Extreme::frames && pixels > 0 ? fmt::format(" at {} px", pixels)
                                                             : "",
            each > 0 ? fmt::format(", {} each", format_duration(1 / each)) : "");
    }
    if (reading.extreme == Extreme::users && at_best) {
        reply.headline += fmt::format(", each at {} tokens/s",
                                      figure_words(second / at_best->estimate.time.tpot));
        if (at_best->estimate.time.samples_per_second > 0 && at_best->workload.serving) {
            reply.headline += fmt::format(", {:.3g} requests/s of {:g} tokens in and {:g} out",
                                          at_best->estimate.time.samples_per_second,
                                          at_best->workload.serving->input_tokens,
                                          at_best->workload.serving->output_tokens);
        }
    }
    if (positions && found * 2 > most) {
        reply.headline +=
            fmt::format(" (the model knows {} positions)", architecture->max_positions);
    }
    reply.headline += ".";
    return reply;
}

/// How many copies of a served model, or runs that train one, a card holds side by side, each with
/// its own weights and work. They share the card's time.
Result<Answer> largest_copies(const Reading& reading, const Cluster& cluster,
                              const AnswerTools& tools) {
    WorkloadDocument document = query_of(reading, Task::inference).workload;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const Cluster one = make_cluster(tools.knowledge.catalog, *cluster.accelerator, 1, 0, nullptr);
    const bool trains = reading.task == Task::train;
    const Way way{Task::train, reading.method.empty() ? "lora" : reading.method, ""};
    const auto placed =
        trains ? placed_way(way, reading, one, tools) : tools.place(document, *architecture, one);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    const auto held = [&](double factor) {
        return cluster.count * std::floor(memory.capacity / (memory.process * factor));
    };
    const double high = memory.band.high > 0 ? memory.band.high : 1;
    const double low = memory.band.low > 0 ? memory.band.low : 1;
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    reply.values = {{"copies", held(high), held(1), held(low), "copies", ""}};
    const std::string& stored = placed->workload.quantization.name;
    const std::string weights = stored.empty() || stored == "none"
                                    ? std::string(name_of(placed->workload.weights))
                                    : stored;
    const std::string span =
        held(high) == held(low) ? "" : fmt::format(" ({:g} to {:g})", held(high), held(low));
    if (trains) {
        reply.headline = fmt::format(
            "{} x {} hold{} {:g} runs{} of {} ({}) side by side, none over two cards: each needs "
            "{} of {}; they share the card's time.",
            cluster.count, cluster.accelerator->name, cluster.count == 1 ? "s" : "", held(1), span,
            reading.model, way.method, format_gib(memory.process / gibibyte),
            format_gib(memory.capacity / gibibyte));
        return reply;
    }
    reply.headline = fmt::format(
        "{} x {} hold{} {:g} {}{} of {} in {}: each needs {} of {}, for {:g} request{} of {:g} "
        "tokens; they share the card's time.",
        cluster.count, cluster.accelerator->name, cluster.count == 1 ? "s" : "", held(1),
        held(1) == 1 ? "copy" : "copies", span, reading.model, weights,
        format_gib(memory.process / gibibyte), format_gib(memory.capacity / gibibyte),
        document.serving->concurrency, document.serving->concurrency == 1 ? "" : "s",
        document.serving->input_tokens + document.serving->output_tokens);
    return reply;
}

/// How many cameras, feeds or live speakers one place serves: frames or windows of sound a second
/// that it reaches over those of each.
Result<Answer> largest_streams(const Reading& reading, const Query& query, const Cluster& cluster,
                               const AnswerTools& tools) {
    constexpr double usual_frames = 30;
    WorkloadDocument document = query.workload;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const bool sound = architecture->reads_sound();
    // Live text stands once two passes over the same sound agree (Machacek, Dabre, Bojar 2023,
    // arXiv 2307.14743).
    constexpr double passes = 2;
    const double each =
        sound ? passes / audio_window_s : reading.requests_per_s.value_or(usual_frames);
    std::optional<Placement> best;
    for (const double at_once : {1.0, 4.0, 16.0, 64.0}) {
        if (at_once > 16 && !sound) {
            break;  // frames of a camera come one by one
        }
        document.serving->concurrency = at_once * cluster.count;
        auto placed = tools.place(document, *architecture, cluster);
        const bool better = placed && placed->estimate.memory.fits &&
                            (!best || placed->estimate.time.samples_per_second >
                                          best->estimate.time.samples_per_second);
        if (better) {
            best = std::move(*placed);
        }
    }
    if (!best) {
        return input_error("question", "it does not fit there",
                           "Ask \"can it run\" for what is missing.");
    }
    const TimeEstimate& time = best->estimate.time;
    const auto streams = [&](double rate) { return std::floor(rate / each); };
    const double rate = time.samples_per_second;
    Answer reply;
    reply.choice = AnswerChoice{};
    reply.choice->accelerator = cluster.accelerator->id;
    reply.choice->count = cluster.count;
    reply.values = {{"concurrency", streams(rate / time.band.high), streams(rate),
                     streams(rate / time.band.low), "requests", ""}};
    const std::string pace = sound ? "in real time, each second of sound read twice"
                                   : fmt::format("of {:g} a second", each);
    reply.headline = fmt::format(
        "{} on {} x {}: up to {:g} streams {} ({:g} to {:g}), {} {}/s in all, {:g} at once.",
        reading.model, cluster.count, cluster.accelerator->name, *reply.values.front().mid, pace,
        *reply.values.front().low, *reply.values.front().high, figure_words(rate),
        sound ? "windows of 30 s" : "images", best->workload.serving->concurrency);
    return reply;
}

}  // namespace

Result<Answer> reply_largest(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const auto clusters =
        known_clusters(reading, query, tools.knowledge.catalog, "largest model on one 24GB card");
    if (!clusters) {
        return tl::unexpected(clusters.error());
    }
    std::vector<const Accelerator*> forms;
    for (const Cluster& each : *clusters) {
        forms.push_back(each.accelerator);
    }
    const Accelerator* usual = most_listed(tools.knowledge.catalog, forms);
    const Cluster& cluster =
        *std::find_if(clusters->begin(), clusters->end(),
                      [&](const Cluster& each) { return each.accelerator == usual; });
    if (reading.model.empty() && reading.extreme == Extreme::model && reading.method == "full" &&
        reading.deadline_s) {
        return largest_pretrained(reading, cluster, tools);
    }
    if (!reading.family_models.empty() && reading.extreme == Extreme::model) {
        return largest_of_family(reading, cluster, tools);
    }
    if (reading.extreme == Extreme::model || reading.model.empty()) {
        return largest_models(reading, cluster, tools);
    }
    if (reading.extreme == Extreme::copies) {
        return largest_copies(reading, cluster, tools);
    }
    WorkloadDocument asked = query.workload;
    const auto network = tools.architecture(asked);
    const bool speech = network && network->reads_sound();
    if (reading.extreme == Extreme::users && (reading.counts_samples || speech) &&
        query.workload.serving) {
        return largest_streams(reading, query, cluster, tools);
    }
    auto answer = largest_amount(reading, query, cluster, tools);
    const bool open_weights = query.workload.task == Task::inference &&
                              reading.quantization.empty() && reading.compute.empty();
    if (!answer || answer->values.front().mid.value_or(0) > 0 || !open_weights) {
        return answer;
    }
    // 16-bit weights leave no room: the widest type that does.
    WorkloadDocument document = query.workload;
    const auto architecture = tools.architecture(document);
    const Accelerator* const part = cluster.accelerator;
    const auto types = architecture ? weights_to_try(document, *architecture, std::span(&part, 1),
                                                     tools.knowledge.profiles)
                                    : std::vector<std::string_view>{};
    std::optional<Answer> tight;  // the widest that holds it in the middle of the range alone
    for (const std::string_view weights : types) {
        Reading one = reading;
        one.quantization = weights;
        auto narrower = largest_amount(one, query_of(one, Task::inference), cluster, tools);
        if (narrower && narrower->values.front().mid.value_or(0) > 0) {
            narrower->headline =
                fmt::format("In {} {} 16-bit weights do not fit.", weights, narrower->headline);
            if (narrower->values.front().low.value_or(0) > 0) {
                return narrower;
            }
            tight = tight ? tight : std::optional(*narrower);
        }
    }
    return tight ? Result<Answer>(*tight) : answer;
}

}  // namespace ridgeline
