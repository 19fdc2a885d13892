#pragma once

#include "advise/answers/answer.h"

#include <optional>

namespace ridgeline {

/// Sides of a comparison by what an hour of an accelerator costs, each with its own cloud; nothing
/// where fewer than two are rented out.
std::optional<Answer> reply_compared_rents(const Reading& reading, const AnswerTools& tools);

}  // namespace ridgeline
