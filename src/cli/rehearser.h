#pragma once

#include "cli/rehearsal_pass.h"
#include "cli/rehearsal_request.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cli {

/// A rehearsal that ended before it said anything: what to print and the exit code.
struct Ended {
    std::string text;
    int exit_code = 0;
};

/// One command on one kind of card, all passes.
struct Attempt {
    std::optional<Rehearsal> rehearsal;
    Ended ended;
};

/// Rehearses commands: the pass that computes values, then those that take the figures.
class Rehearser {
public:
    Rehearser(const RehearsalRequest& options, const ask::World& world, RehearsalPlaces places,
              std::filesystem::path work);

    /// `kept`: whether the files that the user asked for (snapshot, trace) are those of this run.
    ///
    /// errors  the command cannot be started, a record is damaged
    Result<Attempt> rehearse(const std::vector<std::string>& command, const Cluster& cluster,
                             bool kept = true);

private:
    /// The measured runs: with the card's memory, and where that was refused, without a limit and
    /// with expandable segments.
    /// The first of them goes on from a copy of the first pass, where there is one.
    Result<void> measure(PassRequest request, const std::filesystem::path& folder, Copied& copied,
                         Rehearsal& out);

    const RehearsalRequest& options_;
    const ask::World& world_;
    RehearsalPlaces places_;
    std::filesystem::path work_;
    int runs_ = 0;
};

}  // namespace ridgeline::cli
