#pragma once

#include <string>

namespace probes {

struct DiskRead {
    bool direct = false;  ///< past the page cache; else the figure is of no use
    double bytes = 0;
    double seconds = 0;
    std::string problem;  ///< not empty: nothing was measured
};

/// Writes a file of `bytes` into `folder`, lets it out of the cache, reads it in blocks of 1 MiB by
/// `readers` threads and deletes it.
DiskRead read_disk(const std::string& folder, double bytes, int readers);

}  // namespace probes
