#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace ridgeline::web {

/// Says that whoever asked has left.
using Departure = std::shared_ptr<std::atomic<bool>>;

/// One worker for what takes long, with a bounded queue, so that cheap answers never wait for it.
class SearchDesk {
public:
    explicit SearchDesk(std::size_t most_waiting);
    ~SearchDesk();
    SearchDesk(const SearchDesk&) = delete;
    SearchDesk& operator=(const SearchDesk&) = delete;

    /// Takes a job, which is skipped when its asker has left by its turn. False: the queue is full.
    bool take(std::function<void()> job, Departure left);
    [[nodiscard]] std::size_t waiting() const;

private:
    struct Job {
        std::function<void()> run;
        Departure left;
    };
    void work();

    std::size_t most_waiting_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> queue_;
    bool closed_ = false;
    std::thread worker_;
};

}  // namespace ridgeline::web
