#pragma once

#include "advise/reading/sentence.h"

namespace ridgeline::reading {

/// Refuses what is no question of hardware for a work: faults of a machine, games.
void recognise_beyond(Sentence& sentence);

}  // namespace ridgeline::reading
