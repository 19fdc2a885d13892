#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// The largest model, context, load, batch or rank that fits.
Result<Answer> reply_largest(const Reading& reading, const Query& query, const AnswerTools& tools);

}  // namespace ridgeline
