#pragma once

#include "base/result.h"
#include "spec/accelerator.h"
#include "spec/rehearsal.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::cli {

/// Where the parts of a rehearsal lie: libridgeline-card-*.so, and the Python files that enter a
/// script.
struct RehearsalPlaces {
    std::filesystem::path cards;
    std::filesystem::path entry;  ///< holds sitecustomize.py
};

/// errors  device_absent: the stand-in card was not built with this program
Result<RehearsalPlaces> rehearsal_places();

/// One run of a command on the stand-in card.
struct PassRequest {
    std::vector<std::string> command;
    const Accelerator* accelerator = nullptr;
    int count = 1;
    Bytes context;
    std::filesystem::path folder;  ///< of this pass; made where it is missing
    std::filesystem::path
        recorded;  ///< of the pass that computed values; the same folder: this one does
    std::filesystem::path shared;  ///< libraries and files that the script saves
    std::filesystem::path scratch;
    std::string snapshot;  ///< file for torch's memory viewer; empty: none
    std::string trace;     ///< file for the operators of one step; empty: none
    int steps = 2;
    double skew = 0;
    double limit_s = 0;
    bool limited = false;     ///< memory is refused as on the card
    bool expandable = false;  ///< PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
    bool quiet = false;       ///< what the script prints goes to `folder`/output, else to stderr
};

/// Runs the command and reads what it left. A process that outlives `limit_s` is ended, with its
/// children.
///
/// errors  the command cannot be started; a record is damaged
Result<RehearsedPass> run_pass(const PassRequest& request, const RehearsalPlaces& places);

}  // namespace ridgeline::cli
