#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "500 hours of audio", "1500 meetings of 45 min": how much there is to hear. False: the time at
/// tokens [at, end) is one of waiting.
bool take_recordings(Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure,
                     double unit_s);

/// "1000 clips of 15 s", "audio of 15 s", "200 8 second voice notes" for a model that hears: how
/// much there is to hear, and how much with each padded to the windows of the model. False: it is
/// another time.
bool take_clips_heard(Sentence& sentence, std::size_t at, std::size_t end, const Measure& measure,
                      double unit_s);

/// "on 20k samples a week", where owning is weighed or hardware sought: what comes in a week is
/// trained within it.
void take_period_of_samples(Sentence& sentence);

}  // namespace ridgeline::reading
