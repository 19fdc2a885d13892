#include "estimate/serving/library_products.h"

namespace ridgeline {
namespace {

constexpr double narrow_bytes = 2;
constexpr double wide_bytes = 4;
constexpr double cast_bytes = narrow_bytes + wide_bytes;

/// Whether a kernel finds in the last cache what the one before it wrote there.
bool stays_in_cache(const DeviceModel& device, double bytes) {
    return bytes <= device.accelerator->l2_cache.value_or(Bytes{}).base();
}

double streamed(const DeviceModel& device, double bytes) {
    const RooflineTerms& terms = device.terms_of(ComputeType::fp16, OperatorClass::streaming);
    return bytes * terms.seconds_per_byte;
}

}  // namespace

double expansion_time(const DeviceModel& device, const GemmShape& shape, double packed_bytes) {
    const double expanded = narrow_bytes * shape.n * shape.k;
    const double written = stays_in_cache(device, expanded) ? 0 : expanded * shape.count;
    return streamed(device, packed_bytes + written);
}

double cast_time(const DeviceModel& device, const GemmShape& shape) {
    double bytes = 0;
    for (const double elements : {shape.m * shape.k, shape.m * shape.n}) {
        bytes += stays_in_cache(device, cast_bytes * elements) ? 0 : cast_bytes * elements;
    }
    return streamed(device, bytes * shape.count);
}

double score_time(const DeviceModel& device, const StoredScores& scores) {
    const double elements = scores.heads * scores.rows * scores.keys;
    const double softmax = 2 * wide_bytes;
    return stays_in_cache(device, cast_bytes * elements)
               ? 0
               : streamed(device, elements * (2 * cast_bytes + softmax));
}

GemmShape query_key_product(const StoredScores& scores) {
    return {scores.rows, scores.keys, scores.width, scores.heads};
}

GemmShape score_value_product(const StoredScores& scores) {
    return {scores.rows, scores.width, scores.keys, scores.heads};
}

}  // namespace ridgeline
