#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/world.h"
#include "estimate/operator_profile.h"
#include "report/report.h"
#include "spec/offer.h"
#include "spec/workload_document.h"

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

/// As `place`, with the fastest plan that fits on exactly these accelerators (the leanest when none
/// does); what the document states about the plan is kept.
Result<report::EstimateAnswer> place_best(const World& world,
                                          const WorkloadDocument& document,
                                          const Architecture& architecture,
                                          const Cluster& cluster,
                                          const Offer* offer);

/// The operators of an answer of `place` or `place_best`, each with its time and bound.
OperatorProfile profile_of(const World& world, const report::EstimateAnswer& answer);

/// The cheapest offer that rents the cluster; `kind` as in --price, empty: on demand before others.
const Offer* offer_for(const Catalog& catalog, const Cluster& cluster, std::string_view kind);

}  // namespace ridgeline::cli
