#include "cli/rehearsal_pass.h"

#include "base/text.h"
#include "cli/rehearsal_processes.h"
#include "data/load_rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double block_bytes = 512;  // of stat's st_blocks
constexpr double largest_put_away = 16 << 20;
constexpr std::chrono::seconds time_to_end{5};  // of a script that is asked to

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

/// What the Python side reads: ridgeline_rehearsal/session.py, class Settings.
void write_settings(const PassRequest& request, const RehearsalPlaces& places) {
    const bool values = request.recorded == request.folder;
    std::ofstream(request.folder / "settings.json") << fmt::format(
        "{{\"pass\": \"{}\", \"folder\": {}, \"recorded\": {}, \"cards\": {}, "
        "\"libraries\": {}, \"scratch\": {}, \"snapshot\": {}, \"trace\": {}, \"steps\": {}, "
        "\"skew\": {}}}\n",
        values ? "values" : "measure", quoted(request.folder.string()),
        quoted(request.recorded.string()), quoted(places.cards.string()),
        quoted((request.shared / "libraries").string()), quoted(request.scratch.string()),
        quoted(request.snapshot), quoted(request.trace), request.steps, request.skew);
}

std::string before_path(const char* variable, const std::string& place) {
    const char* old = std::getenv(variable);
    return old != nullptr && *old != '\0' ? place + ":" + old : place;
}

