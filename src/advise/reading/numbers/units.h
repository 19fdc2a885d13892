#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

namespace ridgeline::reading {

/// What a number fills, by the words beside it.
enum class Field {
    none,
    no_effect,  ///< moves no figure: "alpha 32"
    sequence,
    input,
    output,
    batch,
    micro_batch,
    rank,
    users,
    per_second,
    per_minute,
    per_hour,
    per_day,
    tokens,
    tokens_per_second,
    samples,
    thousand_samples,
    epochs,
    ttft,
    tpot,
    latency,
    memory,
    host_memory,
    host_terabytes,
    weight_bits,
    steps,
    group,  ///< answers to each prompt of a round of rewards
    nodes,
    kilowatts,
    watts,
    percent,
    pixels,
    users_a_day,
    tokens_per_parameter,
};

/// Up to so many a "w" behind a number means weeks, beyond it watts.
inline constexpr double most_weeks = 12;

/// A phrase beside a number: its field and how many tokens it has.
struct Match {
    Field field = Field::none;
    std::size_t length = 0;
};

/// The longest name that stands from token `at` on and belongs before a number: "batch size of".
Match name_before_number(const Sentence& sentence, std::size_t at);

/// The field of a phrase with its words joined, that belongs before a number, and behind one; none:
/// it is of no field.
Field field_named_before(std::string_view joined);
Field field_named_after(std::string_view joined);

/// Whether the phrase that stands from token `at` on may also stand behind a number: "16 batch".
bool follows_numbers(const Sentence& sentence, std::size_t at);

/// Whether a word alone belongs before a number: "bs", "rank", "ctx".
bool names_number(std::string_view word);

/// The longest unit that stands from token `at` on, after what is glued to the number itself.
Match unit_after_number(const Sentence& sentence, std::size_t at, std::string_view glued);

/// Words before a setting that ask which it should be: "best batch size", "what zero stage".
inline constexpr std::string_view which_words =
    "what which best optimal right good ideal recommended fastest suitable";

/// Whether one of the words stands in [from, to), without a full stop between.
bool near_words(const Sentence& sentence, std::size_t from, std::size_t to, std::string_view words);

/// The token `most` before `at`, or the first of its clause.
std::size_t clause_start(const Sentence& sentence, std::size_t at, std::size_t most);

}  // namespace ridgeline::reading
