#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// The longest context, most users, largest batch, rank, picture or clip (`reading.extreme`) that a
/// cluster holds and, where the question says how soon, is quick enough for. Low and high are the
/// same at the ends of the errors of memory and time.
///
/// Where the question names no stack, a context is sought in other stacks too (a loss in pieces, a
/// sequence over several cards, llama.cpp for one person); the answer's `framework` and `loss` say
/// which.
Result<Answer> largest_amount(const Reading& reading, const Query& query, const Cluster& cluster,
                              const AnswerTools& tools);

/// Stores the amount that a question asks the most of, where a workload has it.
void set_amount(WorkloadDocument& document, Extreme extreme, double value);

}  // namespace ridgeline
