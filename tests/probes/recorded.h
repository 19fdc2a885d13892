#pragma once

#include "probes/record.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace probes::test {

struct RecordedPoint {
    std::string kind, name, flags;
    RidgelinePoint point{};
};

/// A program that keeps what a probe sends it.
struct Recorded {
    std::vector<RecordedPoint> points;
    std::map<std::string, std::string> facts;
    std::vector<std::string> warnings;
    std::vector<double> shares;  ///< of progress
    std::vector<double> left_s;
    /// Asked before each point; the number of points so far.
    std::function<bool(std::size_t points)> stop = [](std::size_t) { return false; };

    RidgelineProbeHost host() {
        RidgelineProbeHost host{};
        host.interface_version = RIDGELINE_PROBE_INTERFACE;
        host.context = this;
        host.point = [](void* context, const RidgelinePoint* point) {
            of(context).points.push_back({point->kind, point->name, point->flags, *point});
        };
        host.fact = [](void* context, const RidgelineFact* fact) {
            of(context).facts[fact->key] = fact->value;
        };
        host.warning = [](void* context, const char* text) {
            of(context).warnings.emplace_back(text);
        };
        host.progress = [](void* context, const char*, double done, double left) {
            of(context).shares.push_back(done);
            of(context).left_s.push_back(left);
        };
        host.cancelled = [](void* context) {
            return of(context).stop(of(context).points.size()) ? 1 : 0;
        };
        return host;
    }

    [[nodiscard]] std::vector<RecordedPoint> of_kind(const std::string& kind,
                                                     const std::string& name = "") const {
        std::vector<RecordedPoint> found;
        for (const RecordedPoint& point : points) {
            if (point.kind == kind && (name.empty() || point.name == name)) {
                found.push_back(point);
            }
        }
        return found;
    }

private:
    static Recorded& of(void* context) { return *static_cast<Recorded*>(context); }
};

}  // namespace probes::test
