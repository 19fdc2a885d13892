#pragma once

#include "ask/request.h"
#include "base/result.h"
#include "spec/workload_document.h"

#include <string>

namespace ridgeline::ask {

/// Whether a request says anything of a workload.
bool states_workload(const Request& request);

/// The workload document of a request: its own, or that of `file`; an empty one when there is none.
Result<WorkloadDocument> stated_workload(const Request& request, const std::string& file);

/// `base` with every field that an option states, and the model of --hf-config.
///
/// errors  what the workload reader finds, said in terms of the option that caused it
Result<WorkloadDocument> with_workload_options(WorkloadDocument base, const Request& request);

/// Refuses --memory-fraction for training without an engine beside it.
Result<void> check_engine_share(const WorkloadDocument& document, const Request& request);

/// The one part that is wanted is one that the network has: a pass of speech recognition, or of a
/// pipeline that makes pictures.
Result<void> check_part(const WorkloadDocument& document, const Architecture& architecture);

/// Document and options together.
Result<WorkloadDocument> workload_of(const Request& request);
Result<WorkloadDocument> workload_of(const Request& request, const std::string& file);

}  // namespace ridgeline::ask
