#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Why a card of low power is bounded by what a slot feeds, where no watts were said.
inline constexpr std::string_view low_power_card =
    "of low power is taken for what a slot feeds without a plug; other watts: \"under 150 W\"";

/// What single words set: the kind of price, the aim, the stack, types of weights and of numbers.
void take_settings(Sentence& sentence);
/// What must be quiet, stands at a desk or goes into a computer that is there is bought, a card for
/// each free slot at most.
void take_place(Sentence& sentence);
/// Whether a server is spoken of, into which cards go.
bool stands_in_a_server(const Sentence& sentence);
/// "on a drone", "an edge device", "battery powered": what is asked for is built into a thing that
/// carries it, where no card of a computer goes.
bool is_built_in(const Sentence& sentence);

}  // namespace ridgeline::reading
