#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// Whether what tokens [at, end) count is the most that may be, by a comparator on either side:
/// "under 4", "no more than 4", "4 at most", "4 or less", "ceiling: 4".
bool is_most(const Sentence& sentence, std::size_t at, std::size_t end);

/// "fewer than 8": one less than the number at token `at` is the most.
bool is_fewer_than(const Sentence& sentence, std::size_t at);

/// "at least 80 gb", "no less than 24 gb": of the number at token `at`.
bool is_least(const Sentence& sentence, std::size_t at);

/// Tokens from `at` on that say that more will do: "48 GB or more", "16gb and up", "80 gb upwards";
/// 0: there are none.
std::size_t or_more_length(const Sentence& sentence, std::size_t at);

/// "no more than 8 gpus": the words of the limit.
void claim_limit_before(Sentence& sentence, std::size_t at);

/// What a number of parts allows: "fewer than 8" are 7.
int fewer(Sentence& sentence, std::size_t at, int value);

/// "at least 4 gpus", "4 or more", "more than 2", "2 to 4 4090s": `value` at token `at` counts what
/// ends before token `end`.
void take_least(Sentence& sentence, std::size_t at, std::size_t end, int value);

}  // namespace ridgeline::reading
