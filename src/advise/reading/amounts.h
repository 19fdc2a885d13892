#pragma once

#include "advise/reading/fields.h"
#include "advise/reading/sentence.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace ridgeline::reading {

/// A side of a picture and the frames of a clip, no more than a workload takes.
int pixels_of(double value);
int frames_of(double value);

/// "a 5s clip": a length of footage, no latency.
bool match_clip_length(Sentence& sentence, std::size_t at);

/// "129 frames" of a model that makes clips: the length of one, no number of images.
bool match_frames(Sentence& sentence, std::size_t at);

/// "3000 sdxl images": the name of what makes them stands between a number and its unit.
bool match_images_of_model(Sentence& sentence, std::size_t at);

bool is_pixel_word(std::string_view word);
/// "512x512": both sides of a picture.
bool is_sides(std::string_view word);
/// "1024 px", before the number is one of pictures.
bool match_pixel_side(Sentence& sentence, std::size_t at);

/// "512x512", "1024px", "1080p".
bool match_pixels(Sentence& sentence, std::size_t at);
/// "wan2.1 14b 720p": a name that says how many lines its pictures have.
void read_lines_in_name(Sentence& sentence);

/// What a service is asked for, and what data is counted in: "docs", "images", "requests".
bool is_load(std::string_view word);
/// What a model makes or reads, so many in a period: "tokens", "images", "docs".
bool is_made(std::string_view word);

/// Seconds of the period from token `at` on and its tokens: "/s", "per day", "by second", "daily"; 0:
/// there is none.
std::pair<double, std::size_t> load_period_at(const Sentence& sentence, std::size_t at);

/// A unit of time in seconds, a month as 30 days; 0: the word is none.
double seconds_of(std::string_view unit);

/// Whether a time at token `at`, whose words are `before` to `end`, is of whole answers: "3 s for the
/// whole answer", "end to end latency of 3 s".
bool is_of_whole_answers(const Sentence& sentence, std::size_t before, std::size_t at, std::size_t end);

/// A number with a unit of time at token `at`: a deadline, months, a latency, by what stands around
/// it. False: there is none.
bool match_time(Sentence& sentence, std::size_t at);

/// "2027-03-01", "1 march", "until friday". Two days are the time between them.
bool match_date(Sentence& sentence, std::size_t at);

/// "8.3 GB of text", "features 53GB": so much data, no memory.
bool match_data_size(Sentence& sentence, std::size_t at);
/// The tokens of a text of which only the bytes were told. After all amounts.
void settle_data_sizes(Sentence& sentence);

/// "1 per 10 seconds", "an image every 5 s".
bool match_rate_over_time(Sentence& sentence, std::size_t at);

/// Is renting weighed against owning?
bool weighs_owning(const Sentence& sentence);

/// "2 days a week", "on weekends", "office hours": how much of its time hardware is used.
bool match_habit(Sentence& sentence, std::size_t at);
/// What the habits come to, after all amounts.
void settle_habits(Sentence& sentence);

/// "in a month", "overnight", "24/7", "by 2027-03-01".
bool match_time_words(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
