#pragma once

#include "advise/answers/answer.h"

#include <string>

// Figures and words that answers about rates and times share.

namespace ridgeline {

/// Id of the model, or its name where it has none.
std::string model_of(const Placement& placement);
AnswerChoice choice_of(const Placement& placement);
/// An option as what is chosen of hardware.
AnswerChoice choice_of_option(const Query& query, const Option& option);
/// What a rent pays beside the accelerators that work, or how it is put together; empty: as many
/// are listed.
std::string rented_words(const Placement& placement);
/// " of rent" with those words, or " of electricity" of what is owned.
std::string paid_words(const Placement& placement);
/// The id of an offer that the question told.
inline constexpr std::string_view told_offer = "told";
/// "20 steps, 1024 px", "50 steps, 832 x 480 px, 81 frames": what a picture or a clip was taken
/// for; empty: it is none.
std::string picture_words(const Placement& placement);
/// A rate from a time whose range is known: the slow end is the low one.
AnswerValue rate(std::string quantity, double value, const Interval& band, std::string unit);
/// A time in units of `scale` seconds, with its range.
AnswerValue time_value(std::string quantity, Seconds value, const Interval& band, std::string unit,
                       double scale);
/// "31.2 tokens/s (28.1 to 34.0)".
std::string ranged(const AnswerValue& value, std::string_view unit);
/// "8.2 ms (7.5 to 9.1)", of a time in seconds.
std::string lasts(const AnswerValue& value);
/// What works on pictures: its samples are images.
bool counts_images(const Architecture& architecture);
/// " in q4_k_m", where the weights were chosen so that they fit.
std::string room_words(const Reading& reading, const Placement& placement);

}  // namespace ridgeline
