#pragma once

#include "ask/world.h"
#include "web/api.h"
#include "web/metrics.h"
#include "web/reply_cache.h"
#include "web/search_desk.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::web {

/// What of a request decides its answer. Empty texts: the header was absent.
struct HttpQuestion {
    std::string method;
    std::string target;
    std::string host;
    std::string origin;
    std::string authorization;
    std::string if_none_match;
    std::string content_type;
    std::string body;
};

struct DoorSettings {
    std::vector<std::string> hosts;  ///< names without a port that requests may be addressed to
    std::string token;               ///< asked of every request for the API; empty: none
    std::string page;                ///< the HTML file of "/"; empty: there is none
    std::string page_policy;         ///< its Content-Security-Policy
    std::string data_hash;           ///< of catalog, profiles and what was added to them
};

/// Answers requests: policy, the API, the page. Knows nothing of sockets; threads may share it.
class Door {
public:
    Door(const ask::World& world, DoorSettings settings);

    /// The answer, or null when `later` gets it from another thread.
    SharedAnswer answer(const HttpQuestion& question, const Departure& left,
                        std::function<void(SharedAnswer)> later);
    /// The answer to what could not be read.
    [[nodiscard]] static SharedAnswer refusal(int status, std::string message);

    Metrics metrics;

private:
    struct Job;
    SharedAnswer refused(const HttpQuestion& question, std::string_view path) const;
    SharedAnswer page_or_status(const HttpQuestion& question, std::string_view path);
    SharedAnswer api(const HttpQuestion& question, const Target& target, const Departure& left,
                     std::function<void(SharedAnswer)> later);
    SharedAnswer run(Job job, const HttpQuestion& question, const Departure& left,
                     std::function<void(SharedAnswer)> later);
    [[nodiscard]] bool addressed_here(std::string_view host) const;

    const ask::World& world_;
    DoorSettings settings_;
    ReplyCache cache_;
    SearchDesk desk_;
    SharedAnswer page_;
    SharedAnswer openapi_;
};

}  // namespace ridgeline::web
