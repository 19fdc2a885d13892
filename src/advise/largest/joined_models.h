#pragma once

#include "advise/answers/answer.h"

#include <string>

namespace ridgeline {

/// Parameters of the largest model that the cards of `reading.joined` hold together in a type of
/// weights; 0: not even the smallest.
///
/// surely  where it needs as much as the error of the estimate allows, too
double largest_together(const Reading& reading, const std::string& type, bool surely,
                        const AnswerTools& tools);

}  // namespace ridgeline
