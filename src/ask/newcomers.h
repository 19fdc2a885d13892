#pragma once

#include "ask/open_questions.h"

#include <optional>
#include <string>

namespace ridgeline::ask {

/// What a newcomer asks in everyday words ("why is my ai so slow", "laptop to learn on", "what does
/// 7b mean"), as a question that has figures, with a sentence that explains them before; nothing:
/// no such thing is asked.
std::optional<Supplement> supplement_of_newcomer(const std::string& question,
                                                 const Reading* reading);

}  // namespace ridgeline::ask
