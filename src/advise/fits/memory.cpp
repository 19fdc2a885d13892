#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/fits/in_turn.h"
#include "advise/fits/memory_ways.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/usual.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>

// Replies to what a model needs: memory in all by method and type of weights, the cache, and single
// parts of it (weights, gradients, states of the optimizer, activations).

namespace ridgeline {
namespace {

std::vector<Way> ways_of(const Reading& reading) {
    if (reading.task != Task::inference &&
        (!reading.method.empty() || reading.task == Task::train)) {
        std::vector<Way> ways;
        if (!reading.alternatives.empty() && reading.alternatives_of == "method") {
            for (const std::string& method : reading.alternatives) {
                ways.push_back({Task::train, method, ""});
            }
            return ways;
        }
        if (!reading.algorithm.empty() && reading.method == reading.algorithm) {
            // Judged by preferences or rewards; nobody said what of the model trains.
            return {{Task::train, "lora", ""}, {Task::train, "full", ""}};
        }
        if (!reading.method.empty()) {
            return {{Task::train, reading.method, ""}};
        }
        return {{Task::train, "lora", ""}, {Task::train, "qlora", ""}, {Task::train, "full", ""}};
    }
    std::vector<Way> ways;
    if (!reading.alternatives.empty() && reading.alternatives_of == "quantization") {
        for (const std::string& type : reading.alternatives) {
            ways.push_back({Task::inference, "", type});
        }
        return ways;
    }
    if (reading.task == Task::inference &&
        (!reading.quantization.empty() || !reading.compute.empty())) {
        return {{Task::inference, "", ""}};
    }
    ways = {
        {Task::inference, "", ""}, {Task::inference, "", "q8_0"}, {Task::inference, "", "q4_k_m"}};
    if (!reading.task) {
        ways.insert(
            ways.end(),
            {{Task::train, "lora", ""}, {Task::train, "qlora", ""}, {Task::train, "full", ""}});
    }
    return ways;
}

bool recomputes(const Placement& placed) {
    return placed.workload.plan.recompute != RecomputeMode::none;
}

/// What it takes where every activation is kept, beside a figure with recomputation that nobody
/// asked for; a sentence, empty: no other figure is known.
std::string kept_words(const Way& way, const Reading& reading, const Cluster& cluster, double share,
                       const AnswerTools& tools) {
    Reading keeps = reading;
    keeps.keep_activations = true;
    const auto placed = placed_way(way, keeps, cluster, tools);
    return placed && !recomputes(*placed)
               ? fmt::format(" Without recomputation (gradient checkpointing) it takes {}.",
                             format_gib(share * (placed->estimate.memory.process / gibibyte)))
               : std::string();
}

}  // namespace

std::optional<LeanFigure> lean_figure(const Way& way, const Reading& reading,
                                      const Placement& usual, const Cluster& cluster,
                                      const AnswerTools& tools) {
    std::optional<LeanFigure> least;
    if (usual.architecture.kind != ModelKind::decoder) {
        return least;  // pictures have no logits
    }
    WorkloadDocument document;
    document.task = usual.workload.task;
    document.method = usual.workload.method;
    for (const SoftwareProfile* stack : lean_stacks(tools.knowledge.profiles, document)) {
        Reading leaner = reading;
        leaner.framework = stack->id;
        // What is computed again is no merit of a stack.
        leaner.recompute = recomputes(usual);
        leaner.keep_activations = !leaner.recompute;
        const auto placed = placed_way(way, leaner, cluster, tools);
        const double gib = placed ? placed->estimate.memory.process / gibibyte : 0;
        if (placed && gib < usual.estimate.memory.process / gibibyte &&
            (!least || gib < least->gib)) {
            least = LeanFigure{gib, words_of(way, reading, usual), stack->shown_name()};
        }
    }
    return least;
}

namespace {

/// Of what type the states of whole training are, and what the other usual choice takes more or
/// less; empty: a stack of its own recipes settles it.
///
/// share  of all cards that is told
std::string states_words(const Placement& placed, double share) {
    const Workload& workload = placed.workload;
    const double wide = bytes_per_element(DType::fp32);
    const double half = bytes_per_element(DType::bf16);
    const double moment = bytes_per_element(workload.optimizer_state);
    const double parameters =
        share * static_cast<double>(count_parameters(placed.architecture).total) / gibibyte.base();
    if (workload.master_weights || workload.optimizer != "adamw" || moment < half) {
        return "";
    }
    if (moment < wide) {
        return fmt::format(
            " Its states are of 16 bits, as {} keeps them; with an fp32 copy of the weights and "
            "fp32 moments, as mixed precision keeps them, full training takes {} more.",
            workload.framework, format_gib(parameters * (wide + 2 * (wide - moment))));
    }
    return placed.architecture.kind != ModelKind::encoder || placed.architecture.reads_images() ||
                   workload.compute == ComputeType::fp32
               ? ""
               : fmt::format(
                     " Its weights and states are in fp32 under autocast, as encoders are loaded; "
                     "loaded in bf16 they take {} less.",
                     format_gib(parameters * 4 * (wide - half)));
}

void add_cache(Answer& reply, const Reading& reading, const Placement& placed,
               const std::string& of) {
    if (!asks(reading, "kv_cache") || !reply.values.empty()) {
        return;
    }
    if (asks(reading, "cache_per_token")) {
        const double of_token = kv_bytes_per_token(placed.architecture, 2) / 1024;
        reply.values.push_back(
            {"kv_cache_per_token", of_token, of_token, of_token, "KiB", "in bf16"});
    } else if (const double cache = most_of(placed.estimate.memory, "kv cache"); cache > 0) {
        reply.values.push_back({"kv_cache", cache, cache, cache, "GiB", of});
    }
}

/// type  what a cache was asked in; empty: nobody said
std::string figure_of(const AnswerValue& value, const std::string& type) {
    if (value.unit == "KiB") {
        return fmt::format("{:g} KiB of cache for each token in bf16, half of it in fp8",
                           *value.mid);
    }
    const bool exact = *value.low == *value.high;
    const bool cache = value.quantity == "kv_cache";
    if (cache && (type == "fp8" || type == "int8")) {  // one byte of a value instead of two
        return fmt::format("{} of cache in {} beside the weights, {} less than the {} in 16 bits",
                           format_gib(*value.mid), type, format_gib(*value.mid),
                           format_gib(2 * *value.mid));
    }
    return fmt::format(
        "{}{} {} {}", format_gib(*value.mid),
        exact ? ""
              : fmt::format(" ({} to {})", figure_words(*value.low), figure_words(*value.high)),
        cache ? "of cache beside" : "for", cache ? "the weights" : value.of);
}

/// condition  how training was counted, behind the figures
void put_in_words(Answer& reply, const Reading& reading, const Cluster& cluster,
                  std::string_view condition, const std::optional<LeanFigure>& lean) {
    reply.headline = reading.model + " needs ";
    for (std::size_t i = 0; i < reply.values.size(); ++i) {
        reply.headline += (i == 0                         ? ""
                           : i + 1 == reply.values.size() ? " and "
                                                          : ", ") +
                          figure_of(reply.values[i], reading.kv_cache);
    }
    if (cluster.count > 1 && asks(reading, "per_gpu")) {
        reply.headline +=
            fmt::format(" on each of {} x {}", cluster.count, cluster.accelerator->name);
    } else if (cluster.count > 1) {
        reply.headline +=
            fmt::format(" in all of {} x {}, {} on each", cluster.count, cluster.accelerator->name,
                        format_gib(reply.needs->mid / cluster.count));
    }
    reply.headline += fmt::format("{}.", condition);
    if (lean) {
        reply.headline +=
            fmt::format(" A stack that makes the loss in pieces takes less: {} for {} under {}.",
                        format_gib(lean->gib * (asks(reading, "per_gpu") ? 1 : cluster.count)),
                        lean->of, lean->stack);
    }
}

/// "minimum vram": the least of the usual ways goes first.
void lead_with_minimum(Answer& reply) {
    const auto least = std::min_element(reply.values.begin(), reply.values.end(),
                                        [](const AnswerValue& a, const AnswerValue& b) {
                                            return a.mid.value_or(0) < b.mid.value_or(0);
                                        });
    std::rotate(reply.values.begin(), least, least + 1);
    const AnswerValue& first = reply.values.front();
    reply.needs = AnswerNeeds{*first.low, *first.mid, *first.high};
    reply.headline =
        fmt::format("At least {} ({} to {}), for {}: {}", format_gib(*first.mid),
                    figure_words(*first.low), figure_words(*first.high), first.of, reply.headline);
}

/// Each of several at once keeps its own weights and work.
void count_copies(Answer& reply, int copies) {
    AnswerNeeds& needs = *reply.needs;
    needs = AnswerNeeds{needs.low * copies, needs.mid * copies, needs.high * copies};
    reply.headline += fmt::format(
        " That is one; {} at once need {} ({} to {}), {} times the first figure.", copies,
        format_gib(needs.mid), figure_words(needs.low), figure_words(needs.high), copies);
}

/// "; training at micro-batch 1 with recomputation": how figures of a reply were counted.
std::string condition_in(const Answer& reply) {
    const std::size_t from = reply.headline.find("; training");
    return from == std::string::npos
               ? std::string()
               : reply.headline.substr(from, reply.headline.find('.', from) - from);
}

/// "7b vs 13b vram": what each takes, and how much more the first does.
Result<Answer> reply_models(const Reading& reading, const AnswerTools& tools) {
    std::vector<std::pair<std::string, Answer>> models;
    for (const std::string& id : reading.alternatives) {
        Reading one = reading;
        one.model = id;
        one.stands_for.clear();
        one.alternatives.clear();
        one.alternatives_of.clear();
        auto reply = reply_memory(one, tools);
        if (!reply) {
            return reply;
        }
        models.emplace_back(id, std::move(*reply));
    }
    stable_order(models.begin(), models.end(), [](const auto& a, const auto& b) {
        return a.second.needs->mid > b.second.needs->mid;
    });
    Answer reply = std::move(models.front().second);
    const std::string condition = condition_in(reply);
    reply.headline.clear();
    const std::vector<AnswerValue> largest = reply.values;
    for (const AnswerValue& value : largest) {
        std::string words =
            fmt::format("{} {} needs {}", value.of, models.front().first, format_gib(*value.mid));
        for (std::size_t i = 1; i < models.size(); ++i) {
            const auto& values = models[i].second.values;
            const auto same = std::ranges::find(values, value.of, &AnswerValue::of);
            if (same != values.end()) {
                words += fmt::format(", {} {}: {} less", models[i].first, format_gib(*same->mid),
                                     format_gib(*value.mid - *same->mid));
                AnswerValue other = *same;
                other.of += ", " + models[i].first;
                reply.values.push_back(std::move(other));
            }
        }
        reply.headline += (reply.headline.empty() ? "For " : "; for ") + words;
    }
    reply.headline += condition + ".";
    return reply;
}

/// What is told of the ways beside their sums.
struct WaysTold {
    std::string turns;    ///< the models that stand on the card one after another
    bool least = false;   ///< training takes the least of a step
    bool again = false;   ///< activations are computed again
    bool chosen = false;  ///< and by nobody's wish
    std::string steps;    ///< of a batch that is gathered
    std::string states;
    std::string kept;
    std::optional<LeanFigure> lean;
};

void note_way(const Way& way, const Reading& reading, const Placement& placed,
              const Cluster& cluster, const AnswerTools& tools, WaysTold& told) {
    const bool trains = way.task == Task::train;
    if (way.method == "full" && reading.compute.empty()) {
        told.states = states_words(placed, asks(reading, "per_gpu") ? 1.0 / cluster.count : 1);
    }
    told.least = told.least || takes_least(way, reading, placed.architecture);
    told.again = told.again || (trains && recomputes(placed));
    told.chosen = told.chosen || (trains && !reading.recompute && recomputes(placed));
    const int micro = placed.workload.batch.micro;
    if (told.chosen && reading.batch && micro * cluster.count < *reading.batch) {
        told.steps = fmt::format(", {} at once", micro);
    }
    if (trains && reading.framework.empty() && reading.algorithm.empty()) {
        const auto one = lean_figure(way, reading, placed, cluster, tools);
        told.lean = one && (!told.lean || one->gib < told.lean->gib) ? one : told.lean;
    }
}

}  // namespace

Result<Answer> reply_memory(const Reading& reading, const AnswerTools& tools) {
    if (reading.alternatives_of == "optimizer") {
        return reply_optimizers(reading, tools);
    }
    if (compares_settings(reading)) {
        return reply_settings(reading, tools);
    }
    if (reading.alternatives_of == "model" && reading.alternatives.size() > 1) {
        return reply_models(reading, tools);
    }
    if (auto part = reply_memory_parts(reading, tools)) {
        return std::move(*part);
    }
    const Cluster cluster = counted_on(reading, tools.knowledge.catalog);
    Answer reply;
    WaysTold told;
    const double counted = asks(reading, "per_gpu") ? 1 : cluster.count;
    std::optional<Error> problem;
    const std::vector<Way> ways = ways_of(reading);
    for (const Way& way : ways) {
        const auto placed = placed_way(way, reading, cluster, tools);
        if (!placed) {
            problem = problem ? problem : std::optional(placed.error());
            continue;
        }
        const MemoryEstimate& memory = placed->estimate.memory;
        const double gib = memory.process / gibibyte * counted;
        // A type that takes no less than the model as it is published tells nothing.
        if (way.task == Task::inference && !way.weights.empty() && !reply.values.empty() &&
            reading.alternatives.empty() &&
            gib > 0.98 * reply.values.front().mid.value_or(gib * 2)) {
            continue;
        }
        note_way(way, reading, *placed, cluster, tools, told);
        if (ways.size() == 1 && told.chosen && reading.algorithm.empty() &&
            (placed->architecture.kind == ModelKind::decoder ||
             placed->architecture.kind == ModelKind::diffusion)) {
            told.kept = kept_words(way, reading, cluster, counted, tools);
        }
        told.turns =
            ways.size() == 1 ? in_turn_words(way, reading, gib, cluster, tools) : told.turns;
        const std::string of = words_of(way, reading, *placed);
        add_cache(reply, reading, *placed, of);
        reply.values.push_back(
            {"memory", gib * memory.band.low, gib, gib * memory.band.high, "GiB", of});
        if (!reply.needs) {
            reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
        }
    }
    if (reply.values.empty()) {
        return tl::unexpected(problem.value_or(
            Error{ErrorKind::input, "question", "nothing to estimate was found", ""}));
    }
    put_in_words(reply, reading, cluster,
                 told.least
                     ? fmt::format("; training at micro-batch 1{}",
                                   told.again ? " with recomputation" : " without recomputation")
                 : told.chosen ? "; training with recomputation" + told.steps
                               : std::string(),
                 told.lean);
    reply.headline += told.turns + told.kept + told.states;
    if (asks(reading, "minimum") && reply.values.size() > 1 && !asks(reading, "kv_cache")) {
        lead_with_minimum(reply);
    }
    if (reading.copies) {
        count_copies(reply, *reading.copies);
    }
    add_served_adapters(reading, tools, reply);
    return reply;
}

}  // namespace ridgeline
