#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Changes that turn a no into a yes, tried one by one. `slow`: it fits and is slower than was
/// asked.
void add_changes(Answer& reply, const Query& query, const Architecture& architecture,
                 const Cluster& cluster, bool slow, const AnswerTools& tools);

/// 4-bit weights on more of the same cards, and the types of files below three bits that one holds.
void add_narrow_weights(Answer& reply, const WorkloadDocument& document,
                        const Architecture& architecture, const Cluster& cluster,
                        const AnswerTools& tools);

/// Of a Mac whose GPU may take a part of the memory: the limit that holds it.
void add_wired_limit(Answer& reply, const Accelerator& part);
/// Of a network whose batch does not fit whole: the micro-batch in which it does.
void add_micro_batch(Answer& reply, const WorkloadDocument& document,
                     const Architecture& architecture, const Cluster& cluster,
                     const AnswerTools& tools);

}  // namespace ridgeline
