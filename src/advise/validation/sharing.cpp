#include "advise/validation/sharing.h"

#include "spec/mig.h"

#include <algorithm>
#include <cstdlib>

namespace ridgeline {
namespace {

/// "3g.40gb" has three compute slices.
int compute_slices(const Accelerator& slice) {
    const std::string profile = slice.id.substr(card_of(slice.id).size() + 1);
    return std::atoi(profile.c_str());
}

}  // namespace

double busy_share(const TimeEstimate& time) {
    double host = 0;
    for (const TimeComponent& component : time.components) {
        host += component.name == "decode host" ? component.time.base() : 0;
    }
    const double all = time.step.base();
    return all > 0 ? std::clamp(1 - host / all, 0.0, 1.0) : 1;
}

bool slices_fit_together(std::span<const Accelerator* const> slices, const Accelerator& card) {
    double memory = 0;
    int compute = 0;
    for (const Accelerator* slice : slices) {
        if (slice == nullptr || slice->mig_profiles.empty()) {
            return false;
        }
        memory += slice->mig_profiles.front().memory_fraction;
        compute += compute_slices(*slice);
    }
    return memory <= 1 + 1e-9 && compute <= card.mig_instances.value_or(0);
}

SharedCard share_card(const Cluster& cluster, std::vector<SharedWorkload> workloads) {
    SharedCard card;
    card.cluster = cluster;
    card.capacity = cluster.accelerator->capacity();
    std::vector<const Accelerator*> slices;
    for (SharedWorkload& each : workloads) {
        each.needs = each.alone.memory.process;
        each.busy = busy_share(each.alone.time);
        card.needed += each.needs;
        card.demand += each.busy;
        slices.push_back(each.slice);
    }
    for (SharedWorkload& each : workloads) {
        if (each.alone.memory.unclaimed > Bytes{}) {
            each.claim = each.needs / card.capacity;
        }
    }
    card.fits = card.needed <= card.capacity;
    card.slices_fit = cluster.count == 1 && slices_fit_together(slices, *cluster.accelerator);
    card.workloads = std::move(workloads);
    return card;
}

}  // namespace ridgeline
