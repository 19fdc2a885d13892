#include "estimate/stacks/kept_tensors.h"

#include "estimate/work/operator.h"

namespace ridgeline {

SavePolicy save_policy(const EstimateInput& input) { return {.compiled = input.workload.compiled}; }

std::vector<KeptTensor> kept_by_step(const EstimateInput& input) {
    const Workload& workload = input.workload;
    if (workload.task != Task::train) {
        return {};
    }
    const double sequence = workload.batch.sequence_length;
    const Pass pass{.samples = workload.batch.micro * workload.sequences(),
                    .tokens = sequence,
                    .context = sequence,
                    .training = true};
    const double tokens = pass.samples * pass.tokens / workload.plan.context;
    std::vector<KeptTensor> kept;
    for (const Block& block : list_operators(input.architecture, workload, input.software, pass)) {
        for (const int index :
             kept_tensors(block, workload.plan.recompute, input.software, save_policy(input))) {
            const Tensor& tensor = block.tensors[static_cast<std::size_t>(index)];
            kept.push_back({block.name, tensor.name, tensor.size, tokens, block.repeat});
        }
    }
    return kept;
}

}  // namespace ridgeline
