#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Does it fit, with what it needs and what would make it fit? Tries the usual types of weights
/// where none was said. Nothing: no hardware of the question is known.
Result<Answer> reply_fit(const Reading& reading, const Query& query, const AnswerTools& tools);
/// As convolutional and recurrent networks are trained where nobody says otherwise: the whole batch
/// of a card at once and nothing recomputed. Other architectures stay as they are.
void train_as_networks_do(WorkloadDocument& document, const Architecture& architecture,
                          int accelerators);
/// The least that a step of training takes, where nobody said how many samples it holds: one, with
/// the layers computed again unless `keeps` their activations or the document says.
void train_on_one_sample(WorkloadDocument& document, bool keeps);
/// GiB for the method or type named, else one value for each.
Result<Answer> reply_memory(const Reading& reading, const AnswerTools& tools);

/// Whether cards of several kinds (`Reading::joined`) hold a model together, and how fast they
/// serve one request; empty: it is served to several, trained, or by a stack that does not part
/// layers by memory, or one card holds it alone and nothing says that they share it.
std::optional<Answer> reply_joined(const Reading& reading, const Query& query,
                                   const AnswerTools& tools);

}  // namespace ridgeline
