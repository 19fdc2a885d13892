#pragma once

#include "advise/plans/plan_search.h"

#include <atomic>
#include <stop_token>
#include <thread>

namespace ridgeline::cli {

/// Watches a search of plans while it lives: tells its progress on stderr when it takes over a
/// second, and ends it early at the first Ctrl-C, so that the best plan so far is the answer.
class SearchWatch {
public:
    explicit SearchWatch(bool quiet);
    ~SearchWatch();
    SearchWatch(const SearchWatch&) = delete;
    SearchWatch& operator=(const SearchWatch&) = delete;

    /// Sets what this object watches: its end, progress and all the cores there are.
    void attach(SearchControl& control);

private:
    void watch(const std::stop_token& ended);

    bool quiet_;
    int told_ = -1;  ///< percent, by the watcher alone
    std::atomic<double> done_{0};
    std::atomic<bool> stopped_{false};
    std::jthread watcher_;
};

}  // namespace ridgeline::cli
