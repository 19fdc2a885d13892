#pragma once

#include <cstdint>

namespace ridgeline {

/// What became of the plans of a space. The five parts sum to `plans`.
struct Searched {
    std::uint64_t plans = 0;         ///< legal
    std::uint64_t evaluated = 0;     ///< memory and time both
    std::uint64_t too_large = 0;     ///< exact memory above capacity: time not asked
    std::uint64_t memory_bound = 0;  ///< left out, since what every variant holds is above capacity
    std::uint64_t time_bound = 0;  ///< left out, since no variant can be as good as the best found
    std::uint64_t dominated =
        0;                 ///< left out, since a found plan is at least as good in everything
    bool stopped = false;  ///< not all plans were looked at
    Searched& operator+=(const Searched& other) {
        plans += other.plans;
        evaluated += other.evaluated;
        too_large += other.too_large;
        memory_bound += other.memory_bound;
        time_bound += other.time_bound;
        dominated += other.dominated;
        stopped = stopped || other.stopped;
        return *this;
    }
    friend bool operator==(const Searched&, const Searched&) = default;
};

}  // namespace ridgeline
