#include "advise/answer.h"

#include "advise/offers.h"
#include "advise/plans.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Replies about rates, times and the largest that fits.

namespace ridgeline {
namespace {

std::string model_of(const Placement& placement) {
    return placement.architecture.id.empty() ? placement.architecture.name
                                             : placement.architecture.id;
}

std::string hardware_of(const Placement& placement) {
    return fmt::format("{} x {}", placement.cluster.count, placement.cluster.accelerator->name);
}

AnswerChoice choice_of(const Placement& placement) {
    AnswerChoice choice;
    choice.accelerator = placement.cluster.accelerator->id;
    choice.count = placement.cluster.count;
    if (placement.estimate.cost.usd_per_hour > 0) {
        choice.usd_per_hour = placement.estimate.cost.usd_per_hour;
    }
    choice.verdict = verdict_of(placement.estimate.memory);
    return choice;
}

/// A rate from a time whose range is known: the slow end is the low one.
AnswerValue rate(std::string quantity, double value, const Interval& band, std::string unit) {
    const double low = band.high > 0 ? value / band.high : value;
    const double high = band.low > 0 ? value / band.low : value;
    return {std::move(quantity), low, value, high, std::move(unit), ""};
}

AnswerValue time_value(
    std::string quantity, Seconds value, const Interval& band, std::string unit, double scale) {
    const double seconds = value / second / scale;
    return {std::move(quantity),
            seconds * (band.low > 0 ? band.low : 1),
            seconds,
            seconds * (band.high > 0 ? band.high : 1),
            std::move(unit),
            ""};
}

std::string ranged(const AnswerValue& value, std::string_view unit) {
    return fmt::format("{:.3g} {} ({:.3g} to {:.3g})", *value.mid, unit, *value.low, *value.high);
}

}  // namespace

Answer reply_throughput(const Reading& reading, const Placement& placement) {
    const TimeEstimate& time = placement.estimate.time;
    Answer reply;
    reply.choice = choice_of(placement);
    const std::string where = model_of(placement) + " on " + hardware_of(placement);
    const bool text = time.tpot > Seconds{};
    if (placement.workload.task == Task::inference && text) {
        const AnswerValue decode =
            rate("decode", second / time.tpot, placement.tpot_band, "tokens/s");
        const AnswerValue first = time_value("ttft", time.ttft, placement.ttft_band, "s", 1);
        const double users =
            placement.workload.serving ? placement.workload.serving->concurrency : 1;
        const AnswerValue total = rate("total", time.tokens_per_second, time.band, "tokens/s");
        reply.values = {decode};
        reply.headline =
            fmt::format("{} decodes {} for each request", where, ranged(decode, "tokens/s"));
        if (users > 1) {
            reply.values.push_back(total);
            reply.headline +=
                fmt::format(", {} for {:g} at once", ranged(total, "tokens/s"), users);
        }
        reply.values.push_back(first);
        reply.values.push_back(time_value("tpot", time.tpot, placement.tpot_band, "s", 1));
        reply.headline += fmt::format("; the first token comes after {} ({} to {}).",
                                      format_duration(*first.mid),
                                      format_duration(*first.low),
                                      format_duration(*first.high));
        if (asks(reading, "ttft")) {
            std::swap(reply.values.front(), *(reply.values.end() - 2));
        }
        return reply;
    }
    const bool tokens = time.tokens_per_second > 0 && !asks(reading, "images");
    const AnswerValue made =
        tokens ? rate("training", time.tokens_per_second, time.band, "tokens/s")
               : rate(placement.workload.task == Task::inference ? "inference" : "training",
                      time.samples_per_second,
                      time.band,
                      "samples/s");
    reply.values = {made, time_value("step", time.step, time.band, "s", 1)};
    reply.headline = fmt::format("{}: {}", where, ranged(made, made.unit));
    if (time.mfu > 0 && placement.workload.task == Task::train) {
        reply.values.push_back({"mfu",
                                time.mfu / std::max(1e-9, time.band.high > 0 ? time.band.high : 1),
                                time.mfu,
                                time.mfu / std::max(1e-9, time.band.low > 0 ? time.band.low : 1),
                                "ratio",
                                ""});
        reply.headline += fmt::format(", {:.0f} % of peak (MFU)", 100 * time.mfu);
    }
    reply.headline += ".";
    return reply;
}

Answer reply_duration(const Reading& reading, const Placement& placement) {
    const TimeEstimate& time = placement.estimate.time;
    const CostEstimate& cost = placement.estimate.cost;
    Answer reply;
    reply.choice = choice_of(placement);
    const double seconds = time.total / second;
    const double scale = seconds > 2 * 86400 ? 86400 : 3600;
    reply.values = {time_value("time", time.total, time.band, scale > 3600 ? "days" : "h", scale)};
    if (time.run) {
        reply.values.front().low = time.run->low / second / scale;
        reply.values.front().high = time.run->high / second / scale;
    }
    reply.headline = fmt::format("{} on {}: {} ({} to {})",
                                 model_of(placement),
                                 hardware_of(placement),
                                 format_duration(seconds),
                                 format_duration(*reply.values.front().low * scale),
                                 format_duration(*reply.values.front().high * scale));
    if (cost.usd_total > 0) {
        reply.values.push_back({"cost",
                                cost.usd_total_low > 0 ? cost.usd_total_low : cost.usd_total,
                                cost.usd_total,
                                cost.usd_total_high > 0 ? cost.usd_total_high : cost.usd_total,
                                "USD",
                                ""});
        reply.headline += fmt::format(", {} ({} to {}) of rent",
                                      format_usd(cost.usd_total),
                                      format_usd(*reply.values.back().low),
                                      format_usd(*reply.values.back().high));
    }
    if (!placement.estimate.memory.fits) {
        reply.headline += ", if its memory sufficed";
    }
    reply.headline +=
        reading.tokens || reading.samples
            ? "."
            : fmt::format(" for {} tokens, which were assumed.",
                          format_count(placement.workload.duration_tokens.value_or(0)));
    return reply;
}

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
    // A hundredth of the value is finer than the estimate.
    while (high - low > std::max(1.0, low / 100)) {
        const double middle = std::floor((low + high) / 2);
        (fits(middle * unit) ? low : high) = middle;
    }
    return low * unit;
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
            return {"batch", "samples", "the largest batch on a card is {} samples", 1, 1 << 14};
        case Extreme::rank:
            return {"rank", "rank", "the largest rank is {}", 8, 1 << 12};
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

Result<Answer> largest_amount(const Reading& reading,
                              const Query& query,
                              const Cluster& cluster,
                              const AnswerTools& tools) {
    WorkloadDocument document = query.workload;
    if (document.task == Task::inference && !document.serving) {
        document.serving.emplace();
    }
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const Subject subject = subject_of(reading);
    std::optional<Placement> at_best;
    std::optional<Error> problem;
    const bool positions = reading.extreme == Extreme::sequence && architecture->max_positions > 0;
    const double most =
        positions ? std::min<double>(subject.most, architecture->max_positions) : subject.most;
    const double found = largest(subject.step, most, [&](double value) {
        WorkloadDocument trial = document;
        set(trial, reading.extreme, value);
        auto placed = tools.place(trial, *architecture, cluster);
        if (!placed) {
            problem = placed.error();
            return false;
        }
        if (placed->estimate.memory.fits) {
            at_best = std::move(*placed);
            return true;
        }
        return false;
    });
    if (found == 0 && problem) {
        return tl::unexpected(*problem);
    }
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    reply.values = {{std::string(subject.quantity), {}, found, {}, std::string(subject.unit), ""}};
    const std::string where =
        fmt::format("{} on {} x {}", reading.model, cluster.count, cluster.accelerator->name);
    if (found == 0) {
        reply.headline = fmt::format("{}: not even the smallest fits.", where);
        return reply;
    }
    reply.headline = fmt::format(
        "{}: {}", where, fmt::format(fmt::runtime(subject.words), static_cast<long long>(found)));
    if (reading.extreme == Extreme::users && at_best) {
        reply.headline +=
            fmt::format(", each at {:.3g} tokens/s", second / at_best->estimate.time.tpot);
    }
    if (positions && found * 2 > most) {
        reply.headline +=
            fmt::format(" (the model knows {} positions)", architecture->max_positions);
    }
    reply.headline += ".";
    return reply;
}

/// Sizes that are tried lie 4 % apart, from 0.1 billion on.
double size_at(double index) {
    return 0.1e9 * std::pow(1.04, index);
}

double largest_model(const WorkloadDocument& document,
                     const Cluster& cluster,
                     const AnswerTools& tools) {
    const auto fits = [&](double index) {
        WorkloadDocument trial = document;
        trial.model_id = fmt::format("{:.3g}B", size_at(index) / 1e9);
        const auto architecture = tools.architecture(trial);
        const auto placed = architecture ? tools.place(trial, *architecture, cluster)
                                         : Result<Placement>(tl::unexpected(architecture.error()));
        return placed && placed->estimate.memory.fits;
    };
    double low = 0;
    double high = 260;  // 2.7 trillion
    if (!fits(low)) {
        return 0;
    }
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (fits(middle) ? low : high) = middle;
    }
    return size_at(low);
}

