#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// What single words set: the kind of price, the aim, the stack, types of weights and of numbers.
void take_settings(Sentence& sentence);
/// What must be quiet, stands at a desk or goes into a computer that is there is bought, a card for
/// each free slot at most.
void take_place(Sentence& sentence);
/// Whether a server is spoken of, into which cards go.
bool stands_in_a_server(const Sentence& sentence);

}  // namespace ridgeline::reading
