#include "advise/figure_words.h"
#include "advise/fits/memory_ways.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

// Replies to several values of one setting ("batch 8 vs 32", "with and without flash attention"):
// the figures of each.

namespace ridgeline {
namespace {

/// The number of a value, as a field takes it.
int whole(const std::string& value) {
    return static_cast<int>(number_with_suffix(value).value_or(1));
}

Reading with_setting(const Reading& reading, const std::string& value) {
    Reading one = reading;
    const std::string& of = reading.alternatives_of;
    one.alternatives.clear();
    one.alternatives_of.clear();
    if (of == "attention") {
        one.attention = value;
    } else if (of == "recompute") {
        one.recompute = value == "full";
        one.keep_activations = !one.recompute;
    } else if (of == "batch" && one.task == Task::inference) {
        one.batch = one.concurrency = whole(value);
    } else if (of == "steps") {
        one.steps = whole(value);
    } else {
        (of == "batch"           ? one.batch
         : of == "micro_batch"   ? one.micro_batch
         : of == "sequence"      ? one.sequence
         : of == "input_tokens"  ? one.input_tokens
         : of == "output_tokens" ? one.output_tokens
         : of == "rank"          ? one.rank
         : of == "image_size"    ? one.image_size
                                 : one.concurrency) = whole(value);
    }
    return one;
}

/// "batch 32", "without flash attention".
std::string setting_words(const std::string& of, const std::string& value) {
    if (of == "attention") {
        return value == "flash"  ? "with flash attention"
               : value == "sdpa" ? "with sdpa"
                                 : "without flash attention";
    }
    if (of == "recompute") {
        return value == "full" ? "with gradient checkpointing" : "without gradient checkpointing";
    }
    return of == "concurrency"     ? value + " at once"
           : of == "image_size"    ? value + " px"
           : of == "sequence"      ? value + " tokens"
           : of == "input_tokens"  ? value + " tokens in"
           : of == "output_tokens" ? value + " tokens out"
           : of == "micro_batch"   ? "micro-batch " + value
                                   : of + " " + value;
}

/// Whether what was asked is memory alone.
bool asks_memory(const Reading& reading) { return reading.intent == Intent::memory; }

/// What one setting comes to: memory of each accelerator, and its rate where one was asked for.
struct SettingFigures {
    std::string value;
    Placement placed;
    std::string leaner{};  ///< " (13.4 GiB under Unsloth)": of what does not fit as is usual
};

std::string figures_in_words(const Reading& reading, const SettingFigures& one) {
    const Placement& placed = one.placed;
    const TimeEstimate& time = placed.estimate.time;
    const bool serves = placed.workload.task == Task::inference;
    std::string words = setting_words(reading.alternatives_of, one.value) + " ";
    const std::string room = format_gib(placed.estimate.memory.process / gibibyte);
    if (!placed.estimate.memory.fits) {
        return words + room + ", which does not fit" + one.leaner;
    }
    const bool again = !serves && placed.workload.plan.recompute == RecomputeMode::full &&
                       reading.alternatives_of != "recompute";
    words += asks_memory(reading) ? room + ", " : "";
    if (serves && (asks(reading, "ttft") || asks(reading, "prefill"))) {
        words += "the first token after " + format_duration(time.ttft / second) + ", ";
    }
    const bool texts = time.tokens_per_second > 0;
    words += fmt::format("{} {}", figure_words(time.work_per_second()),
                         texts ? "tokens/s" : "samples/s");
    if (serves && texts && placed.workload.serving && placed.workload.serving->concurrency > 1) {
        words += fmt::format(" in all, {} for each", figure_words(second / time.tpot));
    }
    words += asks_memory(reading) ? "" : ", " + room;
    return words + (again ? " (recomputed)" : "");
}

}  // namespace

bool compares_settings(const Reading& reading) {
    constexpr std::string_view settings =
        " attention recompute batch micro_batch sequence input_tokens output_tokens rank "
        "concurrency image_size steps ";
    return !reading.alternatives.empty() &&
           settings.find(" " + reading.alternatives_of + " ") != std::string_view::npos;
}

Result<Answer> reply_settings(const Reading& reading, const AnswerTools& tools) {
    // "batch 4 vs 8 on 24gb": a card of that memory, where none is named.
    const auto sized =
        reading.accelerators.empty() && reading.memory_gib
            ? clusters_of(reading, query_of(reading, Task::train), tools.knowledge.catalog)
            : std::vector<Cluster>();
    const Cluster cluster =
        sized.empty() ? counted_on(reading, tools.knowledge.catalog) : sized.front();
    std::vector<SettingFigures> figures;
    for (const std::string& value : reading.alternatives) {
        const Reading one = with_setting(reading, value);
        const Task task = reading.task.value_or(Task::inference);
        const std::string method =
            task == Task::train && reading.method.empty() ? "lora" : reading.method;
        auto placed = placed_way({task, method, ""}, one, cluster, tools);
        if (!placed) {
            return tl::unexpected(placed.error());
        }
        const auto lean = task == Task::train && !placed->estimate.memory.fits
                              ? lean_figure({task, method, ""}, one, *placed, cluster, tools)
                              : std::nullopt;
        const std::string leaner =
            lean ? fmt::format(" ({} under {})", format_gib(lean->gib), lean->stack) : "";
        figures.push_back({value, std::move(*placed), leaner});
    }
    Answer reply;
    reply.headline =
        fmt::format("{}{} on {}: ", reading.model,
                    reading.task == Task::train
                        ? fmt::format(", {}", reading.method.empty() ? "lora" : reading.method)
                        : "",
                    cards_words(cluster));
    for (const SettingFigures& each : figures) {
        reply.headline += (reply.values.empty() ? "" : "; ") + figures_in_words(reading, each);
        const double gib = each.placed.estimate.memory.process / gibibyte;
        const TimeEstimate& time = each.placed.estimate.time;
        reply.values.push_back({"memory", {}, gib, {}, "GiB", each.value});
        reply.values.push_back({"speed",
                                {},
                                time.work_per_second(),
                                {},
                                time.tokens_per_second > 0 ? "tokens/s" : "samples/s",
                                each.value});
        if (each.placed.workload.task == Task::inference && time.ttft > Seconds{}) {
            reply.values.push_back({"ttft", {}, time.ttft / second, {}, "s", each.value});
        }
    }
    reply.headline += ".";
    const auto room = [&](const SettingFigures& each) {
        return each.placed.estimate.memory.process / gibibyte;
    };
    if (asks_memory(reading) && figures.size() == 2) {
        const double more = room(figures.back()) - room(figures.front());
        reply.headline += fmt::format(" The second takes {} {}.", format_gib(std::abs(more)),
                                      more < 0 ? "less" : "more");
        reply.values.push_back({"difference", {}, more, {}, "GiB", ""});
    }
    if (reading.intent == Intent::fit) {
        const auto fits = [](const SettingFigures& each) {
            return each.placed.estimate.memory.fits;
        };
        const auto held = std::ranges::count_if(figures, fits);
        reply.verdict = held == std::ssize(figures) ? "yes" : held == 0 ? "no" : "";
        std::string names;
        for (const SettingFigures& each : figures) {
            names += !fits(each) ? ""
                                 : (names.empty() ? "" : ", ") +
                                       setting_words(reading.alternatives_of, each.value);
        }
        reply.headline =
            (held == std::ssize(figures) ? "Yes, all of them: "
             : held == 0                 ? "No, none of them: "
                         : fmt::format("{} fit{}, no more: ", names, held == 1 ? "s" : "")) +
            reply.headline;
    }
    const double gib = figures.front().placed.estimate.memory.process / gibibyte;
    reply.needs = AnswerNeeds{gib, gib, gib};
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    return reply;
}

}  // namespace ridgeline
