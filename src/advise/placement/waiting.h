#pragma once

#include "advise/placement/placement.h"

namespace ridgeline {

/// As many requests at once as an engine at full load is asked to take, where it holds them.
inline constexpr int most_of_an_engine = 256;

/// Where no plan of a placement holds its requests and the engine lets them wait (vLLM, SGLang,
/// TensorRT-LLM): the plan that serves most while a part of them runs. Its memory is that of the
/// requests that run, its times are those of the whole load. Anything else is left as it is.
///
/// document, cluster, offer  those of the placement
void let_requests_wait(const Knowledge& knowledge, const WorkloadDocument& document,
                       const Cluster& cluster, const Offer* offer, Placement& placed);

}  // namespace ridgeline
