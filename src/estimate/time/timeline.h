#pragma once

#include "estimate/work/script.h"

#include <array>
#include <functional>
#include <vector>

namespace ridgeline {

/// One event that takes time, in one round.
struct Span {
    std::size_t event = 0;  ///< index into Script::events
    Seconds begin;
    Seconds end;
};

/// When the streams of a script are busy.
struct Timeline {
    Seconds total;                          ///< until the last stream is done
    std::array<Seconds, streams> busy{};    ///< of each stream
    std::array<Seconds, streams> waited{};  ///< that the computing stream waited for each of them
    Seconds overlapped;                     ///< of the other streams' time, hidden behind compute
    std::vector<Span> spans;                ///< of the rounds that were walked, when asked for
};

/// Seconds that one run, collective or copy takes by itself.
using EventSeconds = std::function<Seconds(const Script&, const Event&)>;

/// Plays a script on its streams: each runs what it is given in order, `wait` holds one until
/// another has done what was issued to it by then. Rounds of a loop are walked until one shifts all
/// streams alike; the others repeat it.
///
/// keep_spans  write down when each event ran
Timeline timeline(const Script& script, const EventSeconds& seconds, bool keep_spans = false);

}  // namespace ridgeline
