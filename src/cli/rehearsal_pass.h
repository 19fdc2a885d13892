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

/// Exit code of a command that exec does not find, as shells have it.
inline constexpr int not_started = 127;

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
    int copy = 0;             ///< process that waits to become this pass; 0: the command is started
    bool quiet = false;       ///< what the script prints goes to `folder`/output, else to stderr
};

/// What the pass that computes values left for the next: a copy of its process that waits, and what
/// both made before. Ends with the copy, if it still waits, and those files put away.
class Copied {
public:
    Copied(const RehearsedPass& pass, std::filesystem::path scratch);
    Copied(const Copied&) = delete;
    Copied& operator=(const Copied&) = delete;
    ~Copied() { end(); }

    /// The process, for one pass; 0 where there is none, or was.
    [[nodiscard]] int take();
    void end();

private:
    RehearsedPass made_;
    std::filesystem::path scratch_;
    int process_ = 0;
};

/// Runs the command and reads what it left. A process that outlives `limit_s` is ended, with its
/// children.
///
/// errors  the command cannot be started; a record is damaged
Result<RehearsedPass> run_pass(const PassRequest& request, const RehearsalPlaces& places);

/// Puts away what the passes of an interrupted run made, as their end would have: made-up data must
/// not be taken for the script's own. `folder`: of the run, where it goes to.
void put_away_interrupted(const std::filesystem::path& folder);

}  // namespace ridgeline::cli
