// More accelerators, or others, that would hold what does not fit.
#include "ask/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ridgeline::ask {
namespace {

constexpr int most_accelerators = 1024;
constexpr std::size_t most_parts = 6;  ///< that are tried, cheapest first

/// The workload on hardware that is named as in --on, where it fits there.
std::optional<Remedy> fits_on(const World& world, const WorkloadDocument& document,
                              const Placement& placed, const std::string& on) {
    const auto cluster = cluster_named(world.catalog, on, false);
    if (!cluster) {
        return std::nullopt;
    }
    const auto other = place_with(PlanChoice::best, knowledge_of(world), document,
                                  placed.architecture, *cluster, nullptr);
    if (!other || !other->estimate.memory.fits) {
        return std::nullopt;
    }
    return Remedy{fmt::format("{} x {}", cluster->count, cluster->accelerator->name), "--on " + on,
                  placed.estimate, other->estimate, true};
}

std::optional<Remedy> with_more(const World& world, const WorkloadDocument& document,
                                const Placement& placed) {
    const Cluster& cluster = placed.cluster;
    for (int count = 2 * cluster.count; count <= most_accelerators; count *= 2) {
        const bool nodes = cluster.nodes() > 1;
        const std::string on = nodes ? fmt::format("{}:{}x{}", cluster.accelerator->id,
                                                   cluster.per_node, count / cluster.per_node)
                                     : fmt::format("{}:{}", cluster.accelerator->id, count);
        if (auto remedy = fits_on(world, document, placed, on)) {
            return remedy;
        }
    }
    return std::nullopt;
}

/// Parts with memory for what the workload takes, rented out in that number, cheapest first.
std::vector<std::string> larger_parts(const World& world, const Placement& placed) {
    const Cluster& cluster = placed.cluster;
    const Bytes least = placed.estimate.memory.process * placed.estimate.memory.band.low;
    std::vector<std::pair<double, std::string>> parts;
    for (const Accelerator& part : world.catalog.accelerators) {
        if (part.kind == "cpu" || part.capacity() < least) {
            continue;
        }
        const std::string on = fmt::format("{}:{}", part.id, cluster.count);
        const auto other = cluster_named(world.catalog, on, false);
        const Offer* offer = other ? offer_for(world.catalog, *other, "") : nullptr;
        if (offer != nullptr) {
            parts.emplace_back(offer->usd_per_accelerator_hour(), on);
        }
    }
    std::sort(parts.begin(), parts.end());
    parts.resize(std::min(parts.size(), most_parts));
    std::vector<std::string> names;
    for (auto& [price, on] : parts) {
        names.push_back(std::move(on));
    }
    return names;
}

}  // namespace

std::vector<Remedy> hardware_remedies(const World& world, const WorkloadDocument& document,
                                      const Placement& placed) {
    std::vector<Remedy> remedies;
    if (placed.estimate.memory.fits) {
        return remedies;
    }
    if (auto more = with_more(world, document, placed)) {
        remedies.push_back(std::move(*more));
    }
    for (const std::string& on : larger_parts(world, placed)) {
        if (auto other = fits_on(world, document, placed, on)) {
            remedies.push_back(std::move(*other));
            break;
        }
    }
    return remedies;
}

}  // namespace ridgeline::ask
