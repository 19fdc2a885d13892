#pragma once

#include "advise/answers/answer.h"

#include <optional>
#include <string>
#include <string_view>

// What answers about memory share: the ways of running a model, and single parts of its memory.

namespace ridgeline {

/// One way of running the model that has a figure of its own.
struct Way {
    Task task;
    std::string method;
    std::string weights;
};

/// "lora", "serving in q4_k_m".
std::string words_of(const Way& way, const Reading& reading, const Placement& placed);
/// GiB of the component with that name or of those below it ("activations.layers"), at the instant
/// that has most of them.
double most_of(const MemoryEstimate& memory, std::string_view name);
/// The part of a maker, by its name in small letters, that has most memory; null: it has none.
const Accelerator* most_memory_of(const std::string& maker, const Catalog& catalog);
/// The hardware that memory is counted on: what was named, else a card whose size sets no limit
/// here.
Cluster counted_on(const Reading& reading, const Catalog& catalog);
/// Whether the least that a step needs is told, as nobody said the batch: plans with room to spare
/// take more and are faster. Those who train on pictures take the usual batch.
bool takes_least(const Way& way, const Reading& reading, const Architecture& architecture);
/// The way on the cluster: placed, with least memory where nobody said the batch.
Result<Placement> placed_way(const Way& way, const Reading& reading, const Cluster& cluster,
                             const AnswerTools& tools);

/// The parts of memory that were asked for by themselves; nothing where none was.
std::optional<Result<Answer>> reply_memory_parts(const Reading& reading, const AnswerTools& tools);
/// Pieces of a model: adapters, a checkpoint, one layer, the table of tokens, the logits; nothing
/// where none was asked for.
std::optional<Result<Answer>> reply_memory_pieces(const Reading& reading, const AnswerTools& tools);
/// A batch that is named is that of one step, as far as it is no sum that steps gather.
void take_named_batch(WorkloadDocument& document, const Reading& reading,
                      const Architecture& architecture, int accelerators);
/// What adapters take that an engine holds beside the model, where the question has some.
void add_served_adapters(const Reading& reading, const AnswerTools& tools, Answer& reply);
/// Whether values of one setting are compared ("batch 8 vs 32"), and the figures of each.
bool compares_settings(const Reading& reading);
Result<Answer> reply_settings(const Reading& reading, const AnswerTools& tools);
/// States of each of the optimizers that are held against each other, under full training.
Result<Answer> reply_optimizers(const Reading& reading, const AnswerTools& tools);

/// What training takes under a stack that makes the loss in pieces, where that is less.
struct LeanFigure {
    double gib = 0;
    std::string of, stack;
};

/// The least of them; nothing: none takes less than the usual placement.
std::optional<LeanFigure> lean_figure(const Way& way, const Reading& reading,
                                      const Placement& usual, const Cluster& cluster,
                                      const AnswerTools& tools);

}  // namespace ridgeline
