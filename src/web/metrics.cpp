#include "web/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ridgeline::web {
namespace {

std::string head(std::string_view name, std::string_view type, std::string_view help) {
    return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

template <typename Value>
std::string one(std::string_view name, std::string_view type, std::string_view help, Value value) {
    return head(name, type, help) + fmt::format("{} {}\n", name, value);
}

}  // namespace

void Metrics::answered(int status, double seconds) {
    const auto place = std::find(statuses.begin(), statuses.end(), status) - statuses.begin();
    ++by_status_[static_cast<std::size_t>(place)];
    const auto bucket = std::lower_bound(edges.begin(), edges.end(), seconds) - edges.begin();
    ++by_seconds_[static_cast<std::size_t>(bucket)];
    microseconds_ += static_cast<std::uint64_t>(seconds * 1e6);
}

std::string Metrics::text(std::size_t waiting, std::size_t cache_bytes) const {
    std::string text = head("ridgeline_requests_total", "counter", "Requests by status.");
    for (std::size_t i = 0; i < statuses.size(); ++i) {
        text += fmt::format("ridgeline_requests_total{{status=\"{}\"}} {}\n", statuses[i],
                            by_status_[i].load());
    }
    text += head("ridgeline_request_seconds", "histogram", "Time from request to answer.");
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        below += by_seconds_[i];
        text += fmt::format("ridgeline_request_seconds_bucket{{le=\"{}\"}} {}\n", edges[i], below);
    }
    below += by_seconds_.back();
    text += fmt::format("ridgeline_request_seconds_bucket{{le=\"+Inf\"}} {}\n", below);
    text += fmt::format("ridgeline_request_seconds_sum {}\nridgeline_request_seconds_count {}\n",
                        static_cast<double>(microseconds_) * 1e-6, below);
    text += one("ridgeline_connections", "gauge", "Open connections.", connections.load());
    text += one("ridgeline_connections_total", "counter", "Connections accepted.", accepted.load());
    text += one("ridgeline_timeouts_total", "counter", "Connections too slow.", out_of_time.load());
    text += one("ridgeline_cache_hits_total", "counter", "Answers kept.", cache_hits_.load());
    text += one("ridgeline_cache_misses_total", "counter", "Answers made.", cache_misses_.load());
    text += one("ridgeline_cache_bytes", "gauge", "Size of kept answers.", cache_bytes);
    text += one("ridgeline_searches_waiting", "gauge", "Searches in the queue.", waiting);
    return text;
}

}  // namespace ridgeline::web
