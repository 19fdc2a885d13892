#pragma once

#include "base/result.h"
#include "cli/world.h"
#include "estimate/operator_profile.h"
#include "report/report.h"
#include "spec/offer.h"
#include "spec/workload_document.h"

#include <string_view>

namespace ridgeline::cli {

/// The estimate of a document on a cluster with everything that an answer shows.
///
/// offer  the price to use; null: unknown
/// errors an unknown framework, contradictions of the document, a plan that cannot run
Result<report::EstimateAnswer> place(const World& world,
                                     const WorkloadDocument& document,
                                     const Architecture& architecture,
                                     const Cluster& cluster,
                                     const Offer* offer);

/// What is wanted of a search of plans beside the best one.
struct SearchDetail {
    bool front = false;  ///< the Pareto front too
    bool quiet = true;   ///< no progress on stderr
};

/// As `place`, with the fastest plan that fits on exactly these accelerators (the leanest when none
/// does; one that leaves some memory free before one that does not); what the document states about
/// the plan is kept. Ctrl-C ends the search of a training run with the best plan so far.
Result<report::EstimateAnswer> place_best(const World& world,
                                          const WorkloadDocument& document,
                                          const Architecture& architecture,
                                          const Cluster& cluster,
                                          const Offer* offer,
                                          const SearchDetail& detail = {});

/// The operators of an answer of `place` or `place_best`, each with its time and bound.
OperatorProfile profile_of(const World& world, const report::EstimateAnswer& answer);

/// The cheapest offer that rents the cluster; `kind` as in --price, empty: on demand before others.
const Offer* offer_for(const Catalog& catalog, const Cluster& cluster, std::string_view kind);

}  // namespace ridgeline::cli
