#pragma once

#include "ask/question.h"

#include <string>

namespace ridgeline::ask {

/// Why a class of models stands for those that a question on language models at home leaves open;
/// marks the assumption that `local_class` makes.
inline constexpr std::string_view local_class_words =
    "no model was named: the largest class that one card for a desk holds in 4 bits";

/// "best gpu for local llms", "which mac for ollama": the class of models ("32b") that hardware at
/// home is chosen for where none is named. Empty: the question is no such one.
///
/// Of a memory that is told, the largest class whose 4-bit files leave a tenth of it.
std::string local_class(const Reading& reading);

/// Says which class an answer is for, and what runs those of the others at home.
///
/// question  with the class of `local_class`, as it was answered
void lead_with_class(const Question& question, const World& world, Answer& reply);

}  // namespace ridgeline::ask
