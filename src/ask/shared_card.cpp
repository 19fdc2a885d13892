#include "ask/shared_card.h"

#include "advise/hardware/cluster.h"
#include "advise/placement/placement.h"
#include "ask/workload_on.h"
#include "ask/workload_options.h"
#include "report/sharing_report.h"
#include "spec/mig.h"

#include <utility>

namespace ridgeline::ask {
namespace {

/// The workload in the smallest MIG slice of the card that holds it, in which most of them go.
void find_slice(const World& world, const WorkloadDocument& document, const Accelerator& card,
                SharedWorkload& shared) {
    for (const Accelerator& slice : world.catalog.slices) {
        const bool smaller =
            shared.slice == nullptr || slices_of_card(slice) > slices_of_card(*shared.slice);
        if (card_of(slice.id) != card.id || !smaller) {
            continue;
        }
        const auto placed = place({world.catalog, world.profiles}, document, shared.architecture,
                                  make_cluster(world.catalog, slice, 1), nullptr);
        if (placed && placed->estimate.memory.fits) {
            shared.slice = &slice;
            shared.sliced = placed->estimate;
        }
    }
}

Result<SharedWorkload> shared_of(const World& world, const Request& request,
                                 const std::string& file, const Cluster& cluster) {
    auto document = of_a_model(workload_of(request, file));
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    auto placed =
        place({world.catalog, world.profiles}, *document, *architecture, cluster, nullptr);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    SharedWorkload shared;
    shared.architecture = std::move(placed->architecture);
    shared.workload = std::move(placed->workload);
    shared.alone = std::move(placed->estimate);
    if (cluster.count == 1) {
        find_slice(world, *document, *cluster.accelerator, shared);
    }
    return shared;
}

}  // namespace

Result<Reply> run_shared(const Request& request, const World& world, const Cluster& cluster) {
    if (request.given("max") || request.given("sweep") || request.given("plan")) {
        return usage_error("estimate", "found --max, --sweep or --plan with several workload files",
                           "Ask for one file at a time.");
    }
    std::vector<std::string> files{request.text("workload")};
    const std::vector<std::string>& beside = request.texts("beside");
    files.insert(files.end(), beside.begin(), beside.end());
    std::vector<SharedWorkload> workloads;
    for (const std::string& file : files) {
        auto shared = shared_of(world, request, file, cluster);
        if (!shared) {
            return tl::unexpected(shared.error());
        }
        workloads.push_back(std::move(*shared));
    }
    const SharedCard card = share_card(cluster, std::move(workloads));
    Reply out;
    out.messages = notes_of(world);
    out.body = request.json() ? report::sharing_json(card, stamp_of(world.catalog))
                              : report::sharing_text(card, request.style);
    out.exit_code = card.fits ? 0 : 3;
    return out;
}

}  // namespace ridgeline::ask
