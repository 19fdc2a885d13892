#pragma once

#include "ask/open_questions.h"

#include <optional>
#include <string>

namespace ridgeline::ask {

/// What a newcomer wants done, by a verb and its object, as the words of a model that does it
/// ("generate songs", "train an ai on my paintings"); nothing: no such work is told, or a model is
/// named.
///
/// early  deeds that come before what is usual for models of language; otherwise those behind it
std::optional<Supplement> supplement_of_deed(const std::string& question, const Reading* reading,
                                             bool early);

}  // namespace ridgeline::ask
