#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

namespace ridgeline::reading {

/// What a model makes or reads, so many in a period: "tokens", "images", "docs".
bool is_made(std::string_view word);

/// "1 per 10 seconds", "an image every 5 s".
bool match_rate_over_time(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
