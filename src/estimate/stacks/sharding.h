#pragma once

#include "spec/workload.h"

namespace ridgeline {

/// Whether data-parallel ranks each hold a part of the weights, of the gradients, of the optimizer states.
bool shards_weights(Sharding sharding);
bool shards_gradients(Sharding sharding);
bool shards_states(Sharding sharding);

/// Bytes of optimizer state a trained parameter needs.
double state_bytes(const Workload& workload);

}  // namespace ridgeline
