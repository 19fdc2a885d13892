#pragma once

#include "base/result.h"
#include "spec/measurement.h"

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ridgeline::cli {

struct ProbeRequest {
    std::string backend;  ///< "cpu", "cuda"
    int kinds = 0;        ///< RidgelineProbeKinds
    double budget_s = 90;
    int device = 0;
    unsigned long long seed = 0;
    std::string folder;  ///< for the file of the storage probe
};

/// What a plug-in handed over.
struct ProbeResult {
    std::vector<MeasuredPoint> points;
    std::map<std::string, std::string> facts;
    std::vector<std::string> warnings;
    double first_point_s = 0;  ///< from the start to the end of the first point
    bool interrupted = false;
};

/// Opens the plug-in of a backend (beside the program, in its lib folder, or in RIDGELINE_PROBES)
/// and runs it.
///
/// progress  what runs, the share done, seconds left
/// stop      set by Ctrl-C: the probe ends after its present point and what it has is kept
/// Errors: the plug-in, a library or the device is absent (exit 5, what to install); it failed.
Result<ProbeResult> run_probe(const ProbeRequest& request,
                              const std::function<void(const char*, double, double)>& progress,
                              const std::atomic<bool>& stop);

}  // namespace ridgeline::cli
