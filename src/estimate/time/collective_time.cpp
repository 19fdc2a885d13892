// Time of one collective over the links of a cluster.
#include "estimate/time/collective.h"
#include "estimate/time/latency_growth.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

double bus_factor(Collective operation, int ranks) {
    if (ranks <= 1) {
        return 0;
    }
    const double n = ranks;
    switch (operation) {
        case Collective::all_reduce:
            return 2 * (n - 1) / n;
        case Collective::point_to_point:
            return 1;
        default:
            return (n - 1) / n;
    }
}

namespace {

/// t = alpha + transfer + gamma sqrt(S), seconds.
struct CollectiveParts {
    double alpha = 0;
    double transfer = 0;
    double gamma = 0;
};

/// What a collective adds when its ranks span domains.
void add_network(const LinkCurve& curve, Collective operation, double bytes, int ranks,
                 int per_domain, CollectiveParts& parts) {
    const double domains = std::ceil(static_cast<double>(ranks) / per_domain);
    parts.alpha += curve.alpha * latency_growth(operation, domains);
    parts.gamma = std::max(parts.gamma, curve.gamma);
    // Every accelerator of a domain carries its share over its own port.
    double leaving = bus_factor(operation, ranks) * bytes / per_domain;
    if (operation == Collective::all_reduce && domains == 2) {
        // Two trees, each rooted in the other's leaf: a domain sends half of the bytes up one and
        // half down the other (NCCL's double binary tree), where a ring sends nearly all of them
        // twice.
        leaving = bytes / per_domain;
    } else if (operation == Collective::all_to_all) {
        leaving = bytes * (ranks - per_domain) / ranks;
    } else if (operation == Collective::point_to_point) {
        leaving = bytes;
        parts.transfer = 0;
        parts.gamma = curve.gamma;
    }
    // Both stages work on different chunks at once: the slower one sets the pace.
    parts.transfer = std::max(parts.transfer, leaving * curve.seconds_per_byte);
}

}  // namespace

CollectiveTime collective_time(const LinkModel& links, Collective operation, Bytes size, int ranks,
                               int ranks_per_node) {
    if (ranks <= 1 || size.base() <= 0) {
        return {.time = {}, .tier = Tier::measured, .source = {}};
    }
    const auto slot = static_cast<std::size_t>(operation);
    const std::vector<LinkCurve>& curves = links.inside[slot];
    const int per_node = std::max(1, std::min(ranks_per_node, ranks));
    const int per_domain = std::min(ranks, per_node * (links.domain / links.per_node));
    const double bytes = size.base();

    CollectiveTime result{.time = {}, .tier = Tier::measured, .source = {}};
    CollectiveParts parts;
    if (per_domain > 1 && curves.size() > 2) {
        const LinkCurve& curve =
            curves[std::min(static_cast<std::size_t>(per_domain), curves.size() - 1)];
        parts = {curve.alpha, bus_factor(operation, ranks) * bytes * curve.seconds_per_byte,
                 curve.gamma};
        result.tier = curve.tier;
        result.source = curve.source;
    }
    if (ranks > per_domain) {
        const LinkCurve& curve = links.between[slot];
        add_network(curve, operation, bytes, ranks, per_domain, parts);
        result.tier = std::max(result.tier, curve.tier);
        result.source = curve.source;
    }
    const double latency = parts.alpha + parts.gamma * std::sqrt(bytes);
    const double whole = latency + parts.transfer;
    result.time = Seconds::of_base(whole);
    if (ranks > per_domain && whole > 0) {
        const double spread = links.between[slot].spread;
        result.least = (latency / spread + parts.transfer) / whole;
        result.most = (latency * spread + parts.transfer) / whole;
    }
    return result;
}

}  // namespace ridgeline
