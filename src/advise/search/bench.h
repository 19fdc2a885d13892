#pragma once

#include "advise/search/search.h"

#include <optional>
#include <vector>

namespace ridgeline {

/// One stack on one cluster: what the estimates of its plans share.
struct Bench {
    const Search& search;
    const Candidate& candidate;
    const SoftwareProfile& software;
    const Cluster& cluster;
    const LinkModel*& links;  // resolved when the first plan is timed
    std::vector<FilledDefault> defaults;

    [[nodiscard]] EstimateInput input(const Workload& workload) const {
        return {search.architecture,
                workload,
                cluster,
                software,
                candidate.device(),
                search.knowledge.profiles.calibration,
                links,
                search.replayed.get()};
    }
};

/// The best of the plans that were tried so far, and what the others lacked.
struct Best {
    std::optional<Option> option;
    double speed = 0;
    bool roomy = false;
    std::optional<MemoryEstimate> nearest_miss;
    Searched searched;

    void miss(MemoryEstimate memory) {
        if (!nearest_miss || memory.needed() < nearest_miss->needed()) {
            nearest_miss = std::move(memory);
        }
    }
    std::optional<Rejection> slow;
    std::optional<Error> illegal;
};

/// Lower is hungrier: plans of the least memory are probed first.
int thrift(const Workload& plan);

/// Tries a few plans; of those that fit the first are timed. Fills `best`.
void try_plans(const Bench& bench, std::vector<Workload> plans, Best& best);
/// The same of a training run, whose usual plans are searched.
void try_training(const Bench& bench, const Workload& base, Best& best);

}  // namespace ridgeline