Result<Answer> largest_models(const Reading& reading,
                              const Cluster& cluster,
                              const AnswerTools& tools) {
    struct Way {
        Task task;
        std::string method, weights, words;
    };
    std::vector<Way> ways;
    const bool trains = reading.task == Task::train || (!reading.task && !reading.method.empty());
    if (trains && !reading.method.empty()) {
        ways = {{Task::train, reading.method, "", reading.method}};
    } else if (trains) {
        ways = {{Task::train, "qlora", "", "QLoRA"},
                {Task::train, "lora", "", "LoRA"},
                {Task::train, "full", "", "full training"}};
    } else if (!reading.quantization.empty() || !reading.compute.empty()) {
        ways = {{Task::inference, "", "", "serving"}};
    } else {
        ways = {{Task::inference, "", "q4_k_m", "serving in 4 bits"},
                {Task::inference, "", "none", "serving in 16 bits"}};
        if (!reading.task) {
            ways.push_back({Task::train, "qlora", "", "QLoRA"});
        }
    }
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = cluster.accelerator->id;
    choice.count = cluster.count;
    reply.choice = choice;
    reply.headline = fmt::format("{} x {} hold", cluster.count, cluster.accelerator->name);
    for (const Way& way : ways) {
        Reading one = reading;
        one.task = way.task;
        one.method = way.method;
        if (!way.weights.empty()) {
            one.quantization = way.weights;
        }
        const double size = largest_model(query_of(one).workload, cluster, tools);
        reply.values.push_back({"model", {}, size, {}, "parameters", way.words});
        reply.headline += fmt::format("{} {} parameters for {}",
                                      reply.values.size() == 1 ? "" : ",",
                                      size > 0 ? format_count(size) : "no",
                                      way.words);
    }
    reply.headline += " (dense models; larger ones lack memory).";
    return reply;
}

}  // namespace

