#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/fabric.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <tuple>

// Clusters of the hardware that a question names, or of a card with the memory that it tells.

namespace ridgeline {
namespace {

/// The part with the memory nearest to a size, of vendors that are allowed: chips with unified
/// memory only where their vendor was named. Null: there is none.
///
/// laptop  those of laptops alone
const Accelerator* nearest_card(const Catalog& catalog, double gb, const std::string& vendors,
                                bool laptop) {
    const Accelerator* nearest = nullptr;
    const bool named = !vendors.empty() && !vendors.starts_with('!');
    for (const Accelerator& part : catalog.accelerators) {
        const bool kind = part.kind == "gpu" || ((named || laptop) && part.kind == "soc");
        const bool usual = kind && part.visible_memory && part.marketed_gb > 0 &&
                           part.memory_bandwidth.base() > 0 &&
                           allowed_by(vendors, lower(part.vendor)) &&
                           (!laptop || is_built_as(part, "laptop"));
        const auto distance = [gb](const Accelerator& each) {
            return std::abs(std::log(each.marketed_gb / gb));
        };
        // Of equal sizes the maker that most people mean, a card before a module that no slot
        // takes, what can be had, one for a home, then the newest, then what leaves most.
        const auto order = [&catalog](const Accelerator& each) {
            const auto price = purchase_price(catalog, each);
            const bool sold = times_listed(catalog, each) > 0 || (price && price->current);
            return std::tuple(each.vendor == "NVIDIA", !is_module(each), sold, is_home(each),
                              each.year, each.visible_memory->base());
        };
        const bool newer = nearest != nullptr && distance(part) == distance(*nearest) &&
                           order(part) > order(*nearest);
        if (usual && (nearest == nullptr || distance(part) < distance(*nearest) || newer)) {
            nearest = &part;
        }
    }
    return nearest;
}

/// A card of a size that no part of the catalog has: the nearest part with that memory.
const Accelerator& card_with(const Catalog& catalog, double gb, const std::string& vendors,
                             bool laptop, Accelerator& made) {
    const Accelerator* nearest = nearest_card(catalog, gb, vendors, laptop);
    nearest = nearest != nullptr ? nearest : nearest_card(catalog, gb, "", false);
    if (std::abs(nearest->marketed_gb - gb) <= 0.06 * gb) {
        return *nearest;
    }
    made = *nearest;
    made.id = fmt::format("{:g}gb-card", gb);
    made.name = fmt::format("card with {:g} GB", gb);
    made.visible_memory = *nearest->visible_memory * (gb / nearest->marketed_gb);
    made.visible_memory_assumed = true;
    made.marketed_gb = gb;
    made.prices.clear();
    return made;
}

/// Machines that a fabric joins are built of modules: of a family that has some, cards for a slot
/// are not meant.
void keep_modules(std::vector<Cluster>& clusters) {
    const std::vector<Cluster> all = clusters;
    std::erase_if(clusters, [&](const Cluster& card) {
        return !is_module(*card.accelerator) && std::ranges::any_of(all, [&](const Cluster& other) {
            return is_module(*other.accelerator) &&
                   same_family(*other.accelerator, *card.accelerator);
        });
    });
}

}  // namespace

namespace {

/// A copy of the part that clusters may point to, with other memory in its name.
Accelerator& copy_of(const Accelerator& part, double gb, std::string_view behind) {
    static thread_local std::list<Accelerator> made;
    made.push_back(part);
    Accelerator& own = made.back();
    own.name =
        fmt::format("{} with {:g} GB{}", part.name.substr(0, part.name.find(" (")), gb, behind);
    own.marketed_gb = gb;
    return own;
}

}  // namespace

const Accelerator& with_memory(const Accelerator& part, double gb) {
    if (std::abs(part.marketed_gb - gb) <= 0.06 * gb || part.marketed_gb <= 0) {
        return part;
    }
    Accelerator& own = copy_of(part, gb, "");
    if (part.visible_memory) {
        own.visible_memory = *part.visible_memory * (gb / part.marketed_gb);
        own.visible_memory_assumed = true;
    }
    return own;
}

const Accelerator& with_memory_read(const Accelerator& part, const Reading& reading) {
    if (reading.memory_gib && part.kind == "cpu" && !reading.memory_is_share) {
        // What the largest model is fits beside the system, as a fit is judged.
        const double gb = *reading.memory_gib;
        Accelerator& computer = copy_of(part, gb, "");
        computer.name = with_memory(part, gb).name;
        computer.visible_memory = gibibyte * std::max(gb / 2, gb - memory_of_system_gib);
        return computer;
    }
    if (!reading.memory_gib || !reading.memory_is_share) {
        return reading.memory_gib ? with_memory(part, *reading.memory_gib) : part;
    }
    // Firmware and systems set memory aside in binary units.
    Accelerator& own = copy_of(part, *reading.memory_gib, " for its GPU");
    own.visible_memory = *reading.memory_gib * gibibyte;
    own.visible_memory_assumed = false;
    return own;
}

std::vector<Cluster> clusters_of(const Reading& reading, const Query& query,
                                 const Catalog& catalog) {
    std::vector<Cluster> clusters;
    const Machine* machine = reading.machine.empty() ? nullptr : catalog.machine(reading.machine);
    const int count = query.exact_accelerators.value_or(query.max_accelerators.value_or(1));
    const int per_node = reading.nodes && *reading.nodes > 1 && count % *reading.nodes == 0
                             ? count / *reading.nodes
                             : 0;
    for (const std::string& id : query.accelerators) {
        const Accelerator* part = catalog.accelerator(id);
        if (part != nullptr) {
            part = &with_memory_read(*part, reading);
            const Machine* own =
                machine != nullptr && machine->accelerator == part->id ? machine : nullptr;
            clusters.push_back(linked_as_required(
                make_cluster(catalog, *part, count, per_node, own), catalog, query.require));
        }
    }
    if (clusters.empty() && query.memory_per_accelerator_gib) {
        // Outlives the answer: clusters point to their part.
        static thread_local Accelerator made;
        const bool laptop = std::ranges::find(query.require, "laptop") != query.require.end();
        clusters.push_back(make_cluster(catalog,
                                        card_with(catalog, *query.memory_per_accelerator_gib,
                                                  lower(query.vendor), laptop, made),
                                        count, per_node, nullptr));
    }
    // Of the forms of one family the usual one goes first.
    const bool forms = assumed_of(reading, "accelerators") != nullptr;
    if (forms && count > cards_of_a_server) {
        keep_modules(clusters);
    }
    if (forms) {
        stable_order(clusters.begin(), clusters.end(), [&](const Cluster& a, const Cluster& b) {
            return times_listed(catalog, *a.accelerator) > times_listed(catalog, *b.accelerator);
        });
    }
    return clusters;
}

Result<std::vector<Cluster>> known_clusters(const Reading& reading, const Query& query,
                                            const Catalog& catalog, std::string_view example) {
    auto clusters = clusters_of(reading, query, catalog);
    if (clusters.empty()) {
        return input_error("question", "no hardware of the question is known",
                           fmt::format("Example: \"{}\".", example));
    }
    return clusters;
}

}  // namespace ridgeline
