#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "two cards", "4gpus", "900 gpu hours a month", "8 nodes", "4 of each", "two of them": numbers of
/// hardware that stand beside no name of it; "on one machine". After those that do.
void count_loose(Sentence& sentence);

}  // namespace ridgeline::reading
