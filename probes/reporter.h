#pragma once

#include "probes/record.h"
#include "probes/sampling.h"

#include <algorithm>
#include <string>

namespace probes {

/// Sends points to the host and keeps count of the work that is left.
class Reporter {
public:
    Reporter(const RidgelineProbeHost& host, int steps, double budget_s)
        : host_(host), steps_(std::max(1, steps)), budget_s_(budget_s) {}

    bool cancelled() const { return host_.cancelled(host_.context) != 0; }
    void fact(const char* key, const std::string& value) const {
        const RidgelineFact fact{key, value.c_str()};
        host_.fact(host_.context, &fact);
    }
    void warn(const std::string& text) const { host_.warning(host_.context, text.c_str()); }
    void point(RidgelinePoint point, const Summary& time, const std::string& flags) const {
        point.median_us = 1e6 * time.median;
        point.p10_us = 1e6 * time.p10;
        point.p90_us = 1e6 * time.p90;
        point.least_us = 1e6 * time.least;
        point.samples = time.samples;
        point.flags = flags.c_str();
        host_.point(host_.context, &point);
    }
    /// A step is done; `elapsed_s` since the start.
    void step(const std::string& what, double elapsed_s) {
        ++done_;
        const double share = std::min(1.0, static_cast<double>(done_) / steps_);
        const double left =
            std::max(0.0, std::min(budget_s_ - elapsed_s, elapsed_s * (1 - share) / share));
        host_.progress(host_.context, what.c_str(), share, left);
    }

private:
    const RidgelineProbeHost& host_;
    int steps_;
    double budget_s_;
    int done_ = 0;
};

}  // namespace probes
