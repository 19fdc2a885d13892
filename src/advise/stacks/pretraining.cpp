#include "advise/stacks/pretraining.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

bool is_pretraining(const WorkloadDocument& document) {
    return document.task == Task::train && document.method == Method::full &&
           document.duration_tokens.value_or(0) >= least_pretraining_tokens;
}

bool is_pretraining(const Workload& workload) {
    return workload.task == Task::train && workload.method == Method::full &&
           workload.duration_tokens.value_or(0) >= least_pretraining_tokens;
}

int pretraining_batch(const WorkloadDocument& document) {
    const double tokens =
        0.58 * std::pow(document.duration_tokens.value_or(least_pretraining_tokens), 0.571);
    const double samples = tokens / document.sequence_length.value_or(1);
    return std::max(1, static_cast<int>(std::exp2(std::round(std::log2(samples)))));
}

}  // namespace ridgeline
