#include "advise/largest/side_by_side.h"

#include "advise/figure_words.h"
#include "advise/fits/memory_ways.h"
#include "advise/hardware/cluster.h"
#include "base/text.h"
#include "spec/hardware_names.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ridgeline {

namespace {

/// "how many mig slices for 7b models": the most equal slices of which each holds one copy;
/// nothing: none does.
std::optional<Answer> copies_in_slices(const Reading& reading, WorkloadDocument document,
                                       const Architecture& architecture, const Cluster& cluster,
                                       const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    std::optional<Answer> most;
    const double requests = document.serving->concurrency;
    for (const Accelerator& slice : catalog.slices) {
        const int slices = slices_of_card(slice) * cluster.count;
        document.serving->concurrency = std::max(1.0, std::ceil(requests / slices));
        if (card_of(slice.id) != cluster.accelerator->id ||
            (most && slices <= *most->values.front().mid)) {
            continue;
        }
        const auto placed =
            tools.place(document, architecture, make_cluster(catalog, slice, 1, 0, nullptr));
        if (!placed || !placed->estimate.memory.fits) {
            continue;
        }
        const MemoryEstimate& memory = placed->estimate.memory;
        most.emplace();
        most->choice = AnswerChoice{.accelerator = slice.id, .count = slices};
        most->values = {{"copies", {}, double(slices), {}, "copies", ""}};
        most->headline = fmt::format(
            "{} copies of {}, one in each of {} slices {} of {}: each needs {} of {}.", slices,
            reading.model, slices, slice.id.substr(slice.id.find('/') + 1), cards_words(cluster),
            format_gib(memory.process / gibibyte), format_gib(memory.capacity / gibibyte));
    }
    return most;
}

}  // namespace

Result<Answer> largest_copies(const Reading& reading, const Cluster& cluster,
                              const AnswerTools& tools) {
    WorkloadDocument document = query_of(reading, Task::inference).workload;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const bool slices =
        asks(reading, "mig") || std::ranges::find(reading.require, "mig") != reading.require.end();
    if (slices && document.serving) {
        if (auto cut = copies_in_slices(reading, document, *architecture, cluster, tools)) {
            cut->headline = fmt::format("{} has MIG, up to {} slices: ", cluster.accelerator->name,
                                        cluster.accelerator->mig_instances.value_or(0)) +
                            cut->headline;
            return std::move(*cut);
        }
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
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    reply.values = {{"copies", held(high), held(1), held(low), "copies", ""}};
    const std::string& stored = placed->workload.quantization.name;
    const std::string weights = stored.empty() || stored == "none"
                                    ? std::string(name_of(placed->workload.weights))
                                    : stored;
    const std::string span =
        held(high) == held(low) ? "" : fmt::format(" ({:g} to {:g})", held(high), held(low));
    if (trains) {
        reply.headline = fmt::format(
            "{} hold{} {:g} runs{} of {} ({}) side by side, none over two cards: each needs "
            "{} of {}; they share the card's time.",
            cards_words(cluster), cluster.count == 1 ? "s" : "", held(1), span, reading.model,
            way.method, format_gib(memory.process / gibibyte),
            format_gib(memory.capacity / gibibyte));
        return reply;
    }
    reply.headline = fmt::format(
        "{} hold{} {:g} {}{} of {} in {}: each needs {} of {}, for {:g} request{} of {:g} "
        "tokens; they share the card's time.",
        cards_words(cluster), cluster.count == 1 ? "s" : "", held(1),
        held(1) == 1 ? "copy" : "copies", span, reading.model, weights,
        format_gib(memory.process / gibibyte), format_gib(memory.capacity / gibibyte),
        document.serving->concurrency, document.serving->concurrency == 1 ? "" : "s",
        document.serving->input_tokens + document.serving->output_tokens);
    return reply;
}

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
                     streams(rate / time.band.low), "streams", ""},
                    {"at_once", {}, best->workload.serving->concurrency, {}, "requests", ""}};
    const std::string pace = sound ? "in real time, each second of sound read twice"
                                   : fmt::format("of {:g} a second", each);
    reply.headline =
        fmt::format("{} on {}: up to {:g} streams {} ({:g} to {:g}), {} {}/s in all, {:g} at once.",
                    reading.model, cards_words(cluster), *reply.values.front().mid, pace,
                    *reply.values.front().low, *reply.values.front().high, figure_words(rate),
                    sound ? "windows of 30 s" : "images", best->workload.serving->concurrency);
    return reply;
}

}  // namespace ridgeline
