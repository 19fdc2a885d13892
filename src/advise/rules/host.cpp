#include "advise/rules/rule.h"
#include "estimate/time/input_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridgeline::rule {
namespace {

// Mean size of an ImageNet JPEG, 148 GB of 1.28 M files; a token id is at most 4 bytes, and so are
// a number and a key of a click log (Criteo's terabyte); speech is kept in 16 bits at 16 kHz.
constexpr double image_bytes = 115e3;
constexpr double token_bytes = 4;
constexpr double logged_bytes = 4;
constexpr double audio_bytes_per_second = 32e3;

/// Numbers and keys of one sample of a recommender.
double logged_values(const NetworkSizes& sizes) {
    const auto* hot = sizes.list("lookups");
    const auto* rows = sizes.list("table_rows");
    const double keys = hot != nullptr    ? std::accumulate(hot->begin(), hot->end(), 0.0)
                        : rows != nullptr ? static_cast<double>(rows->size())
                                          : sizes.number("tables", 26);
    return keys + sizes.number("numerical_features", 13);
}

/// Bytes on the disk that a step reads in a second; 0: nobody knows how large a sample is.
double read_rate(const RuleContext& c) {
    const TimeEstimate& time = c.estimate.time;
    const Batch& batch = c.workload.batch;
    const auto& network = c.architecture.network;
    if (network && network->type == "recommender") {
        return time.samples_per_second * logged_bytes * logged_values(*network);
    }
    if (network && batch.audio_seconds > 0) {
        return time.samples_per_second * batch.audio_seconds * audio_bytes_per_second;
    }
    if (batch.image_size > 0 || (c.architecture.facts && !network)) {
        return time.samples_per_second * image_bytes;
    }
    return time.tokens_per_second * token_bytes;
}

bool offloads(const RuleContext& c) {
    const Plan& plan = c.workload.plan;
    return plan.offload_optimizer != OffloadTarget::none ||
           plan.offload_parameters != OffloadTarget::none ||
           plan.offload_activations != OffloadTarget::none;
}

bool offloads_to_drive(const RuleContext& c) {
    const Plan& plan = c.workload.plan;
    return c.workload.task == Task::train && (plan.offload_optimizer == OffloadTarget::nvme ||
                                              plan.offload_parameters == OffloadTarget::nvme ||
                                              plan.offload_activations == OffloadTarget::nvme);
}

const Storage* slowest_disk(const RuleContext& c) {
    const Storage* slowest = nullptr;
    for (const Storage& storage : c.catalog.storage) {
        const bool disk = storage.id.rfind("nvme", 0) == 0 && storage.read &&
                          storage.id.find("limit") == std::string::npos;
        if (disk && (slowest == nullptr || *storage.read < *slowest->read)) {
            slowest = &storage;
        }
    }
    return slowest;
}

}  // namespace

Found host_memory_too_small(const RuleContext& c) {
    const bool training = c.workload.task == Task::train;
    const double need = training ? c.estimate.memory.host / gibibyte : 0;
    if (need <= 0 || !c.cluster.host_memory_per_node) {
        return {};
    }
    const double have = *c.cluster.host_memory_per_node / gibibyte;
    if (need <= have) {
        return {};
    }
    return finding(
        "host_memory_too_small", Severity::error,
        fmt::format("what is offloaded needs {:.0f} GiB of host memory a node, {:.0f} are "
                    "there{}",
                    need, have,
                    c.cluster.machine != nullptr ? "" : " in the smallest known machine"),
        {{"needed_gib", need}, {"host_gib", have}}, "catalog: machines");
}

Found offload_over_pcie(const RuleContext& c) {
    const auto rate = c.cluster.accelerator->pcie_rate;
    if (!offloads(c) || offloads_to_drive(c) || !rate) {
        return {};
    }
    const double gb = *rate / gigabyte_per_second;
    const double bandwidth = c.cluster.accelerator->memory_bandwidth / gigabyte_per_second;
    return finding(
        "offload_over_pcie", Severity::warning,
        fmt::format("offloaded state crosses PCIe at {:.0f} GB/s, {:.0f} times slower than "
                    "the part's own memory",
                    gb, bandwidth / gb),
        {{"pcie_gb_per_s", gb}, {"memory_gb_per_s", bandwidth}}, "catalog: pcie");
}

