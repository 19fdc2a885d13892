#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// The largest dense model that a cluster trains from scratch within the deadline of the question,
/// on the tokens that were said or on those that train it best for its compute. Precondition:
/// `reading.deadline_s`.
Result<Answer> largest_pretrained(const Reading& reading, const Cluster& cluster,
                                  const AnswerTools& tools);

}  // namespace ridgeline
