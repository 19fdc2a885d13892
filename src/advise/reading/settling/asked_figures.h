#pragma once

#include "advise/reading/settling/facts.h"

namespace ridgeline::reading {

/// What an answer of the reading's intent must tell: figures that were asked for by name, the bound
/// that is looked for, the kind of price.
void take_asked_figures(Sentence& sentence, const Facts& facts);

}  // namespace ridgeline::reading
