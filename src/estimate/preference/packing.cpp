#include "estimate/preference/packing.h"

#include "estimate/preference/rollout.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

Workload packed_batch(const Workload& workload, double samples) {
    Workload packed = workload;
    Batch& batch = packed.batch;
    const AnswerLengths lengths = answer_lengths(workload);
    const double mean = lengths.prompt + lengths.mean;
    const double ranks = std::max(1, workload.plan.data);
    const double share = std::max(1.0, samples / ranks);
    const double room =
        1.0 * std::max(1, batch.micro) * std::max(mean, 1.0 * batch.sequence_length);
    const double alone = share * still_running(lengths, std::max(0.0, room / 2 - lengths.prompt));
    const double passes = std::max({1.0, std::ceil(share * mean / room), std::ceil(alone)});
    const double held = share * mean / passes;
    const double tokens = workload.plan.pipeline > 1 ? room : held;
    const double together = std::max(1.0, std::round(tokens / mean));
    batch.micro = static_cast<int>(together);
    batch.sequence_length = static_cast<int>(std::ceil(tokens / together));
    batch.global = static_cast<int>(std::min(2e9, passes * together * ranks));
    return packed;
}

}  // namespace ridgeline
