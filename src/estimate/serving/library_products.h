#pragma once

#include "base/dtype.h"
#include "estimate/time/device.h"
#include "estimate/work/operator.h"

namespace ridgeline {

// What a stack that keeps its activations in fp32 runs around the products of a library that takes
// and returns 16 bits (ggml with cuBLAS). What the last cache of the part holds from one kernel to
// the next does not go to memory. Seconds.

/// Quantised weights expanded to 16 bits before the product that reads them, matrix by matrix.
///
/// packed_bytes  of all matrices of `shape`, as they are stored
double expansion_time(const DeviceModel& device, const GemmShape& shape, double packed_bytes);

/// Activations cast to 16 bits before the product, the result cast back.
double cast_time(const DeviceModel& device, const GemmShape& shape);

/// Attention of a prompt that stores its scores.
struct StoredScores {
    double heads = 0;  ///< of all samples
    double rows = 0;   ///< queries of a head
    double keys = 0;   ///< that each row sees, the masked ones included
    double width = 0;  ///< of a head
};

/// Casts and softmax of the scores between the two products: the first returns 16 bits, the softmax
/// reads and writes fp32, the second takes 16 bits.
double score_time(const DeviceModel& device, const StoredScores& scores);

/// The product of queries and keys, and that of scores and values.
GemmShape query_key_product(const StoredScores& scores);
GemmShape score_value_product(const StoredScores& scores);

}  // namespace ridgeline
