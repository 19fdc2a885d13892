#include "spec/measurement.h"

#include "base/lists.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>

namespace ridgeline {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(PointKind::count_)> kinds = {
    "gemm",   "stream",    "vector",     "host_link", "peer_link",
    "launch", "sustained", "collective", "storage",   "overlap"};

constexpr std::array<std::string_view, static_cast<std::size_t>(Collective::count_)> operations = {
    "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "point_to_point"};

/// The value whose name stands at that place of a table.
template <typename E, std::size_t N>
std::optional<E> value_named(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<E>(found - names.begin()));
}

}  // namespace

std::string_view name_of(PointKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

std::optional<PointKind> point_kind_named(std::string_view name) {
    return value_named<PointKind>(kinds, name);
}

std::string_view name_of(Collective operation) {
    return operations[static_cast<std::size_t>(operation)];
}

std::optional<Collective> collective_named(std::string_view name) {
    return value_named<Collective>(operations, name);
}

bool MeasuredPoint::flagged(std::string_view flag) const { return is_among(flag, flags); }

std::string label_of(const MeasuredPoint& point) {
    std::string label = fmt::format("{} {}", name_of(point.kind), point.name);
    if (point.m > 0) {
        label += fmt::format(" {:.0f}x{:.0f}x{:.0f}", point.m, point.n, point.k);
    }
    if (point.bytes > 0) {
        label += fmt::format(" {:.0f} B", point.bytes);
    }
    if (point.threads > 0) {
        label += " " + counted_noun(point.threads, "thread");
    }
    if (point.ranks > 1) {
        label += fmt::format(" x{}", point.ranks);
        label += point.nodes > 1 ? fmt::format(" on {} nodes", point.nodes) : "";
    }
    return label;
}

Seconds counted_time(const MeasuredPoint& point) {
    return point.flagged("best of") && point.time.least.base() > 0 ? point.time.least
                                                                   : point.time.median;
}

Flops work_of(const MeasuredPoint& point) {
    return (point.m > 0 ? 2 * point.m * point.n * point.k : point.work) * flop;
}

}  // namespace ridgeline
