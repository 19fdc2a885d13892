#pragma once

#include "ask/question.h"
#include "ask/request.h"
#include "ask/world.h"

#include <optional>
#include <string>

namespace ridgeline::ask {

/// A question of hardware for two works ("lora 14b and also make sdxl images"): each as a question
/// of its own, with the limits that both share, and its words.
struct TwoWorks {
    std::string first, second;
    std::string first_words, second_words;
};

/// Nothing: the question has one work, or both are weighed in another way.
std::optional<TwoWorks> two_works_of(const std::string& words, const World& world);

/// The question of the work that takes more, on what does the other too, with what it makes of
/// that; errors  either has no answer
Result<Question> question_of_both(const TwoWorks& works, const Request& request,
                                  const World& world);

}  // namespace ridgeline::ask
