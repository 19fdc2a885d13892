#include "advise/fits/memory_ways.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

// Replies about single parts of a model's memory: weights, gradients, states of the optimizer,
// activations, the host's share.

namespace ridgeline {
namespace {

/// A part of the memory that a question asks for by itself.
struct MemoryPart {
    FigureName asked;
    std::string_view component;
    std::string_view words;
};
constexpr MemoryPart memory_parts[] = {
    {"part_optimizer", "optimizer", "for the states of the optimizer"},
    {"part_gradients", "gradients", "for the gradients"},
    {"part_activations", "activations", "for the activations"},
};

/// The type that gradients or states were counted in, and what the other usual one comes to.
std::string type_words(const Placement& placed, const Reading& reading, const MemoryPart& part,
                       double gib) {
    const Workload& workload = placed.workload;
    const DType type =
        part.component == "optimizer" ? workload.optimizer_state : workload.gradients;
    std::string words = " in " + std::string(name_of(type));
    const bool wide = type == DType::fp32;
    if (asks(reading, "mixed_precision")) {
        return words + ", as mixed precision keeps them";
    }
    if (wide && reading.compute.empty()) {
        words += fmt::format(", {} in bf16", format_gib(gib / 2));
    } else if (type == DType::bf16 || type == DType::fp16) {
        words += fmt::format(", {} in fp32, as mixed precision keeps them", format_gib(gib * 2));
    }
    return words;
}

/// The question as one of training, whole where no method was said.
Reading trained_by(const Reading& reading) {
    Reading training = reading;
    training.task = Task::train;
    training.method = reading.method.empty() ? "full" : reading.method;
    return training;
}

/// One step of the batch that was said, else of one sample.
WorkloadDocument one_step(Reading& training) {
    WorkloadDocument document = query_of(training).workload;
    document.micro_batch = training.micro_batch.value_or(training.batch.value_or(1));
    document.global_batch = *document.micro_batch * training.count.value_or(1);
    return document;
}

/// What training keeps but for the parts that were left out, or of the parts that were named alone,
/// their sum first.
Result<Answer> reply_several_parts(const Reading& reading, const AnswerTools& tools) {
    Reading training = trained_by(reading);
    const int cards = std::max(1, training.count.value_or(1));
    if (asks(reading, "part_parameters") && asks(reading, "mixed_precision")) {
        training.count.reset();  // of all of them together
    }
    WorkloadDocument document = one_step(training);
    const bool wide =
        training.method == "full" && (reading.compute.empty() || asks(reading, "mixed_precision"));
    if (wide) {
        document.weights = DType::fp32;  // as mixed precision keeps them
    }
    const bool without = asks(reading, "without_parts");
    const bool activations = asks(reading, "part_activations") && !without;
    if (activations) {
        document.recompute = RecomputeMode::none;
    }
    const auto placed = tools.placed(document, counted_on(training, tools.knowledge.catalog));
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    Answer reply;
    double sum = 0;
    std::string kept, left, missing;
    const auto add = [&](std::string_view component, std::string_view words) {
        const double gib = most_of(placed->estimate.memory, component);
        if (gib <= 0) {  // a run of another kind has no part of that name
            missing += fmt::format("{}{}", missing.empty() ? "" : " and ",
                                   words.substr(std::string_view("for ").size()));
            return;
        }
        sum += gib;
        kept += fmt::format("{}{} {}", kept.empty() ? "" : ", ", format_gib(gib), words);
        reply.values.push_back({std::string(component), gib, gib, gib, "GiB", reading.model});
    };
    if (without || asks(reading, "part_parameters")) {
        add("weights", "for the weights");
    }
    for (const MemoryPart& part : memory_parts) {
        if (asks(reading, part.asked) != without) {
            add(part.component, part.words);
        } else if (without) {
            left += (left.empty() ? "" : " and ") +
                    std::string(part.words.substr(std::string_view("for ").size()));
        }
    }
    reply.values.insert(reply.values.begin(), {"memory", sum, sum, sum, "GiB", reading.model});
    reply.needs = AnswerNeeds{sum, sum, sum};
    reply.headline = fmt::format("{} needs {} {}: {}{}.", reading.model, format_gib(sum),
                                 without ? "without " + left : "for these together", kept,
                                 activations        ? " (nothing recomputed)"
                                 : wide && !without ? ", in fp32 as mixed precision keeps them"
                                                    : "");
    const double parameters = static_cast<double>(count_parameters(placed->architecture).total);
    if (asks(reading, "part_parameters") && asks(reading, "mixed_precision") && !activations &&
        training.method == "full") {
        std::string each;
        for (std::size_t i = 1; i < reply.values.size(); ++i) {
            const std::string& part = reply.values[i].quantity;
            each +=
                fmt::format("{}{:.3g} for {}", each.empty() ? "" : ", ",
                            *reply.values[i].mid * gibibyte.base() / parameters,
                            part == "optimizer" ? "the states of the optimizer" : "the " + part);
        }
        reply.headline = fmt::format("{:.3g} bytes a parameter: {}. {}",
                                     sum * gibibyte.base() / parameters, each, reply.headline);
        reply.headline += cards > 1 ? fmt::format(" That is {} on each of {} that share them.",
                                                  format_gib(sum / cards), cards)
                                    : "";
    }
    return reply;
}

/// Mixed precision keeps weights, gradients and both moments in fp32; in a type alone all are of
/// that type.
bool keeps_narrow_states(const Reading& reading) {
    return !reading.compute.empty() && reading.compute != "fp32" &&
           !asks(reading, "mixed_precision");
}

/// Over how many ranks states of the optimizer are divided: each stage of ZeRO and FSDP does so.
double ranks_that_divide_states(const Placement& placed) {
    const Sharding sharding = placed.workload.plan.sharding;
    return sharding == Sharding::none || sharding == Sharding::ddp
               ? 1
               : std::max(1, placed.cluster.count);
}

/// A single part of training's memory.
Result<Answer> reply_memory_part(const Reading& reading, const AnswerTools& tools,
                                 const MemoryPart* part) {
    Reading training = trained_by(reading);
    WorkloadDocument document = one_step(training);
    const bool activations = part->component == "activations";
    document.recompute = RecomputeMode::none;
    const bool narrow = keeps_narrow_states(reading);
    if (!activations) {
        document.weights = narrow ? DType::bf16 : DType::fp32;
    }
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const Cluster one = counted_on(training, tools.knowledge.catalog);
    const auto placed = tools.place(document, *architecture, one);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    const bool layer = activations && asks(reading, "per_layer") && !architecture->stacks.empty();
    const double shown = layer ? std::max(1, architecture->text().layers) : 1;
    const double gib = most_of(placed->estimate.memory, part->component) / shown;
    Answer reply;
    reply.values.push_back({std::string(part->component), gib, gib, gib, "GiB", reading.model});
    reply.needs = AnswerNeeds{gib, gib, gib};
    std::string kept;
    if (activations) {
        document.recompute = RecomputeMode::full;
        const auto again = tools.place(document, *architecture, one);
        kept = fmt::format(
            " ({} sequences of {} tokens, nothing recomputed{})", placed->workload.batch.micro,
            placed->workload.batch.sequence_length,
            again ? "; " + format_gib(most_of(again->estimate.memory, part->component) / shown) +
                        " with recomputation"
                  : "");
    } else {
        kept = type_words(*placed, reading, *part, gib);
        const bool copy = part->component == "optimizer" && !narrow &&
                          bytes_per_element(placed->workload.optimizer_state) >= 4;
        kept += copy ? fmt::format(
                           "; an fp32 copy of the weights, as mixed precision keeps it, is {} more",
                           format_gib(static_cast<double>(count_parameters(*architecture).total) *
                                      bytes_per_element(DType::fp32) / gibibyte.base() /
                                      ranks_that_divide_states(*placed)))
                     : "";
    }
    reply.headline = fmt::format("{} needs {} {}{}{}.", reading.model, format_gib(gib), part->words,
                                 layer ? " of one layer" : "", kept);
    return reply;
}

/// The weights alone, as their file holds them.
Result<Answer> reply_weights(const Reading& reading, const AnswerTools& tools) {
    const bool said = !reading.quantization.empty() || !reading.compute.empty();
    std::vector<std::string> types =
        said ? std::vector<std::string>{""} : std::vector<std::string>{"", "q8_0", "q4_k_m"};
    types = reading.alternatives_of == "quantization" && !reading.alternatives.empty()
                ? reading.alternatives
                : types;
    const Cluster one = counted_on(reading, tools.knowledge.catalog);
    Answer reply;
    reply.headline = reading.model + " takes ";
    std::optional<Error> problem;
    for (const std::string& type : types) {
        Reading served = reading;
        served.quantization = type.empty() ? reading.quantization : type;
        const Way way{Task::inference, "", type};
        const auto placed = placed_way(way, served, one, tools);
        if (!placed) {
            problem = placed.error();
            continue;
        }
        const double gib = most_of(placed->estimate.memory, "weights");
        const std::string of =
            words_of(way, served, *placed).substr(std::string_view("serving ").size());
        constexpr double gb = 1.073741824;
        reply.headline += fmt::format("{}{} ({:.3g} GB) {}", reply.values.empty() ? "" : ", ",
                                      format_gib(gib), gib * gb, of);
        reply.values.push_back({"weights", gib, gib, gib, "GiB", of});
    }
    if (reply.values.empty()) {
        return tl::unexpected(*problem);
    }
    const double gib = *reply.values.front().mid;
    reply.needs = AnswerNeeds{gib, gib, gib};
    reply.headline += ", the weights alone: what runs them adds a cache and work areas.";
    return reply;
}

/// What training with the optimizer on the host keeps there, of one copy of the model in all.
Result<Answer> reply_host(const Reading& reading, const AnswerTools& tools) {
    Reading training = trained_by(reading);
    training.offload = true;
    training.framework = reading.framework.empty() ? "deepspeed" : reading.framework;
    WorkloadDocument document = one_step(training);
    const auto placed = tools.placed(document, counted_on(training, tools.knowledge.catalog));
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    const double gib = placed->estimate.memory.host / gibibyte;
    Answer reply;
    reply.values = {{"host_memory", gib, gib, gib, "GiB", reading.model}};
    reply.needs = AnswerNeeds{gib, gib, gib};
    reply.headline = fmt::format("{} needs {} of the host's memory where its optimizer lies there",
                                 reading.model, format_gib(gib));
    if (training.method == "full") {
        const double parameters = static_cast<double>(count_parameters(placed->architecture).total);
        const double moments =
            2 * parameters * bytes_per_element(placed->workload.optimizer_state) / gibibyte.base();
        const double copy = placed->workload.master_weights
                                ? parameters * bytes_per_element(DType::fp32) / gibibyte.base()
                                : 0;
        // Tables of a recommender stay on the cards with what their optimizer remembers.
        const bool whole = moments + copy <= gib;
        reply.headline +=
            whole
                ? fmt::format(
                      ": {} for both moments of Adam in {}{}, the rest for gradients on their way",
                      format_gib(moments), name_of(placed->workload.optimizer_state),
                      copy > 0
                          ? fmt::format(", {} for the fp32 copy of the weights", format_gib(copy))
                          : "")
                : ": its tables stay on the cards";
    }
    reply.headline += fmt::format(
        "; the card itself then holds {}. The system and the input pipeline come on top.",
        format_gib(placed->estimate.memory.process / gibibyte));
    return reply;
}

}  // namespace

namespace {

std::string optimizer_words(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"adamw", "AdamW"},
        {"adamw-8bit", "8-bit AdamW"},
        {"adamw-fp32", "AdamW in fp32"},
        {"adafactor", "Adafactor"},
        {"lion", "Lion"},
        {"muon", "Muon"},
        {"sgd", "SGD"}};
    const auto found = std::find_if(std::begin(words), std::end(words),
                                    [&](const auto& each) { return each.first == name; });
    return std::string(found == std::end(words) ? name : found->second);
}

