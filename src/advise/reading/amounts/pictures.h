#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <string_view>

namespace ridgeline::reading {

/// Whether the model of the question is one that makes pictures or clips.
bool makes_pictures(const Sentence& sentence);

/// A side of a picture and the frames of a clip, no more than a workload takes.
int pixels_of(double value);
int frames_of(double value);

/// "a 5s clip": a length of footage, no latency.
bool match_clip_length(Sentence& sentence, std::size_t at);
bool match_clips(Sentence& sentence, std::size_t at);
/// "129 frames" of a model that makes clips: the length of one, no number of images.
bool match_frames(Sentence& sentence, std::size_t at);
/// "wan videos", "flux images": what a model makes, right behind its name, says no more.
bool match_product_of_model(Sentence& sentence, std::size_t at);
/// "3000 sdxl images": the name of what makes them stands between a number and its unit.
bool match_images_of_model(Sentence& sentence, std::size_t at);

/// "28 steps 1024 seconds per image": the side of a picture right before the unit that is asked for
/// is no limit.
bool match_side_before_time(Sentence& sentence, std::size_t at);

bool is_pixel_word(std::string_view word);
/// "512x512": both sides of a picture.
bool is_sides(std::string_view word);
/// "1024 px", before the number is one of pictures.
bool match_pixel_side(Sentence& sentence, std::size_t at);

/// "512x512", "1024px", "1080p".
bool match_pixels(Sentence& sentence, std::size_t at);
/// "wan2.1 14b 720p": a name that says how many lines its pictures have.
void read_lines_in_name(Sentence& sentence);

}  // namespace ridgeline::reading