Result<Answer> reply_largest(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const auto clusters = known_clusters(
        reading, query, tools.knowledge.catalog, "largest model on one 24GB card");
    if (!clusters) {
        return tl::unexpected(clusters.error());
    }
    std::vector<const Accelerator*> forms;
    for (const Cluster& each : *clusters) {
        forms.push_back(each.accelerator);
    }
    const Accelerator* usual = most_listed(tools.knowledge.catalog, forms);
    const Cluster& cluster = *std::find_if(
        clusters->begin(), clusters->end(), [&](const Cluster& each) {
            return each.accelerator == usual;
        });
    if (reading.extreme == Extreme::model || reading.model.empty()) {
        return largest_models(reading, cluster, tools);
    }
    auto answer = largest_amount(reading, query, cluster, tools);
    const bool open_weights = query.workload.task == Task::inference &&
                              reading.quantization.empty() && reading.compute.empty();
    if (!answer || answer->values.front().mid.value_or(0) > 0 || !open_weights) {
        return answer;
    }
    // 16-bit weights leave no room: the widest type of file that does.
    for (const std::string_view weights : {"q8_0", "q4_k_m"}) {
        Reading one = reading;
        one.quantization = weights;
        auto narrower = largest_amount(one, query_of(one, Task::inference), cluster, tools);
        if (narrower && narrower->values.front().mid.value_or(0) > 0) {
            narrower->headline =
                fmt::format("In {} {} 16-bit weights do not fit.", weights, narrower->headline);
            return narrower;
        }
    }
    return answer;
}

