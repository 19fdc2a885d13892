#include "cli/rehearser.h"

#include "advise/validation/rehearsed_fit.h"
#include "cli/rehearsal_pass.h"
#include "data/load_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

constexpr int bad_input = 4;
constexpr int unknown_function = 86;  // of the stand-in card: rehearsal/card/settings.c

/// The signal that a code tells of; 0: none. Launchers written in Python hand on what ended a
/// process of theirs as a negative number, of which the lowest byte comes here.
int signal_of(int code) {
    const int handed_on = 256 - code;
    for (const int known : {SIGABRT, SIGBUS, SIGKILL, SIGSEGV, SIGTERM}) {
        if (handed_on == known)
            return known;
    }
    return code > 128 && code < 128 + 64 ? code - 128 : 0;
}

/// A script that failed or was ended, after its own words.
std::string own_failure(const RehearsedPass& pass) {
    const int signal = signal_of(pass.exit_code);
    std::string text =
        signal != 0 ? fmt::format(
                          "The script was ended by signal {} ({}), by itself or by the host{}, so "
                          "that nothing can be said of its memory.\n",
                          signal, strsignal(signal),
                          signal == SIGKILL ? ", which may have run out of memory" : "")
                    : fmt::format(
                          "The script ended with code {}{}, so that nothing can be said of its "
                          "memory{}{}.\n",
                          pass.exit_code, pass.stood_in.empty() ? " by itself" : "",
                          pass.error.empty() ? "" : ": ", pass.error);
    if (!pass.stood_in.empty()) {
        text += fmt::format("Not as on the card, which may be why: {}.\n",
                            fmt::join(pass.stood_in, "; "));
    }
    if (!pass.unreached.empty()) {
        text += fmt::format(
            "It asked the network for {} and was not answered: put that where the script finds it "
            "on this machine, or give the machine a way to it.\n",
            pass.unreached);
    }
    return text;
}

/// Of a script that the limit of time ended before its first step. One that had ended by an error
/// and waited for others says that by its own words above.
std::string made_no_step(const RehearsedPass& pass) {
    if (!pass.error.empty()) {
        return fmt::format(
            "not rehearsed: the script met an error before its first step, and had not ended at "
            "the limit of time: {}\n",
            pass.error);
    }
    return fmt::format(
        "not rehearsed: the script made no step within the limit of time (--limit "
        "SECONDS): {:.0f} s, of which it had {:.0f} s of the processor{}{}\n",
        pass.seconds, pass.processor_seconds, pass.stood.empty() ? "" : "; it stood ", pass.stood);
}

/// Why a pass says nothing: the script's own failure, or what cannot be rehearsed.
Ended ended_by(const RehearsedPass& pass, const std::vector<std::string>& command) {
    if (!pass.problem.empty()) {
        return {fmt::format("not rehearsed: {}\n", pass.problem), bad_input};
    }
    if (!pass.unknown.empty()) {
        return {fmt::format(
                    "not rehearsed: the script needs {}, which the stand-in card does not know\n",
                    pass.unknown),
                bad_input};
    }
    if (pass.out_of_time && pass.steps == 0) {
        return {made_no_step(pass), bad_input};
    }
    if (pass.exit_code == not_started && pass.torch.empty()) {
        return {fmt::format("not rehearsed: {} could not be started\n", command.front()),
                bad_input};
    }
    if (pass.exit_code == unknown_function) {
        return {"not rehearsed: the stand-in card ended the script; the reason is above\n",
                bad_input};
    }
    if (pass.exit_code != 0 && !pass.out_of_time) {
        return {own_failure(pass), pass.exit_code};
    }
    return {};
}

/// The end of what the script printed in a pass whose words were kept in its folder.
std::string last_words(const fs::path& folder) {
    constexpr std::size_t lines = 20;
    std::ifstream file(folder / "output");
    std::deque<std::string> kept;
    for (std::string line; std::getline(file, line);) {
        kept.push_back(line);
        if (kept.size() > lines) {
            kept.pop_front();
        }
    }
    return kept.empty() ? "" : fmt::format("{}\n", fmt::join(kept, "\n"));
}