Found offload_to_drive(const RuleContext& c) {
    if (!offloads_to_drive(c)) {
        return {};
    }
    const auto& stated = c.workload.input;
    if (stated && stated->storage_bytes_per_s) {
        const double read = *stated->storage_bytes_per_s;
        const double write = stated->storage_writes_bytes_per_s.value_or(read);
        return finding("offload_to_drive", Severity::warning,
                       fmt::format("offloaded state crosses the storage of a node, which reads "
                                   "{:.3g} GB/s and writes {:.3g} GB/s",
                                   read / 1e9, write / 1e9),
                       {{"read_gb_per_s", read / 1e9}, {"write_gb_per_s", write / 1e9}},
                       "workload: input");
    }
    const Storage* drive = c.cluster.drive;
    if (drive == nullptr || !drive->read || !drive->write) {
        return {};
    }
    const double read = drive->read->base() / 1e9;
    const double write = drive->write->base() / 1e9;
    return finding("offload_to_drive", Severity::warning,
                   fmt::format("offloaded state crosses one drive a node, assumed {} ({:.3g} GB/s "
                               "read, {:.3g} written): state its rate with --storage-gb-per-s",
                               drive->id, read, write),
                   {{"read_gb_per_s", read}, {"write_gb_per_s", write}}, "catalog: storage");
}

Found input_bound(const RuleContext& c) {
    const auto& parts = c.estimate.time.components;
    const auto wait = std::find_if(parts.begin(), parts.end(),
                                   [](const auto& part) { return part.name == "wait for input"; });
    if (wait == parts.end()) {
        return {};
    }
    const double share = wait->time / c.estimate.time.step;
    const InputRate slowest = slowest_input(c.workload, c.cluster);
    const double without = c.estimate.time.samples_per_second / (1 - share);
    return finding(
        "input_bound", Severity::warning,
        fmt::format("the accelerators wait {:.0f} % of the step for samples: {} gives "
                    "{:.4g} a second, they could take {:.4g}",
                    100 * share, slowest.part, slowest.samples_per_second, without),
        {{"samples_per_s", c.estimate.time.samples_per_second}, {"samples_per_s_without", without}},
        "workload: input; catalog: storage, machines, pcie");
}

Found storage_rate_unknown(const RuleContext& c) {
    const auto& input = c.workload.input;
    if (!input || input->storage.empty() || input->storage_bytes_per_s) {
        return {};
    }
    return finding("storage_rate_unknown", Severity::warning,
                   fmt::format("no read rate of {} is known, so that it bounds nothing: state "
                               "input.storage_gb_per_s",
                               input->storage),
                   {}, "catalog: storage");
}

Found storage_too_slow(const RuleContext& c) {
    const Storage* disk = slowest_disk(c);
    if (disk == nullptr || c.workload.task != Task::train || c.workload.input) {
        return {};
    }
    const double node_rate = read_rate(c) / std::max(1, c.cluster.nodes());
    const double read = disk->read->base();
    if (node_rate <= read) {
        return {};
    }
    return finding(
        "storage_too_slow", Severity::warning,
        fmt::format("a node reads {:.1f} GB/s of samples, {} gives {:.1f} GB/s: cache or "
                    "stripe the data set",
                    node_rate / 1e9, disk->id, read / 1e9),
        {{"needed_gb_per_s", node_rate / 1e9}, {"read_gb_per_s", read / 1e9}}, "catalog: storage");
}

Found checkpoint_write(const RuleContext& c) {
    const Storage* disk = slowest_disk(c);
    const auto& run = c.estimate.time.run;
    if (!run || disk == nullptr || !disk->write) {
        return {};
    }
    const Seconds write = run->checkpoint / (*disk->write * std::max(1, c.cluster.nodes()));
    if (write < 60.0 * second) {
        return {};
    }
    return finding(
        "checkpoint_write", Severity::info,
        fmt::format("a checkpoint is {:.0f} GB; one drive of {:.1f} GB/s a node writes "
                    "it in {:.0f} s",
                    run->checkpoint / gigabyte, *disk->write / gigabyte_per_second, write / second),
        {{"checkpoint_gb", run->checkpoint / gigabyte}, {"write_s", write / second}},
        "catalog: storage");
}

}  // namespace ridgeline::rule
