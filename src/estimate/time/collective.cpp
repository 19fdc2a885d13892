#include "estimate/time/collective.h"

#include "base/order.h"
#include "base/text.h"
#include "estimate/time/engine_reduce.h"
#include "estimate/time/latency_growth.h"
#include "estimate/time/peer_access.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ridgeline {
namespace {

constexpr int most_ranks_in_table = 127;  // of curves made in advance
constexpr int same_link = 4;              // of nearness()

enum class LinkKind { nvlink, pcie, host, xgmi, infiniband, roce, ethernet, efa, other };

/// What rows of the calibration call PCIe between parts without peer access.
constexpr std::string_view host_path = "pcie-host";

/// text  lower case
LinkKind kind_of(std::string_view text) {
    const auto has = [&](const char* word) { return contains(text, word); };
    if (has("nvlink") || has("nvswitch")) {
        return LinkKind::nvlink;
    }
    if (has("xgmi") || has("infinity fabric")) {
        return LinkKind::xgmi;
    }
    if (has("pcie")) {
        return has(host_path.data()) ? LinkKind::host : LinkKind::pcie;
    }
    if (has("efa")) {
        return LinkKind::efa;
    }
    if (has("ib-") || has("infiniband")) {
        return LinkKind::infiniband;
    }
    if (has("roce")) {  // verbs over Ethernet: the host's stack of protocols is left out
        return LinkKind::roce;
    }
    return has("eth") ? LinkKind::ethernet : LinkKind::other;
}

LinkKind kind_of(const Link& link) { return kind_of(lower(link.id + " " + link.kind)); }

/// A link as rows of the calibration name it.
struct NamedLink {
    std::string_view id;
    LinkKind kind;
};

NamedLink named(const Link& link) { return {link.id, kind_of(link)}; }

/// Parts that may not write to each other's memory over PCIe pass everything through the host's.
NamedLink inside_link(const Cluster& cluster) {
    const NamedLink link = named(cluster.intra);
    const bool through_host = link.kind == LinkKind::pcie && !link.id.ends_with("-p2p") &&
                              !has_peer_access(*cluster.accelerator);
    return through_host ? NamedLink{host_path, LinkKind::host} : link;
}

/// What a row of the calibration says, with the bandwidth as a fraction of the link.
struct Point {
    double ranks = 0;
    double alpha = 0;
    double fraction = 0;   ///< of the capacity of the link at that number of ranks
    double gamma = 0;      ///< seconds / sqrt(byte)
    double link_rate = 0;  ///< that gamma was measured on
    Tier tier = Tier::assumed;
    std::string_view source;
};

double gamma_of(const CollectiveCalibration& row) {
    return row.gamma_us_per_sqrt_mib * 1e-6 / std::sqrt(mebibyte.base());
}

/// 6 own part on this kind of link or, where a measurement names none, on whatever links it has;
/// 5 any part on this link, 4 another part on it, 3 any part on this kind of link,
/// 2 another part on that kind, 1 any; 0 not usable.
int nearness(const CollectiveCalibration& row, const Cluster& cluster, const NamedLink& link) {
    const bool any_part = row.accelerator.empty();
    const bool own = !any_part && row.accelerator == cluster.accelerator->id;
    if (own && (row.link.empty() || kind_of(row.link) == link.kind)) {
        return 6;
    }
    if (row.link == link.id) {
        return any_part ? 5 : 4;
    }
    // A row without a rate cannot be carried over to a link of another rate.
    if (row.link_rate.base() <= 0) {
        return 0;
    }
    if (kind_of(row.link) == link.kind) {
        return any_part ? 3 : 2;
    }
    return any_part && row.link.empty() ? 1 : 0;
}

/// One-way rate of one accelerator towards `ranks` - 1 peers. A link whose rate nobody published
/// counts as the part's slot: it is at least that fast.
double capacity(const Cluster& cluster, int ranks) {
    constexpr double pcie3_x16 = 15.75e9;  // 8 GT/s x 16 lanes x 128/130
    double rate = cluster.intra.rate.base();
    if (rate <= 0) {
        const auto& slot = cluster.accelerator->pcie_rate;
        rate = slot && slot->base() > 0 ? slot->base() : pcie3_x16;
    }
    const auto& pair = cluster.accelerator->scale_up.pair_rate;
    const LinkKind kind = pair ? kind_of(cluster.intra) : LinkKind::other;
    if (kind == LinkKind::xgmi || kind == LinkKind::roce || kind == LinkKind::ethernet) {
        return std::min(rate, pair->base() * std::max(1, ranks - 1));
    }
    return rate;
}

/// Rows of a measurement of one's own name no link.
bool of_measurement(const CollectiveCalibration& row) { return row.link.empty(); }

std::vector<const CollectiveCalibration*> nearest_rows(const Calibration& calibration,
                                                       const Cluster& cluster, Collective operation,
                                                       const NamedLink& link, bool between_nodes,
                                                       bool measured = true) {
    std::vector<const CollectiveCalibration*> rows;
    int best = 1;
    for (const CollectiveCalibration& row : calibration.collectives) {
        if (row.operation != operation || (row.nodes > 1) != between_nodes ||
            (!measured && of_measurement(row))) {
            continue;
        }
        const int near = nearness(row, cluster, link);
        if (near > best) {
            rows.clear();
            best = near;
        }
        if (near == best) {
            rows.push_back(&row);
        }
    }
    return rows;
}

/// The smallest number of ranks whose rows are reduced in the switch; without any, none.
std::optional<int> switched_from(const std::vector<const CollectiveCalibration*>& rows) {
    std::optional<int> least;
    for (const CollectiveCalibration* row : rows) {
        if (row->in_switch) {
            least = std::min(row->ranks, least.value_or(row->ranks));
        }
    }
    return least;
}

std::vector<Point> points_of(const std::vector<const CollectiveCalibration*>& rows,
                             const Cluster& cluster, bool in_switch) {
    const auto least = switched_from(rows);
    std::vector<Point> points;
    for (const CollectiveCalibration* row : rows) {
        // A measurement cannot tell who reduced: as known rows of its number of ranks do.
        const bool unsaid = of_measurement(*row) && least && row->ranks >= *least;
        if ((row->in_switch || unsaid) != in_switch) {
            continue;
        }
        const bool own = row->accelerator == cluster.accelerator->id;
        const double rate =
            row->link_rate.base() > 0 ? row->link_rate.base() : capacity(cluster, row->ranks);
        const Point point{.ranks = static_cast<double>(row->ranks),
                          .alpha = row->alpha.base(),
                          .fraction = rate > 0 ? row->bus_bandwidth.base() / rate : 0,
                          .gamma = gamma_of(*row),
                          .link_rate = rate,
                          .tier = own ? row->tier : std::max(row->tier, Tier::transferred),
                          .source = row->source};
        const auto same = std::ranges::find(points, point.ranks, &Point::ranks);
        if (same != points.end()) {
            *same = point;  // the later row wins
        } else {
            points.push_back(point);
        }
    }
    stable_order(points.begin(), points.end(),
                 [](const Point& a, const Point& b) { return a.ranks < b.ranks; });
    return points;
}

/// The point at `ranks`, straight in log(ranks) between its neighbours. Beyond the largest measured
/// count the latency keeps growing as it did, the bandwidth stays.
Point interpolate(const std::vector<Point>& points, double ranks) {
    const auto above =
        std::ranges::find_if(points, [&](const Point& p) { return p.ranks >= ranks; });
    if (above != points.end() && (above->ranks == ranks || above == points.begin())) {
        return *above;
    }
    if (points.size() == 1) {
        return points.front();
    }
    const bool beyond = above == points.end();
    const Point& b = beyond ? points.back() : *above;
    const Point& a = beyond ? points[points.size() - 2] : *(above - 1);
    const double x = std::log(ranks / a.ranks) / std::log(b.ranks / a.ranks);
    const double held = std::min(x, 1.0);
    const auto mix = [](double from, double to, double share) {
        return from + share * (to - from);
    };
    Point point = b;
    point.ranks = ranks;
    point.alpha = std::max(mix(a.alpha, b.alpha, x), beyond ? b.alpha : 0.0);
    point.fraction = mix(a.fraction, b.fraction, held);
    point.gamma = mix(a.gamma, b.gamma, held);
    point.link_rate = mix(a.link_rate, b.link_rate, held);
    point.tier = std::max(a.tier, b.tier);
    return point;
}

LinkCurve curve_of(const Point& point, double rate) {
    LinkCurve curve;
    curve.alpha = point.alpha;
    curve.seconds_per_byte = point.fraction > 0 && rate > 0 ? 1 / (point.fraction * rate) : 0;
    // The square-root term comes from chunks that fill the link late: a slower link stretches it.
    curve.gamma = rate > 0 ? point.gamma * std::sqrt(point.link_rate / rate) : point.gamma;
    curve.tier = point.tier;
    curve.source = point.source;
    return curve;
}

/// Without any row: the middle of the published tables of 2 and of 8 ranks over other links.
Point uncalibrated(Collective operation, double ranks, double rate) {
    const double of_eight = operation == Collective::all_reduce ? 20e-6 : 14e-6;
    const double alpha = ranks > 2 ? of_eight : 7e-6;
    const double gamma = 8e-6 / std::sqrt(mebibyte.base());
    return {ranks, alpha, 0.75, gamma, rate, Tier::assumed, "no calibration: as other links"};
}

std::vector<LinkCurve> inside_curves(const Calibration& calibration, const Cluster& cluster,
                                     const NamedLink& link, Collective operation, int domain,
                                     bool measured = true) {
    const auto rows = nearest_rows(calibration, cluster, operation, link, false, measured);
    std::vector<Point> ring = points_of(rows, cluster, false);
    std::vector<Point> in_switch = points_of(rows, cluster, true);
    if (!rows.empty() && nearness(*rows.front(), cluster, link) < same_link) {
        in_switch.clear();  // that other switches reduce says nothing about this one
    }
    if (ring.empty() && in_switch.empty()) {
        ring.push_back(uncalibrated(operation, 2, capacity(cluster, 2)));
        ring.push_back(uncalibrated(operation, 8, capacity(cluster, 8)));
    }
    const int entries = std::min(domain, most_ranks_in_table);
    std::vector<LinkCurve> curves(static_cast<std::size_t>(entries) + 1);
    for (int ranks = 2; ranks <= entries; ++ranks) {
        // Rows of in-switch reduction start at the smallest count that uses it.
        const bool switched =
            ring.empty() || (!in_switch.empty() && ranks >= in_switch.front().ranks);
        curves[static_cast<std::size_t>(ranks)] =
            curve_of(interpolate(switched ? in_switch : ring, ranks), capacity(cluster, ranks));
    }
    return curves;
}

/// The lowest and the highest of some figures, none of them 0.
struct Extremes {
    double low = 0;
    double high = 0;

