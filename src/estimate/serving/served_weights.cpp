#include "estimate/serving/served_weights.h"

#include "spec/software_profile.h"

namespace ridgeline {

ServedWeights::ServedWeights(const Architecture& architecture, const Workload& workload)
    : architecture_(architecture),
      workload_(workload),
      format_(quant_format(workload.quantization.name)),
      file_(gguf_file(workload.quantization.name)),
      experts_only_(architecture.packs_experts_in(workload.quantization.name)) {}

bool ServedWeights::quantized(const Operator& op) const {
    return format_ != nullptr && op.quantized && op.rows * op.columns > 0 &&
           (op.role == Role::expert_linear || !experts_only_);
}

double ServedWeights::bytes(const Block& block, const Operator& op) const {
    if (file_) {
        return gguf_weight_bytes(*file_, architecture_, block, op);
    }
    const double plain = bytes_per_element(workload_.weights);
    if (!quantized(op)) {
        return op.parameters * plain;
    }
    const double bias = op.parameters - op.rows * op.columns * op.matrices;
    return bias * plain + op.matrices * quantized_bytes(*format_, op.rows, op.columns,
                                                        workload_.quantization.double_quantization);
}

double weight_file_bytes(const Architecture& architecture, const Workload& workload) {
    if (const auto file = gguf_file(workload.quantization.name)) {
        return gguf_file_bytes(*file, architecture);
    }
    Workload whole = workload;
    whole.plan = Plan{};
    whole.task = Task::inference;
    const SoftwareProfile software;
    const Pass pass{.samples = 1, .tokens = 1, .context = 1, .training = false};
    const ServedWeights weights(architecture, whole);
    double bytes = 0;
    for (const Block& block : list_operators(architecture, whole, software, pass)) {
        for (const Operator& op : block.operators) {
            if (op.parameters > 0 && !op.tied) {
                bytes += block.repeat * weights.bytes(block, op);
            }
        }
    }
    return bytes;
}

}  // namespace ridgeline
