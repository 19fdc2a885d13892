#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// Takes a model at token `at` that `profiles/model_stand_ins.json` names: another is estimated and
/// told, or it is refused with the reason. False: none stands there.
bool match_stand_in(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