Ended silent(const std::vector<std::string>& command, const RehearsedPass& pass) {
    if (!pass.frameworks.empty()) {
        return {
            fmt::format("not rehearsed: the script uses {}; the stand-in card is one for PyTorch\n",
                        pass.frameworks.front()),
            bad_input};
    }
    return {fmt::format("not rehearsed: {} ended without using a card through PyTorch, or "
                        "ended itself before the "
                        "figures were written\n",
                        command.front()),
            bad_input};
}

}  // namespace

Rehearser::Rehearser(const RehearsalRequest& options, const ask::World& world,
                     RehearsalPlaces places, fs::path work)
    : options_(options), world_(world), places_(std::move(places)), work_(std::move(work)) {}

Result<Attempt> Rehearser::rehearse(const std::vector<std::string>& command, const Cluster& cluster,
                                    bool kept) {
    const Accelerator& card = *cluster.accelerator;
    const fs::path folder = work_ / fmt::format("run-{}", ++runs_);
    PassRequest request;
    request.command = command;
    request.accelerator = &card;
    request.count = cluster.count;
    request.context = context_of(world_.profiles.calibration, cluster);
    request.folder = request.recorded = folder / "values";
    request.shared = work_;
    request.scratch = options_.scratch.empty() ? folder / "scratch" : fs::path(options_.scratch);
    request.steps = options_.steps;
    request.skew = options_.skew;
    request.limit_s = options_.limit_s;
    request.quiet = options_.quiet;

    Attempt attempt;
    Rehearsal out;
    out.accelerator = card.id;
    out.name = card.name;
    out.count = cluster.count;
    out.capacity = card.capacity();
    out.context = request.context;
    auto values = run_pass(request, places_);
    if (!values) {
        return tl::unexpected(values.error());
    }
    out.values = std::move(*values);
    Copied copied(out.values, request.scratch);
    attempt.ended = ended_by(out.values, command);
    if (!attempt.ended.text.empty()) {
        return attempt;
    }
    request.quiet = true;
    request.limited = true;
    request.snapshot = kept ? options_.snapshot : "";
    request.trace =
        options_.trace.empty() || !kept ? (folder / "operators.json").string() : options_.trace;
    if (auto failed = measure(request, folder, copied, out); !failed) {
        return tl::unexpected(failed.error());
    }
    const RehearsedPass& told = out.told();
    if (!out.limited.refused_memory()) {
        attempt.ended = ended_by(told, command);
    }
    if (attempt.ended.text.empty() && !told.rehearsed()) {
        attempt.ended = silent(command, told);
    }
    if (!attempt.ended.text.empty()) {
        // What the script says in this pass is not shown while it runs.
        attempt.ended.text =
            last_words(folder / (out.unlimited ? "unlimited" : "limited")) + attempt.ended.text;
        return attempt;
    }
    out.fit = rehearsed_fit(out);
    // A script that makes no whole step leaves no operators.
    std::error_code ignored;
    if (fs::exists(request.trace, ignored)) {
        if (auto trace = load_trace(request.trace)) {
            out.trace = std::move(*trace);
        }
    }
    out.seconds = out.values.seconds + out.limited.seconds +
                  (out.unlimited ? out.unlimited->seconds : 0) +
                  (out.expandable ? out.expandable->seconds : 0);
    attempt.rehearsal = std::move(out);
    return attempt;
}

Result<void> Rehearser::measure(PassRequest request, const fs::path& folder, Copied& copied,
                                Rehearsal& out) {
    const auto once = [&](const char* name, RehearsedPass& to) -> Result<void> {
        request.folder = folder / name;
        auto pass = run_pass(request, places_);
        if (!pass) {
            return tl::unexpected(pass.error());
        }
        to = std::move(*pass);
        return {};
    };
    request.copy = copied.take();
    const auto first = once("limited", out.limited);
    request.copy = 0;
    copied.end();
    if (!first || !out.limited.refused_memory()) {
        return first;
    }
    request.limited = false;
    out.unlimited.emplace();
    if (auto failed = once("unlimited", *out.unlimited); !failed) {
        return failed;
    }
    const RehearsedDevice* peak = out.unlimited->fullest();
    const char* given = std::getenv("PYTORCH_CUDA_ALLOC_CONF");
    if (peak == nullptr || given != nullptr || peak->allocated > out.capacity - out.context) {
        return {};
    }
    request.limited = true;
    request.expandable = true;
    request.snapshot.clear();
    request.trace.clear();
    out.expandable.emplace();
    return once("expandable", *out.expandable);
}

}  // namespace ridgeline::cli
