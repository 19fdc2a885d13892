#pragma once

#include <algorithm>
#include <barrier>
#include <chrono>
#include <sched.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace probes {

/// Keeps the calling thread on the `place`-th of the cores that this process may use: two threads
/// of a measurement on one core would halve it.
inline void stay_on_core(std::size_t place) {
    cpu_set_t allowed;
    if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) != 0) {
        return;
    }
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed) && place-- == 0) {
            cpu_set_t own;
            CPU_ZERO(&own);
            CPU_SET(core, &own);
            sched_setaffinity(0, sizeof(own), &own);
            return;
        }
    }
}

/// Seconds from the first start to the last end of `work(thread)` on so many threads. Each thread
/// reads the clock itself: one that waits for a core would miss the start of the others.
template <typename Work>
double timed_threads(int threads, const Work& work) {
    using Clock = std::chrono::steady_clock;
    struct Times {
        Clock::time_point begin, end;
    };
    std::vector<Times> times(static_cast<std::size_t>(threads));
    std::barrier start(threads);
    std::vector<std::thread> pool;
    for (std::size_t t = 0; t < times.size(); ++t) {
        pool.emplace_back([&, t] {
            stay_on_core(t);
            start.arrive_and_wait();
            times[t].begin = Clock::now();
            work(t);
            times[t].end = Clock::now();
        });
    }
    for (std::thread& thread : pool) {
        thread.join();
    }
    Clock::time_point begin = times.front().begin;
    Clock::time_point end = times.front().end;
    for (const Times& each : times) {
        begin = std::min(begin, each.begin);
        end = std::max(end, each.end);
    }
    return std::chrono::duration<double>(end - begin).count();
}

}  // namespace probes
