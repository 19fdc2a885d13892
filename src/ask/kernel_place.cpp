#include "ask/kernel_place.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "estimate/time/kernel.h"

#include <algorithm>
#include <cmath>

namespace ridgeline::ask {

ComputeType kernel_type(const WorkloadDocument& document) {
    const ComputeType stated = document.compute.value_or(usual_type(*document.kernel));
    // Products alone have units that add up in half precision.
    const bool halves = stated == ComputeType::fp16 && document.kernel->operation == "gemm" &&
                        document.fp16_accumulate.value_or(false);
    return halves ? ComputeType::fp16_fp16_accumulate : stated;
}

Result<KernelEstimate> kernel_estimate_on(const World& world, Kernel kernel, ComputeType type,
                                          const Cluster& cluster) {
    if (kernel.ranks <= 1) {
        kernel.ranks = cluster.count;
    }
    kernel.graph = false;
    const DeviceModel device = device_model(*cluster.accelerator, world.profiles.calibration);
    return estimate_kernel(kernel, type, cluster, device, world.profiles.calibration, true);
}

Cluster cluster_holding(const World& world, const Kernel& kernel, ComputeType type,
                        const Cluster& cluster, int most) {
    for (int count = cluster.count; count <= most; count *= 2) {
        const int together = std::max(1, cluster.accelerator->scale_up.max_domain);
        Cluster larger = count == cluster.count
                             ? cluster
                             : make_cluster(world.catalog, *cluster.accelerator, count,
                                            together > 1 ? std::min(count, together) : 0);
        const auto estimate = kernel_estimate_on(world, kernel, type, larger);
        if (!estimate || estimate->fits) {
            return estimate ? larger : cluster;
        }
    }
    return cluster;
}

void add_kernel_price(const World& world, const std::string& price, report::KernelOn& on) {
    const auto sold = purchase_price(world.catalog, *on.cluster.accelerator);
    if (sold && sold->current && !is_part_of_a_server(*on.cluster.accelerator)) {
        on.usd_to_buy = on.cluster.count * sold->usd_each;
        on.bought = (sold->used ? "used, " : "new, ") + sold->date;
    }
    on.offer = offer_for(world.catalog, on.cluster, price);
    if (on.offer != nullptr) {
        on.usd_per_hour =
            std::ceil(double(on.cluster.count) / on.offer->count) * on.offer->usd_per_hour;
    }
}

}  // namespace ridgeline::ask
