#pragma once

#include "estimate/estimate.h"

#include <optional>
#include <span>
#include <vector>

namespace ridgeline {

/// One of several workloads on the same accelerators.
struct SharedWorkload {
    Architecture architecture;
    Workload workload;
    Estimate alone;    ///< with the accelerators to itself
    Bytes needs;       ///< of each accelerator, without what its runtime claims beyond that
    double busy = 1;   ///< share of its time in which it keeps the device busy, alone
    double claim = 0;  ///< memory share to set, where its runtime claims one; 0: it claims none
    const Accelerator* slice = nullptr;  ///< the smallest MIG slice that holds it; null: none does
    std::optional<Estimate> sliced;      ///< in that slice
};

/// Several workloads on the same accelerators at once.
struct SharedCard {
    Cluster cluster;
    std::vector<SharedWorkload> workloads;
    Bytes needed;  ///< of each accelerator, by all of them
    Bytes capacity;
    bool fits = false;
    double demand = 0;        ///< sum of the busy shares
    bool slices_fit = false;  ///< each in its own slice, all slices on one card
    /// How much longer each takes than alone, when all are busy: the driver gives each process an
    /// equal part of the device's time.
    [[nodiscard]] double stretch() const { return demand > 1 ? demand : 1; }
};

/// Share of a workload's time in which it keeps the device busy: the rest is its host's.
double busy_share(const TimeEstimate& time);

/// Whether these slices fit one card: their compute slices ("3g" has three) and their memory add up
/// to it at most. Which positions the vendor allows is not looked at.
bool slices_fit_together(std::span<const Accelerator* const> slices, const Accelerator& card);

/// Sums up workloads of which alone, needs, slice and sliced are set.
SharedCard share_card(const Cluster& cluster, std::vector<SharedWorkload> workloads);

}  // namespace ridgeline
