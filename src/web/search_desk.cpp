#include "web/search_desk.h"

#include <utility>

namespace ridgeline::web {

SearchDesk::SearchDesk(std::size_t most_waiting)
    : most_waiting_(most_waiting), worker_([this] { work(); }) {}

SearchDesk::~SearchDesk() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        queue_.clear();
    }
    changed_.notify_one();
    worker_.join();
}

bool SearchDesk::take(std::function<void()> job, Departure left) {
    {
        const std::lock_guard lock(mutex_);
        if (queue_.size() >= most_waiting_) {
            return false;
        }
        queue_.push_back({std::move(job), std::move(left)});
    }
    changed_.notify_one();
    return true;
}

std::size_t SearchDesk::waiting() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
}

void SearchDesk::work() {
    while (true) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
            if (closed_) {
                return;
            }
            job = std::move(queue_.front());
            queue_.pop_front();
        }
        if (!*job.left) {
            job.run();
        }
    }
}

}  // namespace ridgeline::web