Result<Answer> reply_compare(const Reading& reading, const Query& query, const AnswerTools& tools) {
    (void)query;
    struct Side {
        const ReadSide* side;
        const Accelerator* part;
        int count;
        double score = 0;
        std::string verdict = {};
    };
    std::vector<Side> sides;
    for (const ReadSide& side : reading.sides) {
        for (const std::string& id : side.ids) {
            sides.push_back(
                {&side, tools.knowledge.catalog.accelerator(id), side.count.value_or(1)});
        }
    }
    if (sides.size() < 2) {
        return input_error("question",
                           "fewer than two sides of the comparison are in the catalog",
                           reading.neighbour);
    }
    const bool work = !reading.model.empty();
    std::string measure = "tokens/s";
    const auto scored = [&](Side& side) {
        if (work) {
            Query asked = query_of(reading, reading.task.value_or(Task::inference));
            WorkloadDocument document = asked.workload;
            const auto architecture = tools.architecture(document);
            const auto placed =
                architecture
                    ? tools.place(
                          document,
                          *architecture,
                          make_cluster(tools.knowledge.catalog, *side.part, side.count, 0, nullptr))
                    : Result<Placement>(tl::unexpected(architecture.error()));
            if (placed) {
                const TimeEstimate& time = placed->estimate.time;
                side.verdict = verdict_of(placed->estimate.memory);
                const double value =
                    time.tokens_per_second > 0 ? time.tokens_per_second : time.samples_per_second;
                measure = time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
                side.score = placed->estimate.memory.fits ? value : 0;
            }
        } else {
            // Without a workload the bandwidth decides serving and the matrix rate training.
            const bool trains = reading.task == Task::train;
            const auto peak = side.part->peak(ComputeType::bf16)
                                  ? side.part->peak(ComputeType::bf16)
                                  : side.part->peak(ComputeType::fp16);
            side.score =
                side.count * (trains && peak ? *peak / teraflop_per_second
                                             : side.part->memory_bandwidth / gigabyte_per_second);
            measure = trains ? "TFLOP/s" : "GB/s";
        }
    };
    std::for_each(sides.begin(), sides.end(), scored);
    // Where no side said a count and one does not hold the model, as many of each as do.
    const bool counted = std::any_of(reading.sides.begin(),
                                     reading.sides.end(),
                                     [](const ReadSide& side) { return side.count.has_value(); });
    const auto holds_it = [](const Side& side) { return side.score > 0; };
    const auto every_side = [&] {
        return std::all_of(reading.sides.begin(), reading.sides.end(), [&](const ReadSide& read) {
            return std::any_of(sides.begin(), sides.end(), [&](const Side& side) {
                return side.side == &read && holds_it(side);
            });
        });
    };
    for (int count = 2; work && !counted && count <= 8 && !every_side(); count *= 2) {
        for (Side& side : sides) {
            side.count = count;
            scored(side);
        }
    }
    std::stable_sort(
        sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.score > b.score; });
    const Side& best = sides.front();
    const auto other = std::find_if(
        sides.begin(), sides.end(), [&](const Side& side) { return side.side != best.side; });
    Answer reply;
    AnswerChoice choice;
    choice.accelerator = best.part->id;
    choice.count = best.count;
    choice.verdict = best.verdict;
    choice.why = fmt::format("{:.3g} {}", best.score, measure);
    reply.choice = choice;
    for (const Side& side : sides) {
        reply.values.push_back({"speed",
                                {},
                                side.score,
                                {},
                                measure,
                                fmt::format("{} x {}", side.count, side.part->id)});
    }
    if (best.score <= 0) {
        reply.headline = fmt::format("Neither side holds {}.", reading.model);
        reply.choice.reset();
    } else if (other == sides.end() || other->score <= 0) {
        reply.headline = fmt::format("{} x {}: the other side does not hold {}.",
                                     best.count,
                                     best.part->name,
                                     reading.model);
    } else {
        reply.headline = fmt::format(
            "{} x {} is {:.2g} times as fast as {} x {}{} ({:.3g} against {:.3g} {}).",
            best.count,
            best.part->name,
            best.score / other->score,
            other->count,
            other->part->name,
            work ? " for " + reading.model
                 : " by " + std::string(measure == "GB/s" ? "memory bandwidth" : "matrix rate"),
            best.score,
            other->score,
            measure);
        AnswerChoice second_best;
        second_best.accelerator = other->part->id;
        second_best.count = other->count;
        second_best.verdict = other->verdict;
        reply.runner_up = second_best;
    }
    return reply;
}

}  // namespace ridgeline
