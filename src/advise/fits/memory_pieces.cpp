#include "advise/fits/memory_ways.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

// Replies about pieces of a model: adapters, checkpoints on storage, one layer, the table of
// tokens, the logits.

namespace ridgeline {
namespace {

constexpr double gb_of_gib = 1.073741824;

std::string gib_and_gb(double gib) {
    return gib < 1 ? fmt::format("{:.3g} MiB ({:.3g} MB)", gib * 1024, gib * gb_of_gib * 1000)
                   : fmt::format("{} ({:.3g} GB)", format_gib(gib), gib * gb_of_gib);
}

std::string parameters_in_words(double parameters) {
    return parameters < 1e9 ? fmt::format("{:.1f}M", parameters / 1e6)
                            : fmt::format("{:.2f}B", parameters / 1e9);
}

Answer one_figure(std::string quantity, double gib, const std::string& of) {
    Answer reply;
    reply.values = {{std::move(quantity), gib, gib, gib, "GiB", of}};
    reply.needs = AnswerNeeds{gib, gib, gib};
    return reply;
}

/// The question as one of training by `method`.
Reading trained(const Reading& reading, std::string method) {
    Reading training = reading;
    training.task = Task::train;
    training.method = std::move(method);
    return training;
}

/// The model with adapters, and the parameters of these.
struct Adapted {
    Placement placed;
    double parameters = 0;
};
Result<Adapted> adapted(const Reading& reading, const AnswerTools& tools) {
    Reading training = trained(
        reading, reading.method.empty() || reading.method == "full" ? "lora" : reading.method);
    training.quantization = training.method == "lora" ? "" : training.quantization;
    training.framework = reading.served_adapters ? "" : reading.framework;
    auto placed = placed_way({Task::train, training.method, ""}, training,
                             counted_on(training, tools.knowledge.catalog), tools);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    double parameters = 0;
    for (const Instant& instant : placed->estimate.memory.instants) {
        for (const Component& component : instant.components) {
            for (const FormulaInput& input : component.inputs) {
                parameters = component.name == "weights.adapters" && input.name == "parameters"
                                 ? input.value
                                 : parameters;
            }
        }
    }
    if (parameters <= 0) {
        return input_error("question", "no adapters are known of " + reading.model, "");
    }
    return Adapted{std::move(*placed), parameters};
}

/// What adapters alone hold, and the file of them.
Result<Answer> reply_adapters(const Reading& reading, const AnswerTools& tools) {
    const auto found = adapted(reading, tools);
    if (!found) {
        return tl::unexpected(found.error());
    }
    const auto& [placed, parameters] = *found;
    const double gib = parameters * bytes_per_element(DType::bf16) / gibibyte.base();
    Answer reply = one_figure("adapters", gib, reading.model);
    reply.values.push_back(
        {"parameters", parameters, parameters, parameters, "parameters", "adapters"});
    reply.headline = fmt::format(
        "{}: adapters of rank {} on {} projections of each layer have {} parameters, {} in bf16, "
        "{} in fp32; "
        "training adds their gradients and two moments.",
        reading.model, placed.workload.lora ? placed.workload.lora->rank : 0,
        placed.workload.lora ? placed.workload.lora->targets.size() : 0,
        parameters_in_words(parameters), gib_and_gb(gib), gib_and_gb(2 * gib));
    return reply;
}

/// What one checkpoint of a run holds, and so many of them.
Result<Answer> reply_checkpoint(const Reading& reading, const AnswerTools& tools) {
    Reading training = trained(reading, reading.method.empty() ? "full" : reading.method);
    WorkloadDocument document = query_of(training).workload;
    // Mixed precision keeps weights and both moments in fp32; a type that is told is that of all.
    const bool narrow = !reading.compute.empty() && reading.compute != "fp32";
    if (training.method == "full" && !narrow) {
        document.weights = DType::fp32;
    }
    document.duration_tokens = document.duration_tokens.value_or(least_tokens_from_scratch);
    const auto placed = tools.placed(document, counted_on(training, tools.knowledge.catalog));
    if (!placed || !placed->estimate.time.run) {
        return placed ? input_error("question", "no checkpoint is known of such a run", "")
                      : tl::unexpected(placed.error());
    }
    const double gib = placed->estimate.time.run->checkpoint / gibibyte;
    const int kept = reading.checkpoints.value_or(1);
    const double weights = static_cast<double>(count_parameters(placed->architecture).total) *
                           bytes_per_element(DType::bf16) / gibibyte.base();
    Answer reply = one_figure("checkpoint", kept * gib, reading.model);
    const std::string one =
        fmt::format("{} ({}: weights and states of the optimizer{})", gib_and_gb(gib),
                    training.method == "full" ? "full training" : training.method,
                    narrow                      ? ""
                    : training.method == "full" ? " in fp32"
                                                : "");
    reply.headline = kept > 1 ? fmt::format("{}: {} checkpoints take {}, {} each", reading.model,
                                            kept, gib_and_gb(kept * gib), one)
                              : fmt::format("{}: a checkpoint takes {}", reading.model, one);
    reply.headline +=
        training.method == "full"
            ? fmt::format("; the weights alone in bf16 take {}.", gib_and_gb(kept * weights))
            : ".";
    if (reading.storage_gb_per_s) {
        const double seconds = kept * gib * gibibyte.base() / (*reading.storage_gb_per_s * 1e9);
        reply.values.push_back({"save", seconds, seconds, seconds, "s", ""});
        reply.headline += fmt::format(" At {:g} GB/s it is written in {}.",
                                      *reading.storage_gb_per_s, format_duration(seconds));
    }
    return reply;
}

/// One layer of a transformer: its weights, or the cache that a token adds there.
Result<Answer> reply_layer(const Reading& reading, const Architecture& architecture) {
    const int layers = architecture.text().layers;
    const ParameterCount count = count_parameters(architecture);
    const double parameters =
        static_cast<double>(count.total - count.embedding - count.head) / std::max(1, layers);
    const bool wide = reading.compute == "fp32";
    const bool byte = reading.quantization == "fp8" || reading.quantization == "int8";
    const double bytes = wide ? 4 : byte ? 1 : 2;
    const double gib = parameters * bytes / gibibyte.base();
    Answer reply = one_figure("layer", gib, reading.model);
    reply.values.push_back(
        {"parameters", parameters, parameters, parameters, "parameters", "layer"});
    reply.headline = fmt::format("One of the {} layers of {} has {} parameters{}, {} in {}.",
                                 layers, reading.model, parameters_in_words(parameters),
                                 architecture.text().moe ? " in the mean" : "", gib_and_gb(gib),
                                 wide   ? "fp32"
                                 : byte ? reading.quantization
                                        : "16 bits");
    return reply;
}

/// The table of tokens, with that of the logits where it is another.
Result<Answer> reply_table(const Reading& reading, const Architecture& architecture) {
    const ParameterCount count = count_parameters(architecture);
    const double parameters = static_cast<double>(count.embedding);
    const double bytes = reading.compute == "fp32" ? 4 : 2;
    const double gib = parameters * bytes / gibibyte.base();
    Answer reply = one_figure("embedding", gib, reading.model);
    reply.headline =
        fmt::format("{}: the table of tokens has {} parameters ({} rows), {} in {}; ",
                    reading.model, parameters_in_words(parameters), architecture.vocabulary,
                    gib_and_gb(gib), bytes > 2 ? "fp32" : "16 bits");
    reply.headline += count.head > 0
                          ? fmt::format("that of the logits is another of {}.",
                                        parameters_in_words(static_cast<double>(count.head)))
                          : "the logits are made with the same.";
    return reply;
}

/// Logits of a step: as many rows as tokens, as many columns as the vocabulary.
Result<Answer> reply_logits(const Reading& reading, const Architecture& architecture) {
    const double sequence = reading.sequence.value_or(1024);
    const double samples = reading.micro_batch.value_or(reading.batch.value_or(1));
    const double elements = samples * sequence * architecture.vocabulary;
    const double gib = elements * bytes_per_element(DType::bf16) / gibibyte.base();
    Answer reply = one_figure("logits", gib, reading.model);
    reply.headline = fmt::format(
        "{}: the logits of {:g} x {:g} tokens over a vocabulary of {} take {} in 16 bits, {} in "
        "fp32; a loss that is not "
        "made in pieces keeps both and their gradient.",
        reading.model, samples, sequence, architecture.vocabulary, format_gib(gib),
        format_gib(2 * gib));
    return reply;
}

}  // namespace

void add_served_adapters(const Reading& reading, const AnswerTools& tools, Answer& reply) {
    const auto found = reading.served_adapters ? adapted(reading, tools) : tl::unexpected(Error{});
    if (!found) {
        return;
    }
    const int count = *reading.served_adapters;
    const double each = found->parameters * bytes_per_element(DType::bf16) / gibibyte.base();
    const double all = count * each;
    const std::string words = fmt::format(
        "{} adapter{} of rank {} take{} {} in bf16{}.", count, count == 1 ? "" : "s",
        found->placed.workload.lora ? found->placed.workload.lora->rank : 0, count == 1 ? "s" : "",
        gib_and_gb(all), count > 1 ? ", " + gib_and_gb(each) + " each" : "");
    const bool alone = asks(reading, "part_adapters");
    reply.headline = alone ? words + " " + reply.headline : reply.headline + " " + words;
    const AnswerValue value{"adapters", all, all, all, "GiB", reading.model};
    reply.values.insert(alone ? reply.values.begin() : reply.values.end(), value);
    if (alone) {
        reply.needs = AnswerNeeds{all, all, all};
    } else if (reply.needs) {
        reply.needs =
            AnswerNeeds{reply.needs->low + all, reply.needs->mid + all, reply.needs->high + all};
    }
    if (reply.needs && reply.have_gib && reply.needs->mid > *reply.have_gib &&
        !reply.verdict.empty() && reply.verdict != "no") {
        reply.verdict = "no";
        constexpr std::string_view yes = "Yes: ";
        reply.headline = "No, not with the adapters beside it: " +
                         reply.headline.substr(reply.headline.starts_with(yes) ? yes.size() : 0);
    }
}

std::optional<Result<Answer>> reply_memory_pieces(const Reading& reading,
                                                  const AnswerTools& tools) {
    if (asks(reading, "part_adapters") && !reading.served_adapters) {
        return reply_adapters(reading, tools);
    }
    if (asks(reading, "part_checkpoint")) {
        return reply_checkpoint(reading, tools);
    }
    const bool layer = asks(reading, "per_layer") && !asks(reading, "part_activations");
    if (!layer && !asks(reading, "part_embedding") && !asks(reading, "part_logits")) {
        return std::nullopt;
    }
    WorkloadDocument document;
    document.task = Task::inference;
    document.model_id = reading.model;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (architecture->stacks.empty()) {
        return std::nullopt;
    }
    return layer                             ? reply_layer(reading, *architecture)
           : asks(reading, "part_embedding") ? reply_table(reading, *architecture)
                                             : reply_logits(reading, *architecture);
}

}  // namespace ridgeline