    void add(double figure) {
        if (figure > 0) {
            low = low > 0 ? std::min(low, figure) : figure;
            high = std::max(high, figure);
        }
    }
    [[nodiscard]] double middle() const { return std::sqrt(low * high); }
};

/// A network that nobody measured lies between the quickest and the slowest of those that have
/// rows: halfway, and as far from either as `spread` says.
LinkCurve between_others(const Calibration& calibration, Collective operation, double rate) {
    Extremes alpha;
    Extremes gamma;
    Extremes fraction;
    for (const CollectiveCalibration& row : calibration.collectives) {
        const double rates = row.link_rate.base() * row.ranks / std::max(1, row.nodes);
        if (row.operation == operation && row.nodes > 1 && row.accelerator.empty() &&
            !row.link.empty() && rates > 0) {
            alpha.add(row.alpha.base() / latency_growth(operation, row.nodes));
            gamma.add(gamma_of(row));
            fraction.add(std::min(1.0, row.bus_bandwidth.base() / rates));
        }
    }
    if (alpha.low <= 0 || fraction.low <= 0) {
        return curve_of(uncalibrated(operation, 8, rate), rate);
    }
    LinkCurve curve = curve_of({.ranks = 2,
                                .alpha = alpha.middle(),
                                .fraction = fraction.middle(),
                                .gamma = gamma.middle(),
                                .link_rate = rate,
                                .tier = Tier::assumed,
                                .source = "no calibration: between the quickest and the slowest "
                                          "network that has one"},
                               rate);
    curve.spread = alpha.high / alpha.middle();
    return curve;
}

LinkCurve between_curve(const Calibration& calibration, const Cluster& cluster,
                        const NamedLink& link, Collective operation) {
    auto rows = nearest_rows(calibration, cluster, operation, link, true);
    // Nodes that nobody linked have at least 10 Gb/s Ethernet.
    constexpr double ethernet_10 = 1.25e9;
    const double known = cluster.inter.rate.base();
    const double rate = known > 0 ? known : ethernet_10;
    if (rows.empty()) {
        return between_others(calibration, operation, rate);
    }
    const CollectiveCalibration& row = *rows.back();
    // Rows between nodes state the rate of one accelerator's share of the network; the bus
    // bandwidth is that of all of a node together.
    const double shares = static_cast<double>(row.ranks) / row.nodes;
    const double row_rate = row.link_rate.base() > 0 ? row.link_rate.base() : rate;
    const bool own = row.accelerator == cluster.accelerator->id;
    Point point{.ranks = 2,
                .alpha = row.alpha.base() / latency_growth(operation, row.nodes),
                .fraction = row_rate > 0 ? row.bus_bandwidth.base() / (row_rate * shares) : 0,
                .gamma = gamma_of(row),
                .link_rate = row_rate,
                .tier = own ? row.tier : std::max(row.tier, Tier::transferred),
                .source = row.source};
    if (known > 0 || row.link_rate.base() > 0) {
        point.fraction = std::min(point.fraction, 1.0);
    }
    return curve_of(point, rate);
}

}  // namespace

