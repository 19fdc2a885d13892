#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace ridgeline::web {

/// What a running server counts, as Prometheus reads it. Threads may share it.
class Metrics {
public:
    static constexpr std::array statuses = {200, 304, 400, 401, 403, 404, 405,
                                            413, 415, 422, 429, 431, 500, 503};
    static constexpr std::array edges = {0.0001, 0.001, 0.01, 0.1, 1.0, 10.0};  ///< seconds

    void answered(int status, double seconds);
    void looked_up(bool found) { ++(found ? cache_hits_ : cache_misses_); }

    std::atomic<std::int64_t> connections{0};   ///< open now
    std::atomic<std::uint64_t> accepted{0};     ///< since the start
    std::atomic<std::uint64_t> out_of_time{0};  ///< closed since they were too slow

    /// The text of /metrics.
    [[nodiscard]] std::string text(std::size_t waiting, std::size_t cache_bytes) const;

private:
    std::array<std::atomic<std::uint64_t>, statuses.size() + 1> by_status_{};  ///< last: others
    std::array<std::atomic<std::uint64_t>, edges.size() + 1> by_seconds_{};
    std::atomic<std::uint64_t> microseconds_{0};
    std::atomic<std::uint64_t> cache_hits_{0};
    std::atomic<std::uint64_t> cache_misses_{0};
};

}  // namespace ridgeline::web