std::map<std::string, std::string> variables_of(const PassRequest& request,
                                                const RehearsalPlaces& places) {
    const Accelerator& card = *request.accelerator;
    std::string capability;
    for (const char c : card.compute_capability.value_or("")) {
        capability += c == '.' ? "" : std::string(1, c);
    }
    std::map<std::string, std::string> out{
        {"RIDGELINE_REHEARSAL", (request.folder / "settings.json").string()},
        {"PYTHONPATH", before_path("PYTHONPATH", places.entry.string())},
        {"RIDGELINE_REHEARSAL_ENTRY", places.entry.string()},
        {"LD_PRELOAD",
         before_path("LD_PRELOAD", (places.cards / "libridgeline-entry.so").string())},
        {"RIDGELINE_CARD_NAME", card.name},
        {"RIDGELINE_CARD_CAPABILITY", capability},
        {"RIDGELINE_CARD_MEMORY", fmt::format("{:.0f}", card.capacity().base())},
        {"RIDGELINE_CARD_CONTEXT", fmt::format("{:.0f}", request.context.base())},
        {"RIDGELINE_CARD_COUNT", fmt::format("{}", request.count)},
        {"RIDGELINE_CARD_NOTES", (request.folder / "notes").string()},
        {"RIDGELINE_CARD_UNLIMITED", request.limited ? "0" : "1"},
        {"RIDGELINE_CARD_RUN", fmt::format("{}", getpid())},
        {"WANDB_MODE", "disabled"},
    };
    if (card.units) {
        out["RIDGELINE_CARD_SMS"] = fmt::format("{}", *card.units);
    }
    if (card.l2_cache) {
        out["RIDGELINE_CARD_L2"] = fmt::format("{:.0f}", card.l2_cache->base());
    }
    if (card.tdp > Watts{}) {
        out["RIDGELINE_CARD_POWER"] = fmt::format("{:.0f}", card.tdp.base());
    }
    if (request.expandable) {
        out["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True";
    }
    return out;
}

/// Tells the waiting copy what it becomes: ridgeline_rehearsal/again.py, take_turn.
void give_turn(const PassRequest& request, const std::map<std::string, std::string>& variables) {
    std::string words;
    for (const auto& [name, value] : variables) {
        if (name != "PYTHONPATH" && name != "LD_PRELOAD") {  // it has those, with the card in them
            append(words, ", ", fmt::format("{}: {}", quoted(name), quoted(value)));
        }
    }
    const fs::path part = request.recorded / "turn.part";
    std::ofstream(part) << fmt::format("{{\"settings\": {}, \"variables\": {{{}}}}}\n",
                                       quoted((request.folder / "settings.json").string()), words);
    fs::rename(part, request.recorded / "turn");
}

/// In the child: variables and outputs, then the command. Only what is safe after a fork of a
/// process without threads.
[[noreturn]] void become(const PassRequest& request,
                         const std::map<std::string, std::string>& variables) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);  // an interrupted rehearsal takes the script along
    for (const auto& [name, value] : variables) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    // Of another rehearsal around this one.
    unsetenv("RIDGELINE_CARD_LOADED");
    unsetenv("CUDA_VISIBLE_DEVICES");  // speaks of cards of this machine
    int to = STDERR_FILENO;
    if (request.quiet) {
        to = open((request.folder / "output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(to, STDERR_FILENO);
    }
    dup2(to, STDOUT_FILENO);
    std::vector<char*> words;
    for (const std::string& word : request.command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    execvp(words.front(), words.data());
    _exit(not_started);
}

/// The copy of the first pass that waits in its folder; 0 without one.
pid_t copy_in(const fs::path& folder) {
    pid_t copy = 0;
    std::ifstream(folder / "waiting") >> copy;
    return copy;
}

/// Waits for the process. After the limit all that runs on the card, but a copy that waits for its
/// turn, is asked to end, then made to. The limit is for a script that hangs or takes long: while
/// others have the processor it does neither.
int wait_for(pid_t process, const PassRequest& request, bool& out_of_time) {
    const auto waited = [&] { return waited_for_processor(getpid(), copy_in(request.folder)); };
    const auto begin = Clock::now();
    const double waited_before = request.limit_s > 0 ? waited() : 0;
    auto end = begin + std::chrono::duration<double>(request.limit_s);
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (request.limit_s > 0 && Clock::now() > end && !out_of_time) {
            const double others = std::max(waited() - waited_before, 0.0);
            end = begin + std::chrono::duration<double>(request.limit_s + others);
        }
        if (request.limit_s > 0 && Clock::now() > end) {
            const int signal = out_of_time ? SIGKILL : SIGTERM;
            kill(process, signal);  // it may have started nothing yet that knows the card
            signal_processes_of(getpid(), copy_in(request.folder), signal);
            out_of_time = true;
            end = Clock::now() + time_to_end;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    end_processes_of(getpid(), copy_in(request.folder));  // what the script left behind
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Seconds of the processor of all processes that were waited for so far.
double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Bytes on disk of a file or of all in a folder; holes are none.
double bytes_on_disk(const fs::path& path) {
    struct stat about {};
    if (lstat(path.c_str(), &about) != 0) {
        return 0;
    }
    double sum = static_cast<double>(about.st_blocks) * block_bytes;
    std::error_code ignored;
    if (S_ISDIR(about.st_mode)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
            sum += bytes_on_disk(entry.path());
        }
    }
    return sum;
}

/// Moves a file, or all in a folder, to where there may be some of it already; what cannot be moved
/// is removed.
void move_into(const fs::path& from, const fs::path& to) {
    std::error_code failed;
    if (fs::is_directory(fs::symlink_status(from, failed))) {
        fs::create_directories(to, failed);
        std::vector<fs::path> parts;
        for (const fs::directory_entry& entry : fs::directory_iterator(from, failed)) {
            parts.push_back(entry.path());
        }
        for (const fs::path& part : parts) {
            move_into(part, to / part.filename());
        }
    } else {
        fs::create_directories(to.parent_path(), failed);
        fs::rename(from, to, failed);
    }
    fs::remove(from, failed);
}

bool lies_in(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
}

/// Folders that links were made in: to files with holes, which stand for weights. What is made of
/// those beside them has no contents either.
std::vector<fs::path> folders_of_links(const RehearsedPass& pass) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const fs::path path : pass.made) {
        if (fs::is_symlink(fs::symlink_status(path, ignored))) {
            folders.push_back(path.parent_path());
        }
    }
    return folders;
}

/// What the script made goes to the scratch folder, where its checkpoints are, so that the next
/// pass finds what this one found. What is large is a download rather than a result, and stays.
void put_away(const RehearsedPass& pass, const fs::path& scratch) {
    const std::vector<fs::path> of_links = folders_of_links(pass);
    for (const fs::path path : pass.made) {
        const bool of_holes = std::ranges::any_of(of_links, [&](const fs::path& folder) {
            return lies_in(path, folder) || lies_in(folder, path);
        });
        if (path.is_absolute() && (of_holes || bytes_on_disk(path) < largest_put_away)) {
            move_into(path, scratch / path.relative_path());
        }
    }
}

}  // namespace

