#include "estimate/time/input_pipeline.h"

#include <algorithm>
#include <limits>

namespace ridgeline {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

// Where the size of a sample is not stated: token ids of 32 bits, pixels of three bytes.
double stored_bytes(const Workload& workload) {
    if (workload.input->bytes_per_sample > 0) {
        return workload.input->bytes_per_sample;
    }
    const Batch& batch = workload.batch;
    return batch.image_size > 0 ? 3.0 * batch.image_size * batch.image_size
                                : 4.0 * batch.sequence_length;
}

double cores_per_accelerator(const InputPipeline& input, const Cluster& cluster) {
    if (input.cores_per_accelerator) {
        return *input.cores_per_accelerator;
    }
    const bool known = cluster.machine != nullptr && cluster.machine->host_cores;
    return known ? static_cast<double>(*cluster.machine->host_cores) / cluster.per_node : 0;
}

double rate_of(double per_second, double per_sample) {
    return per_second > 0 && per_sample > 0 ? per_second / per_sample : unbounded;
}

}  // namespace

std::array<InputRate, 4> input_rates(const Workload& workload, const Cluster& cluster) {
    const InputPipeline& stated = *workload.input;
    const double nodes = std::max(1, cluster.nodes());
    const double read = stored_bytes(workload);
    const bool decoded = !stated.direct && stated.decoded_bytes_per_sample > 0;
    const double copied = decoded ? stated.decoded_bytes_per_sample : read;
    const double decode = stated.direct ? 0 : stated.decode_core_seconds;
    const Accelerator& part = *cluster.accelerator;
    const auto link = part.host_rate ? part.host_rate : part.pcie_rate;
    // Ranks that share a sample (tensor, pipeline, context) copy it by one link.
    const double links = std::max(1, workload.plan.data);
    return {
        {{"storage", rate_of(nodes * stated.storage_bytes_per_s.value_or(0), read)},
         {"storage reads",
          rate_of(nodes * stated.storage_reads_per_s.value_or(0), stated.reads_per_sample)},
         {"host decode", rate_of(cluster.count * cores_per_accelerator(stated, cluster), decode)},
         {"host link", rate_of(links * (link ? link->base() : 0), copied)}}};
}

InputRate slowest_input(const Workload& workload, const Cluster& cluster) {
    const auto rates = input_rates(workload, cluster);
    return *std::min_element(rates.begin(), rates.end(), [](const auto& a, const auto& b) {
        return a.samples_per_second < b.samples_per_second;
    });
}

Seconds input_time(const Workload& workload, const Cluster& cluster) {
    if (!workload.input) {
        return {};
    }
    return Seconds::of_base(workload.batch.global /
                            slowest_input(workload, cluster).samples_per_second);
}

}  // namespace ridgeline
