#pragma once

#include "base/result.h"
#include "web/door.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ridgeline::web {

struct ServerSettings {
    std::string
        listen;  ///< "127.0.0.1", "::1", another address, "unix:/run/r.sock"; empty: both loopbacks
    std::uint16_t port = 0;  ///< 0: one that is free
    int threads = 2;
    /// Called once connections are taken; `port` is the one that was found.
    std::function<void(std::uint16_t port)> started;
};

/// Serves until SIGTERM or SIGINT: then takes no more connections, finishes what runs, at most five
/// seconds. errors  an address that is none, is in use or may not be taken
Result<void> serve(Door& door, const ServerSettings& settings);

}  // namespace ridgeline::web