bool has_peer_access(const Accelerator& accelerator) {
    const auto& note = accelerator.scale_up.note;
    return !note || note->find("no peer access") == std::string::npos;
}

int direct_peers(const Cluster& cluster, int domain) {
    switch (inside_link(cluster).kind) {
        case LinkKind::host:
            return 1;
        case LinkKind::pcie:
            return 2;
        default:
            return domain;
    }
}

std::vector<LinkCurve> known_reduce_curves(const Calibration& calibration, const Cluster& cluster,
                                           int domain) {
    const bool measures = std::ranges::any_of(calibration.collectives, of_measurement);
    return measures ? inside_curves(calibration, cluster, inside_link(cluster),
                                    Collective::all_reduce, domain, false)
                    : std::vector<LinkCurve>();
}

LinkModel link_model(const Cluster& cluster, const Calibration& calibration) {
    LinkModel model;
    model.per_node = std::max(1, cluster.per_node);
    model.domain = model.per_node;
    const int rack = cluster.accelerator->scale_up.max_domain;
    if (rack > 16 && kind_of(cluster.intra) == LinkKind::nvlink) {
        model.domain = std::max(model.domain, rack);
    }
    const NamedLink inside = inside_link(cluster);
    const NamedLink between = named(cluster.inter);
    for (int i = 0; i < collective_operations; ++i) {
        const auto operation = static_cast<Collective>(i);
        const auto slot = static_cast<std::size_t>(i);
        model.inside[slot] = inside_curves(calibration, cluster, inside, operation, model.domain);
        model.between[slot] = between_curve(calibration, cluster, between, operation);
    }
    return model;
}

}  // namespace ridgeline
