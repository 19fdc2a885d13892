#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

// What is asked of the memory of a context, and what of a server beyond its weights.

namespace ridgeline::reading {

/// "memory", "gib", "footprint".
bool is_memory_word(std::string_view word);
/// A question of the memory of a context asks for its cache.
void match_context(Sentence& sentence);
/// "on top of the weights" at token `at`: of a server what its requests take.
void match_beyond_weights(Sentence& sentence, std::size_t at);
/// "kv for 128k tokens of llama" at token `at`: the cache, where no type stands beside the word.
void match_bare_cache(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
