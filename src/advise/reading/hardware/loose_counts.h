#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "two cards", "4gpus", "900 gpu hours a month": numbers of hardware that stand beside no name of
/// it. After those that do.
void count_loose(Sentence& sentence);

}  // namespace ridgeline::reading