/// The whole step whose states are told: weights in the type that those go with, and all layers
/// recomputed.
Result<Placement> step_with_states(const Reading& reading, const AnswerTools& tools) {
    Reading training = trained_by(reading);
    WorkloadDocument document = one_step(training);
    document.weights = keeps_narrow_states(reading) ? DType::bf16 : DType::fp32;
    document.recompute = RecomputeMode::full;
    return tools.placed(document, counted_on(training, tools.knowledge.catalog));
}

/// Rows and columns alone, as Adafactor keeps them, are next to nothing.
std::string small_gib(double gib) { return gib < 0.1 ? "less than 0.1 GiB" : format_gib(gib); }

}  // namespace

Result<Answer> reply_optimizers(const Reading& reading, const AnswerTools& tools) {
    Answer reply;
    reply.headline = reading.model + ", full training: states of ";
    std::string totals;
    std::vector<AnswerValue> whole_runs;
    double first = 0;
    for (const std::string& optimizer : reading.alternatives) {
        Reading one = reading;
        one.optimizer = optimizer;
        one.method = "full";
        const auto states = reply_memory_part(one, tools, &memory_parts[0]);
        const auto whole = step_with_states(one, tools);
        if (!states || !whole) {
            return tl::unexpected(states ? whole.error() : states.error());
        }
        const double gib = states->needs->mid;
        const bool next = !reply.values.empty();
        const double saved = first - gib;
        reply.headline += fmt::format(
            "{}{} take {}{}", next ? "; of " : "", optimizer_words(optimizer), small_gib(gib),
            next ? fmt::format(" ({} {})", small_gib(std::abs(saved)), saved < 0 ? "more" : "less")
                 : "");
        first = next ? first : gib;
        reply.values.push_back({"optimizer", gib, gib, gib, "GiB", optimizer});
        const MemoryEstimate& memory = whole->estimate.memory;
        const double all = memory.process / gibibyte;
        totals += fmt::format("{}{} with {}", totals.empty() ? "" : ", ", format_gib(all),
                              optimizer_words(optimizer));
        whole_runs.push_back(
            {"memory", all * memory.band.low, all, all * memory.band.high, "GiB", optimizer});
    }
    reply.headline += fmt::format(
        "; weights, gradients and activations are the same with each. In all it takes {}.", totals);
    reply.values.insert(reply.values.end(), whole_runs.begin(), whole_runs.end());
    reply.needs = AnswerNeeds{first, first, first};
    return reply;
}

std::optional<Result<Answer>> reply_memory_parts(const Reading& reading, const AnswerTools& tools) {
    if (auto piece = reply_memory_pieces(reading, tools)) {
        return piece;
    }
    if (asks(reading, "part_weights")) {
        return reply_weights(reading, tools);
    }
    if (asks(reading, "host_ram") || (reading.offload && asks(reading, "part_optimizer"))) {
        return reply_host(reading, tools);
    }
    const auto named = std::ranges::count_if(
        memory_parts, [&](const MemoryPart& part) { return asks(reading, part.asked); });
    const bool several = named > 1 || (named > 0 && asks(reading, "part_parameters"));
    if (several || asks(reading, "without_parts")) {
        return reply_several_parts(reading, tools);
    }
    for (const MemoryPart& part : memory_parts) {
        if (asks(reading, part.asked)) {
            return reply_memory_part(reading, tools, &part);
        }
    }
    return std::nullopt;
}

}  // namespace ridgeline
