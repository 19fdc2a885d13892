#pragma once

#include "estimate/time/timeline.h"
#include "estimate/work/script.h"

#include <string>
#include <vector>

namespace ridgeline {

/// One event of a script for people.
struct ListedEvent {
    Event::Kind kind = Event::Kind::mark;
    Stream stream = Stream::compute;
    int depth = 0;     ///< loops that it is in
    std::string what;  ///< "forward of the layers", "q_proj backward", "all-gather of 8 ranks"
    Bytes bytes;       ///< of the tensor, the exchange or the copy
    Bytes alive;       ///< tensors alive after it, in the first round of its loops
    Seconds begin;     ///< in the first round; 0 without a timeline
    Seconds seconds;
    int rounds = 1;  ///< loop: how often the events below it come
};

/// A script as rows: loops once, with their number of rounds.
///
/// time  a timeline of the same script with its spans; null: rows without times
std::vector<ListedEvent> listing(const Script& script, const Timeline* time = nullptr);

}  // namespace ridgeline
