#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace ridgeline::reading {

/// What a service is asked for, and what data is counted in: "docs", "images", "requests".
bool is_load(std::string_view word);

/// Words that are counted for another reason than that they ask.
bool counts_no_load(const Sentence& sentence, std::size_t i);

/// Seconds of the period from token `at` on and its tokens: "/s", "per day", "by second", "daily";
/// 0: there is none.
std::pair<double, std::size_t> load_period_at(const Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
