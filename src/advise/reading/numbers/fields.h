#pragma once

#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

namespace ridgeline::reading {

/// Whether a number lies in its range; else the sentence fails and names `what` and both ends.
bool in_range(Sentence& sentence, std::size_t at, const Measure& measure, double least, double most,
              std::string_view what);

/// Fills the field with the number at token `at`; some of its meaning depends on its size.
void take(Sentence& sentence, std::size_t at, const Measure& measure, Field field);

/// Of nodes, cards of one, processes that an option of a launcher may say.
inline constexpr double most_launched = 1e6;

/// Whether a word asks for a judgement of what is told: "normal?", "too slow".
bool judges(const Sentence& sentence);

}  // namespace ridgeline::reading
