#include "estimate/serving/transcript.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

Transcript transcript(const EstimateInput& input, double running, double hypotheses) {
    constexpr double segment_s = 5;  // between two marks: a short sentence, assumed
    constexpr double marks = 2 * audio_window_s / segment_s;
    const double rows = running * hypotheses;
    const double recording = input.workload.batch.audio_seconds;
    const bool several = recording <= 0 || recording > audio_window_s;
    Transcript window;
    if (input.software.runtime.runs_transformers()) {
        // Small calls on the scores in generate(): some 200, and 15 for each row, of which the next
        // may be a mark (WhisperTimeStampLogitsProcessor); assumed.
        constexpr double call = 24e-6;
        window.marks = marks;
        window.step_host = (200 + 15 * rows) * call;
        // Windows overlap: each begins a sixth of its length before the end of the last, and as
        // much is thrown away on both sides (automatic_speech_recognition.py, stride_length_s).
        constexpr double kept = 1 - 2.0 / 6;
        window.advance *= several ? kept : 1;
    } else if (running > 1) {
        // Cut where Silero's detector finds pauses, in steps of 32 ms, and written without marks
        // (faster-whisper transcribe.py, BatchedInferencePipeline).
        constexpr double detector = 0.06;  // for a window on one core of an EPYC, measured
        window.cut_host = detector;
    } else {
        // Whether a mark comes next hangs on three sums over the scores of each row, for which the
        // host waits (CTranslate2 whisper.cc, should_sample_timestamp); a wait is assumed.
        constexpr double wait = 50e-6;
        window.marks = marks;
        window.step_host = 3 * wait * rows;
        // The next window begins where the last whole segment ended (transcribe.py, seek).
        window.advance -= several ? segment_s / 2 : 0;
    }
    return window;
}

double windows_of(const EstimateInput& input, const Transcript& window) {
    const double later = input.workload.batch.audio_seconds - audio_window_s;
    return 1 + std::ceil(std::max(0.0, later) / window.advance);
}

}  // namespace ridgeline
