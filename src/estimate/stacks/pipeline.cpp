#include "estimate/stacks/pipeline.h"

#include <algorithm>

namespace ridgeline {

ChunkLayers chunk_layers(int layers, const Plan& plan, int chunk) {
    const int chunks = std::max(1, plan.pipeline) * std::max(1, plan.virtual_pipeline);
    if (layers % chunks != 0 && (layers + 2) % chunks == 0) {
        const int share = (layers + 2) / chunks;
        return {std::max(0, chunk * share - 1), std::min(layers, (chunk + 1) * share - 1)};
    }
    const int share = layers / chunks;
    const int extra = layers % chunks;
    const int begin = chunk * share + std::min(chunk, extra);
    return {begin, begin + share + (chunk < extra ? 1 : 0)};
}

double micro_batches(const Workload& workload) {
    const double samples = static_cast<double>(workload.plan.data) * workload.batch.micro;
    return std::max(1.0, workload.batch.global / std::max(1.0, samples));
}

PipelineTime pipeline_time(double slowest, double total, double micro_batches, const Plan& plan) {
    return {micro_batches * slowest,
            std::max(0.0, total - slowest) / std::max(1, plan.virtual_pipeline)};
}

}  // namespace ridgeline
