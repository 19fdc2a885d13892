#include "cli/search_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>

namespace ridgeline::cli {
namespace {

constexpr int most_threads = 64;

sigset_t interrupt() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

}  // namespace

// Ctrl-C is taken from the queue by the watcher instead of by a handler: a handler could only set a
// flag. Threads that start later inherit the blocked signal.
SearchWatch::SearchWatch(bool quiet) : quiet_(quiet) {
    const sigset_t set = interrupt();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    watcher_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

SearchWatch::~SearchWatch() {
    watcher_.request_stop();
    watcher_.join();
    if (told_ >= 0) {
        std::fputs("\r\033[K", stderr);
    }
    const sigset_t set = interrupt();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void SearchWatch::attach(SearchControl& control) {
    control.stopped = [this] { return stopped_.load(); };
    control.progress = [this](double done) { done_ = done; };
    control.threads =
        std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

void SearchWatch::watch(const std::stop_token& ended) {
    const auto start = std::chrono::steady_clock::now();
    const sigset_t set = interrupt();
    while (!ended.stop_requested()) {
        const timespec wait{.tv_sec = 0, .tv_nsec = 20'000'000};
        if (sigtimedwait(&set, nullptr, &wait) == SIGINT) {
            stopped_ = true;
        }
        const int percent = static_cast<int>(100 * done_.load());
        const bool late = std::chrono::steady_clock::now() - start > std::chrono::seconds(1);
        if (!quiet_ && late && percent != told_) {
            told_ = percent;
            const std::string line =
                fmt::format("\rsearching plans: {} % (Ctrl-C: the best so far)", percent);
            std::fputs(line.c_str(), stderr);
        }
    }
}

}  // namespace ridgeline::cli
