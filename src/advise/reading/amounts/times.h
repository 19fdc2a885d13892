#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

namespace ridgeline::reading {

/// Why a time bounds one picture or clip, as `AssumedField` tells it.
inline constexpr const char* time_of_one = "the most that one may take";

/// Whether a time at token `at`, whose words are `before` to `end`, is of whole answers: "3 s for
/// the whole answer", "end to end latency of 3 s".
bool is_of_whole_answers(const Sentence& sentence, std::size_t before, std::size_t at,
                         std::size_t end);

/// What an engine gives back, and that it does.
inline constexpr std::string_view reply_words =
    "answer answers answered response responses respond responds reply replies completion "
    "completions";

/// Whether such a time is that of an answer, though none says that it is of the whole: "answers in
/// 20 s", "15 s per reply"; a start of it is none.
bool is_of_replies(const Sentence& sentence, std::size_t before, std::size_t at, std::size_t end);

/// A number with a unit of time at token `at`: a deadline, months, a latency, by what stands around
/// it. False: there is none.
bool match_time(Sentence& sentence, std::size_t at);

/// Fills what a time of `amount` units at tokens [at, end) is, by what stands around it.
void take_time(Sentence& sentence, std::size_t at, std::size_t end, double amount, double unit_s,
               bool negative);

}  // namespace ridgeline::reading
