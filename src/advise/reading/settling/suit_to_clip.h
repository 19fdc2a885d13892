#pragma once

#include "advise/reading/reading.h"
#include "spec/architecture.h"

namespace ridgeline {

/// Frames of a clip: so many as were said, or its seconds at the rate that the model was made for,
/// whose decoder makes one frame and then groups of them. Of what makes none they are forgotten.
void suit_to_clip(Reading& reading, const Architecture& architecture);

/// How many clips or pictures several cards have at once, where nobody said: one, whose steps they
/// share, where the time of a clip is asked; of a pile each makes its own.
void share_clips(Reading& reading, const Architecture& architecture);

}  // namespace ridgeline
