#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Which side, for what, by which factor.
Result<Answer> reply_compare(const Reading& reading, const Query& query, const AnswerTools& tools);
/// The same of engines, methods, types of weights or models on the hardware of the question, else
/// on H100.
Result<Answer> reply_compare_values(const Reading& reading, const Query& query,
                                    const AnswerTools& tools);

}  // namespace ridgeline
