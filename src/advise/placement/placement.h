#pragma once

#include "advise/advice.h"
#include "advise/finding.h"
#include "advise/plans/plan_search.h"
#include "base/result.h"
#include "estimate/estimate.h"
#include "estimate/operator_profile.h"
#include "estimate/serving/served_load.h"
#include "estimate/stacks/kept_tensors.h"
#include "estimate/step_listing.h"
#include "spec/offer.h"
#include "spec/workload_document.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// One workload on one machine, with everything that an answer shows about it.
struct Placement {
    Architecture architecture;
    Workload workload;
    Cluster cluster;
    std::vector<FilledDefault> defaults;
    Estimate estimate;
    Interval
        ttft_band;  ///< factors low and high on the time to the first token, where one is served
    Interval tpot_band;  ///< and on the time of each token
    std::vector<Finding> findings;
    std::vector<Provenance> provenance;
    std::vector<KeptTensor> kept;     ///< of a training step; empty for inference
    std::optional<StepListing> step;  ///< events of a step, when asked for and a script is written
    std::string note;                 ///< what --max or --plan auto found, a sentence; may be empty
    std::vector<std::pair<std::string, double>> largest;  ///< --max: "batch" -> 12
    std::optional<Searched> searched;                     ///< --plan auto: what became of the plans
    std::vector<FoundPlan> front;  ///< and the Pareto front of those that fit, when asked for
};

/// With what the catalog's short names of sources stand for, which say nothing to a reader.
std::vector<Provenance> cited(const Catalog& catalog, std::vector<Provenance> provenance);

/// The software profile with that id; the error names the nearest.
Result<const SoftwareProfile*> software_named(const Profiles& profiles, std::string_view id);

/// The estimate of a document on a cluster with everything that an answer shows. Where the document
/// says nothing of the plan, the best of the usual ones is taken: what `advise` shows for the same
/// accelerators. When no plan fits, the leanest is shown; what the document states is kept.
///
/// offer  the price to use; null: unknown
/// errors an unknown framework, contradictions of the document, a plan that cannot run
Result<Placement> place(const Knowledge& knowledge, const WorkloadDocument& document,
                        const Architecture& architecture, const Cluster& cluster,
                        const Offer* offer);

/// What is wanted of a search of all plans beside the best one.
struct SearchDetail {
    bool front = false;  ///< the Pareto front too
    /// Called as the search of a training run starts: sets progress, stop and threads; what it
    /// returns lives as long as the search. May be empty.
    std::function<std::shared_ptr<void>(SearchControl&)> watch;
};

enum class PlanChoice {
    best,       ///< of the usual plans
    all,        ///< the fastest of all legal plans that fit; the leanest when none does
    framework,  ///< the plan that the framework takes when nobody asks for another
};

/// As `place`, with a plan so chosen. A search of all that is stopped answers with the best plan so
/// far.
Result<Placement> place_with(PlanChoice choice, const Knowledge& knowledge,
                             const WorkloadDocument& document, const Architecture& architecture,
                             const Cluster& cluster, const Offer* offer,
                             const SearchDetail& detail = {});

/// Whether any usual plan of a document fits on a cluster. errors  as `place`
Result<bool> fits_on(const Knowledge& knowledge, const WorkloadDocument& document,
                     const Architecture& architecture, const Cluster& cluster);

/// The operators of a placement, each with its time and bound.
OperatorProfile profile_of(const Knowledge& knowledge, const Placement& answer);

/// Adds the events of a step to a placement, where a script is written for it.
void list_step(const Knowledge& knowledge, Placement& answer);

/// Simulates the load of a placement against targets: goodput and the largest rate within them.
void simulate_load(const Knowledge& knowledge, const LoadTargets& targets, Placement& answer);

/// The cheapest offer that rents the cluster; `kind` as in --price, empty: on demand before others.
const Offer* offer_for(const Catalog& catalog, const Cluster& cluster, std::string_view kind);

}  // namespace ridgeline
