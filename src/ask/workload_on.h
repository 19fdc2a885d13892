#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"
#include "spec/workload_document.h"

namespace ridgeline::ask {

/// The workload of a command that runs a model on the hardware of --on.
///
/// errors  those of workload_of; a single kernel; no --on
Result<WorkloadDocument> model_workload_of(const Request& request);
/// A workload that was read already. errors  its own; a single kernel
Result<WorkloadDocument> of_a_model(Result<WorkloadDocument> document);
/// The same, which needs --on too.
Result<WorkloadDocument> model_workload(Result<WorkloadDocument> document, const Request& request);

/// The hardware of --on. errors  none was given; it is not known
Result<Cluster> cluster_of_request(const World& world, const Request& request);

/// A model's workload and the hardware of --on.
struct WorkloadOn {
    WorkloadDocument document;
    Architecture architecture;
    Cluster cluster;
};
Result<WorkloadOn> workload_on(const World& world, const Request& request);

}  // namespace ridgeline::ask
