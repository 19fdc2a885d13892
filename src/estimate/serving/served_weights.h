#pragma once

#include "estimate/serving/gguf.h"
#include "estimate/work/operator.h"
#include "estimate/work/quantization.h"
#include "spec/architecture.h"
#include "spec/workload.h"

namespace ridgeline {

/// How the weights of a served model are stored: resolved once for a pass.
class ServedWeights {
public:
    ServedWeights(const Architecture& architecture, const Workload& workload);

    /// Bytes of one operator's weights on one rank, all its matrices, with scales and biases.
    [[nodiscard]] double bytes(const Block& block, const Operator& op) const;
    /// Whether its matrices are stored in the quantised format.
    [[nodiscard]] bool quantized(const Operator& op) const;
    [[nodiscard]] const QuantFormat* format() const { return format_; }

private:
    const Architecture& architecture_;
    const Workload& workload_;
    const QuantFormat* format_;
    std::optional<GgufFile> file_;
    bool experts_only_;
};

/// Bytes of the weights of a model as its repository or file stores them: safetensors with the
/// format of `workload`, or a GGUF file with its header.
double weight_file_bytes(const Architecture& architecture, const Workload& workload);

}  // namespace ridgeline
