#pragma once

#include <filesystem>
#include <sys/types.h>

namespace ridgeline::cli {

/// Ends every process that runs on the stand-in card of the command `run`, whoever its parent is by
/// now: launchers put ranks into sessions of their own. They are asked to end, and made to after
/// five seconds. `spared` is left alone (0: none).
void end_processes_of(pid_t run, pid_t spared);

/// Asks (SIGTERM) or makes (SIGKILL) those processes end, and does not wait.
/// Returns how many there were.
int signal_processes_of(pid_t run, pid_t spared, int signal);

/// Seconds for which the main thread of one of those processes was ready while others had the
/// processor: the most of any, 0 where the kernel does not count them.
double waited_for_processor(pid_t run, pid_t spared);

/// Removes the shared memory by which ranks exchanged small messages (rehearsal/card/exchange.c).
void remove_exchanges_of(pid_t run);

/// A folder of this run. A process that waits beside it removes the folder, and ends what runs on
/// the card, when the run is over, however that ends: by itself, by a signal, or killed. Where it
/// was interrupted, `clear_up` has the folder before that.
class RunFolder {
public:
    explicit RunFolder(void (*clear_up)(const std::filesystem::path& folder));
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    ~RunFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    pid_t attendant_ = 0;  ///< 0: it could not be started
    int life_ = -1;        ///< end of a pipe that closes with this process
};

}  // namespace ridgeline::cli