Copied::Copied(const RehearsedPass& pass, fs::path scratch) : scratch_(std::move(scratch)) {
    made_.made = pass.made_before;
    // Ours to wait for, and still there.
    if (pass.copy > 0 && waitpid(pass.copy, nullptr, WNOHANG) == 0) {
        process_ = pass.copy;
    }
}

int Copied::take() { return std::exchange(process_, 0); }

void Copied::end() {
    if (const int process = take(); process != 0) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
    put_away(made_, scratch_);
    made_.made.clear();
}

void put_away_interrupted(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> passes;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        if (entry.path().filename() == "problems.jsonl") {
            passes.push_back(entry.path().parent_path());
        }
    }
    for (const fs::path& place : passes) {
        if (auto pass = load_rehearsed_pass(place)) {
            put_away(*pass, folder / "interrupted");
            pass->made.swap(pass->made_before);
            put_away(*pass, folder / "interrupted");
        }
    }
}

Result<RehearsalPlaces> rehearsal_places() {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    const fs::path prefix = program.parent_path();
    RehearsalPlaces places;
    for (const fs::path& folder :
         {program / "rehearsal", prefix / RIDGELINE_LIBDIR / "ridgeline/rehearsal",
          prefix / "lib/ridgeline/rehearsal"}) {
        if (places.cards.empty() && fs::exists(folder / "libridgeline-card-13.so", ignored)) {
            places.cards = folder;
        }
    }
    for (const fs::path& folder : {prefix / "share/ridgeline/rehearsal/python/entry",
                                   program / "share/ridgeline/rehearsal/python/entry"}) {
        if (places.entry.empty() && fs::exists(folder / "sitecustomize.py", ignored)) {
            places.entry = folder;
        }
    }
    if (places.cards.empty() || places.entry.empty()) {
        return tl::unexpected(Error{ErrorKind::device_absent, "rehearse",
                                    "the stand-in card was not built with this program",
                                    "Build the target ridgeline-rehearsal."});
    }
    return places;
}

Result<RehearsedPass> run_pass(const PassRequest& request, const RehearsalPlaces& places) {
    std::error_code failed;
    for (const fs::path& folder : {request.folder, request.shared / "libraries", request.scratch}) {
        fs::create_directories(folder, failed);
        if (failed) {
            return tl::unexpected(
                Error{ErrorKind::internal, folder.string(), failed.message(), ""});
        }
    }
    write_settings(request, places);
    const auto variables = variables_of(request, places);
    const auto begin = Clock::now();
    const double processor_before = processor_seconds();
    // A copy of the first pass outlives it, and is ours from then on.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (request.copy != 0) {
        give_turn(request, variables);
    }
    const pid_t process = request.copy != 0 ? request.copy : fork();
    if (process < 0) {
        return tl::unexpected(Error{ErrorKind::internal, "rehearse", std::strerror(errno), ""});
    }
    if (process == 0) {
        become(request, variables);
    }
    bool out_of_time = false;
    const int exit_code = wait_for(process, request, out_of_time);
    remove_exchanges_of(getpid());
    auto pass = load_rehearsed_pass(request.folder);
    if (pass) {
        pass->exit_code = exit_code;
        pass->out_of_time = out_of_time;
        pass->processor_seconds = processor_seconds() - processor_before;
        put_away(*pass, request.scratch);
        pass->seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return pass;
}

}  // namespace ridgeline::cli
