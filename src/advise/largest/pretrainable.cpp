#include "advise/largest/pretrainable.h"

#include "advise/largest/models_that_fit.h"
#include "advise/stacks/pretraining.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <optional>

// Replies about the largest model that can be trained from scratch within a time.

namespace ridgeline {
namespace {

/// A trained size, and how long it takes.
struct Trained {
    double parameters = 0;  ///< 0: not even the smallest is trained in the time
    double tokens = 0;
    double seconds = 0;
    double gib = 0;
    double capacity_gib = 0;
};

/// What is asked of all sizes that are tried.
struct TimedRun {
    const WorkloadDocument& document;
    const Cluster& cluster;
    const AnswerTools& tools;
    double deadline_s = 0;
    std::optional<double> tokens{};  ///< empty: so many of each parameter
    double tokens_of_a_parameter = chinchilla_tokens;
};

/// A size as trained there; nothing: it does not fit or takes too long.
///
/// factor  on the middle of the time: the ends of its range
std::optional<Trained> trained(const TimedRun& run, double parameters,
                               const std::function<double(const Interval&)>& factor) {
    WorkloadDocument trial = run.document;
    trial.model_id = model_of_size(parameters);
    trial.duration_tokens = run.tokens.value_or(parameters * run.tokens_of_a_parameter);
    const auto architecture = run.tools.architecture(trial);
    if (!architecture) {
        return std::nullopt;
    }
    if (!trial.global_batch && is_pretraining(trial)) {
        trial.global_batch = pretraining_batch(trial);
    }
    const auto placed = run.tools.place(trial, *architecture, run.cluster);
    if (!placed || !placed->estimate.memory.fits || placed->estimate.time.tokens_per_second <= 0) {
        return std::nullopt;
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    const double seconds = *trial.duration_tokens / placed->estimate.time.tokens_per_second;
    const bool in_time = seconds * factor(placed->estimate.time.band) <= run.deadline_s;
    return in_time ? std::optional(Trained{parameters, *trial.duration_tokens, seconds,
                                           memory.process / gibibyte, memory.capacity / gibibyte})
                   : std::nullopt;
}

Trained largest_trained(const TimedRun& run, const std::function<double(const Interval&)>& factor) {
    Trained best;
    double low = -1;
    double high = largest_size_index + 1;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        if (const auto found = trained(run, size_of_index(middle), factor)) {
            low = middle;
            best = *found;
        } else {
            high = middle;
        }
    }
    return best;
}

/// " LoRA of 8B reads 1.9B tokens in that time.": what most people would do with hours that are
/// left.
std::string tuned_words(const Reading& reading, const Cluster& cluster, const AnswerTools& tools) {
    constexpr std::string_view usual_size = "8B";
    Reading tuned = reading;
    tuned.task = Task::train;
    tuned.method = "lora";
    tuned.model = usual_size;
    const auto placed = tools.placed(query_of(tuned).workload, cluster);
    if (!placed || !placed->estimate.memory.fits) {
        return {};
    }
    return fmt::format(" LoRA of {} reads {} tokens in that time.", usual_size,
                       format_count(placed->estimate.time.tokens_per_second * *reading.deadline_s));
}

}  // namespace

Result<Answer> largest_pretrained(const Reading& reading, const Cluster& cluster,
                                  const AnswerTools& tools) {
    Reading whole = reading;
    whole.task = Task::train;
    whole.method = "full";
    const WorkloadDocument document = query_of(whole).workload;
    const TimedRun run{document,       cluster,
                       tools,          *reading.deadline_s,
                       reading.tokens, reading.tokens_per_parameter.value_or(chinchilla_tokens)};
    const Trained middle = largest_trained(run, [](const Interval&) { return 1.0; });
    const std::string where = cards_words(cluster);
    Answer reply;
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    if (middle.parameters == 0) {
        reply.values.push_back({"model", {}, 0, {}, "parameters", "full training"});
        reply.headline =
            fmt::format("{}: no model of 100M parameters or more is trained from scratch in {}.",
                        where, format_duration(*reading.deadline_s));
        return reply;
    }
    const Trained surely = largest_trained(run, [](const Interval& band) { return band.high; });
    const Trained at_best = largest_trained(run, [](const Interval& band) { return band.low; });
    reply.values.push_back({"model", surely.parameters, middle.parameters, at_best.parameters,
                            "parameters", "full training"});
    // All ends of the range are one size: memory holds no larger one, whatever time is left.
    const bool by_memory = surely.parameters == at_best.parameters;
    reply.headline = fmt::format(
        "{} train{} {} parameters from scratch in {}{}, on {} tokens{}: {:.1f} of {:.1f} GiB{}.",
        where, cluster.count == 1 ? "s" : "", format_count(middle.parameters),
        format_duration(*reading.deadline_s),
        by_memory ? std::string()
                  : fmt::format(" ({} to {})", format_count(surely.parameters),
                                format_count(at_best.parameters)),
        format_count(middle.tokens),
        reading.tokens ? "" : fmt::format(", {:g} for each parameter", run.tokens_of_a_parameter),
        middle.gib, middle.capacity_gib,
        by_memory ? fmt::format(", which is the limit: it takes {} of them",
                                format_duration(middle.seconds))
                  : std::string());
    if (reading.part_hours) {
        reply.headline += tuned_words(reading, cluster, tools);
    }
    return reply;
}

}  // namespace ridgeline
