#pragma once

#include "probes/cuda/device.h"
#include "probes/reporter.h"

#include <functional>

namespace probes {

/// What the link measurements need of the run.
struct LinkRun {
    const Reporter& reporter;
    const EventTimer& timer;
    int device;
    double budget_s;
    bool quick;
};

/// Host to device, device to host and both at once, pinned and pageable, over sizes.
void measure_host_links(const LinkRun& run);
/// To every other device that this one reaches directly: one way and both ways.
void measure_peer_links(const LinkRun& run);
/// Cost of a launch on the host, gap between kernels of a graph, launch with synchronisation.
void measure_launches(const LinkRun& run);

}  // namespace probes
