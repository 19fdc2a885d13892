#pragma once

#include "advise/reading/words/sentence.h"

#include <string>
#include <string_view>

namespace ridgeline::reading {

/// Refuses what is no question of hardware for a work: faults of a machine, games.
void recognise_beyond(Sentence& sentence);

/// Work that is named and of which this program has no operators: "xgboost", "gaussian splatting";
/// empty: there is none, or a model is named that it stands beside.
std::string other_work_named(const Sentence& sentence);
/// What is known instead, in words.
std::string_view example_of_known_work();
/// Whether it is asked how something is done to a card itself: "overclock a 3080".
bool tells_a_deed(const Sentence& sentence);

}  // namespace ridgeline::reading
