#pragma once

#include "advise/hardware/ownership.h"
#include "report/json.h"

#include <vector>

namespace ridgeline::report {

Json json_of(const Offer& offer);
Json json_of(const PowerPlan& power, const Site& site);
Json json_of(const PowerCap& cap);
Json json_of(const std::vector<UsedFigure>& figures);
/// An ownership answer without the stamp of a document.
Json ownership_body(const OwnershipAnswer& answer);

}  // namespace ridgeline::report
