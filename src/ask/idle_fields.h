#pragma once

#include "ask/world.h"
#include "report/kernel_report.h"
#include "spec/workload_document.h"

namespace ridgeline::ask {

/// Adds a finding for each field that is stated and changes nothing of the answer: it is left out,
/// and the figures stay. A value that the answer would have anyway is none of them.
void tell_idle_fields(const World& world, const WorkloadDocument& document,
                      report::EstimateAnswer& answer);

/// As above, of a kernel: a note of its first place.
void tell_idle_fields(const World& world, const WorkloadDocument& document,
                      const std::vector<Cluster>& clusters, report::KernelAnswer& answer);

}  // namespace ridgeline::ask
