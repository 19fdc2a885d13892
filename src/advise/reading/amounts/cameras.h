#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "4K" beside what films: the width of its frames, which a network scales to its own size, no
/// length of a text.
void read_film_width(Sentence& sentence);

/// "20 cameras at 30 fps", "8 ip cams, 25fps each": all pictures of all of them, one of each at
/// once.
bool match_cameras(Sentence& sentence, std::size_t at);

/// "how many rtsp streams", "how many ip cameras": words between that say what films.
bool match_asked_streams(Sentence& sentence, std::size_t at);

/// "yolov8m in real time": a network that looks at pictures keeps up with a camera, where no rate
/// was said.
void read_real_time(Sentence& sentence);

/// "whisper streams in real time on a 4090": live speech without a number of it.
bool match_live_streams(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
