#include "advise/ranking/standing.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/search/time_limits.h"

namespace ridgeline {
namespace {

constexpr std::size_t place_of_barely = 8;  // among the reasons of `Standing`

}  // namespace

Standing standing(const Query& query, const Option& option) {
    const bool stands = !buys_for_a_desk(query) || stands_at_a_desk(*option.cluster.accelerator);
    // Copies of a model stand on machines of one module each, which nobody asked to join.
    const bool copies = query.accelerators.empty() && option.cluster.count > 1 &&
                        stands_alone(*option.cluster.accelerator);
    // Hosts of a marketplace set its rents, and change them within the hour.
    const auto& offer = option.estimate.cost.offer;
    const bool market =
        query.price_kind.empty() && !query.buy && offer && offer->kind == PriceKind::marketplace;
    return {!option.unobtainable.empty(), !stands, off_the_path(query, option),
            slower_than_read(query, option.workload, option.estimate.time),
            waits_long(query, option.workload, option.estimate.time),
            takes_months(query, option.workload, option.estimate.time),
            lacks_room(option.estimate.memory), copies,
            // Of a part that is named the fewest that end a run in time are sought, and how late
            // they may be is told.
            (option.workload.task == Task::inference || query.accelerators.empty()) &&
                barely_keeps(query, option.workload.serving, option.estimate.time),
            market};
}

bool barely_behind(const Query& query, const Option& option, const Option& other) {
    Standing own = standing(query, option);
    const bool barely = own[place_of_barely] > standing(query, other)[place_of_barely];
    own[place_of_barely] = 0;
    return barely && own <= standing(query, other);
}

int off_the_path(const Query& query, const Option& option) {
    const Accelerator& part = *option.cluster.accelerator;
    const bool files = option.workload.task == Task::inference &&
                       (part.vendor == "Apple" || option.workload.framework == "llama.cpp");
    const bool asked =
        !query.accelerators.empty() || (!query.vendor.empty() && !query.vendor.starts_with('!'));
    if (part.vendor == "NVIDIA" || files || asked || !stands_at_a_desk(part)) {
        return 0;
    }
    // Engines for many at once are built for AMD's cards of workstations and servers.
    const bool crowd = option.workload.serving && option.workload.serving->concurrency > 1;
    const bool pictures =
        option.workload.framework == "diffusers" || option.workload.framework == "comfyui";
    const bool apart = pictures || (crowd && is_consumer(part));
    return part.vendor != "AMD" ? 2 : apart ? 1 : 0;
}

}  // namespace ridgeline
