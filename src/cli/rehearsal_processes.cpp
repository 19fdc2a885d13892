#include "cli/rehearsal_processes.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace ridgeline::cli {
namespace {

namespace folders = std::filesystem;

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::seconds patience{5};

/// Whether a process was started with the variable by which the card knows its run. One that has
/// ended and was not waited for yet has no variables.
bool runs_on_the_card_of(const std::string& process, const std::string& mark) {
    std::ifstream file("/proc/" + process + "/environ", std::ios::binary);
    const std::string variables{std::istreambuf_iterator<char>(file), {}};
    return ('\0' + variables).find(mark) != std::string::npos;
}

std::vector<pid_t> processes_of(pid_t run, pid_t spared) {
    const std::string mark = '\0' + fmt::format("RIDGELINE_CARD_RUN={}", run) + '\0';
    std::vector<pid_t> out;
    std::error_code ignored;
    for (const auto& entry : folders::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (!is_digit(name.front())) {
            continue;
        }
        const auto process = static_cast<pid_t>(std::atol(name.c_str()));
        if (process != spared && process != getpid() && runs_on_the_card_of(name, mark)) {
            out.push_back(process);
        }
    }
    return out;
}

/// The process beside a run: waits for its end, then clears what it left.
[[noreturn]] void attend(int life, pid_t run, const folders::path& folder,
                         void (*clear_up)(const folders::path& folder)) {
    setsid();  // signals to the run's group and its terminal are not for this one
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
        std::signal(signal, SIG_IGN);
    }
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(nothing, stream);  // who reads what the run prints shall see its end
    }
    char byte = 0;
    ssize_t ended = 0;
    while ((ended = read(life, &byte, 1)) < 0 && errno == EINTR) {
    }
    end_processes_of(run, 0);
    remove_exchanges_of(run);
    if (ended == 0) {  // without a word of its own
        clear_up(folder);
    }
    std::error_code ignored;
    folders::remove_all(folder, ignored);
    _exit(0);
}

}  // namespace

int signal_processes_of(pid_t run, pid_t spared, int signal) {
    const auto found = processes_of(run, spared);
    for (const pid_t process : found) {
        kill(process, signal);
    }
    return static_cast<int>(found.size());
}

void end_processes_of(pid_t run, pid_t spared) {
    const auto end = std::chrono::steady_clock::now() + patience;
    int left = signal_processes_of(run, spared, SIGTERM);
    while (left > 0 && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(between_looks);
        left = static_cast<int>(processes_of(run, spared).size());
    }
    while (left > 0) {  // what it starts in the meantime too
        left = signal_processes_of(run, spared, SIGKILL);
        std::this_thread::sleep_for(between_looks);
    }
}

double waited_for_processor(pid_t run, pid_t spared) {
    double most = 0;
    for (const pid_t process : processes_of(run, spared)) {
        double ran = 0;
        double waited = 0;  // nanoseconds
        std::ifstream(fmt::format("/proc/{}/schedstat", process)) >> ran >> waited;
        most = std::max(most, waited * 1e-9);
    }
    return most;
}

void remove_exchanges_of(pid_t run) {
    const std::string mark = fmt::format("ridgeline-{}-", run);
    std::error_code ignored;
    for (const auto& entry : folders::directory_iterator("/dev/shm", ignored)) {
        if (entry.path().filename().string().compare(0, mark.size(), mark) == 0) {
            folders::remove(entry.path(), ignored);
        }
    }
}

RunFolder::RunFolder(void (*clear_up)(const folders::path& folder))
    : path_(folders::temp_directory_path() / fmt::format("ridgeline-rehearsal-{}", getpid())) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    const pid_t run = getpid();
    attendant_ = fork();
    if (attendant_ == 0) {
        close(ends[1]);
        attend(ends[0], run, path_, clear_up);
    }
    close(ends[0]);
    life_ = ends[1];
}

RunFolder::~RunFolder() {
    while (write(life_, "", 1) < 0 && errno == EINTR) {
    }
    close(life_);
    if (attendant_ > 0) {
        waitpid(attendant_, nullptr, 0);
    } else {
        end_processes_of(getpid(), 0);
        std::error_code ignored;
        folders::remove_all(path_, ignored);
    }
}

}  // namespace ridgeline::cli
