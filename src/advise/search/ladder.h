#pragma once

#include "advise/search/search.h"

namespace ridgeline {

/// The usual GGUF types of the question's model on each card that it may be about, fastest card
/// first; empty for a model that no ladder describes.
std::vector<CardLadder> card_ladders(const Search& search);

}  // namespace ridgeline
