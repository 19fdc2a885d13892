#pragma once

#include "estimate/input.h"

namespace ridgeline {

/// What a window of 30 s of a recording asks of a loop of its own beside the words it holds.
struct Transcript {
    double marks = 0;      ///< tokens that tell times
    double step_host = 0;  ///< seconds of the host for each token of a batch, of all hypotheses
    double cut_host = 0;   ///< seconds of the host for a window, to cut the recording
    double advance = audio_window_s;  ///< seconds of the recording that the window adds
};

/// The windows of a recording longer than one; of a shorter one `advance` is a window.
///
/// running     windows that are heard together
/// hypotheses  that the search carries for each
Transcript transcript(const EstimateInput& input, double running, double hypotheses);

/// Windows of the recording of a workload: the first holds all of its length, each later one adds
/// what it advances.
double windows_of(const EstimateInput& input, const Transcript& window);

}  // namespace ridgeline
