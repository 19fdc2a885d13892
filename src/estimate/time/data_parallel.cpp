#include "estimate/time/data_parallel.h"

#include "estimate/time/peer_access.h"
#include "estimate/time/roofline.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Memory bandwidth that an optimizer on the host of one node reaches: about half of two sockets of
/// eight DDR4-3200 channels (410 GB/s). Assumed.
constexpr BytesPerSecond host_memory_rate = 200.0 * gigabyte_per_second;

struct Group {
    int ranks = 1;
    int per_node = 1;
};

int share_of_node(const EstimateInput& input, int stride, int ranks) {
    return std::clamp(input.cluster.per_node / std::max(1, stride), 1, std::max(1, ranks));
}

/// Collectives of one set of parameters over one group.
struct Traffic {
    const LinkModel& links;
    Tier worst_tier = Tier::measured;

    double time(Collective operation, double bytes, Group group) {
        const CollectiveTime result =
            collective_time(links, operation, Bytes::of_base(bytes), group.ranks, group.per_node);
        worst_tier = group.ranks > 1 ? std::max(worst_tier, result.tier) : worst_tier;
        return result.time.base();
    }
    /// The same bytes as `units` collectives one after another.
    double split(Collective operation, double bytes, Group group, double units) {
        return units * time(operation, bytes / units, group);
    }
};

/// Bytes of one weight on the wire: gathered in the type of the products' 16-bit copy.
constexpr double gathered_bytes = 2;

struct Step {
    double forward = 0;   ///< gathers of one micro-batch's forward pass
    double backward = 0;  ///< collectives of one micro-batch's backward pass
    double first = 0;     ///< gathers before the first forward of the step
    double last = 0;      ///< reductions after the last backward of the step
    double alone = 0;     ///< that nothing hides
};

/// FSDP's gradients are reduced after the last micro-batch alone.
bool defers_reductions(const EstimateInput& input) {
    const Plan& plan = input.workload.plan;
    return (plan.sharding == Sharding::fsdp || plan.sharding == Sharding::hsdp) &&
           input.software.runtime.defers_reductions() && !plan.reduce_each_micro_batch;
}

Step collectives(const EstimateInput& input, Traffic& traffic, double resident, double trained,
                 Group all, double layers) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const double gradient = trained * bytes_per_element(workload.gradients);
    // A shard group smaller than the data-parallel group leaves an all-reduce between the groups.
    Group shard = all;
    Group replicas{1, 1};
    if (plan.shard_group > 0 && plan.shard_group < all.ranks) {
        shard = {plan.shard_group, std::min(all.per_node, plan.shard_group)};
        replicas = {all.ranks / plan.shard_group, std::max(1, all.per_node / plan.shard_group)};
    }
    Step step;
    if (plan.sharding == Sharding::none || plan.sharding == Sharding::ddp) {
        (plan.reduce_each_micro_batch ? step.backward : step.last) =
            traffic.split(Collective::all_reduce, gradient, all, layers);
        return step;
    }
    const double scatter =
        traffic.split(Collective::reduce_scatter, gradient, shard, layers) +
        traffic.split(Collective::all_reduce, gradient / shard.ranks, replicas, layers);
    if (plan.sharding == Sharding::zero1) {
        step.last = scatter;
        step.first = traffic.split(Collective::all_gather, trained * gathered_bytes, shard, layers);
        return step;
    }
    (defers_reductions(input) ? step.last : step.backward) = scatter;
    if (plan.sharding == Sharding::zero2) {
        step.first = traffic.split(Collective::all_gather, trained * gathered_bytes, shard, layers);
        return step;
    }
    step.forward = traffic.split(Collective::all_gather, resident * gathered_bytes, shard, layers);
    step.backward += plan.reshard_after_forward ? step.forward : 0;
    return step;
}

/// What `communication` leaves visible beside `compute` when it comes in `units` pieces: what
/// is longer than the compute, and at least one piece.
double exposed(double communication, double compute, double units) {
    const double piece = communication / std::max(1.0, units);
    return std::max(piece, communication - compute * (1 - 1 / std::max(1.0, units)));
}

/// Over PCIe nothing of DistributedDataParallel's exchange hides behind the backward pass: a second
/// card costs BERT, GNMT, ResNet-50 and SSD as long as their gradients take at 4 to 8 GB/s
/// (lambdal/deeplearning-benchmark: RTX 3090, RTX 4090, RTX A6000). Submissions that order their
/// streams by hand hide it (MLPerf Training).
bool hides_gradients(const EstimateInput& input) {
    constexpr int many = 3;  // more cards than reduce in each other's memory over PCIe
    return input.software.runtime.kind != RuntimeKind::plain ||
           input.workload.plan.sharding != Sharding::ddp ||
           direct_peers(input.cluster, many) == many;
}

/// Seconds that FSDP2 copies beside its collectives, on the stream of the kernels: what was
/// gathered is copied out into each parameter (read and written), gradients are copied in, in the
/// type that is reduced (torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, copy_out,
/// copy_in).
double sharded_copies(const EstimateInput& input, const RankParameters& rank,
                      double micro_batches) {
    const Plan& plan = input.workload.plan;
    const bool sharded = plan.sharding == Sharding::fsdp || plan.sharding == Sharding::hsdp;
    if (!sharded || !input.software.runtime.copies_out()) {
        return 0;
    }
    const double gathers = plan.reshard_after_forward ? 2 : 1;
    const double reduced = bytes_per_element(input.software.runtime.options.reduce);
    const double bytes = gathers * (rank.dense + rank.expert) * 2 * gathered_bytes +
                         (rank.dense_trained + rank.expert_trained) * (gathered_bytes + reduced);
    return micro_batches * bytes *
           input.device.terms_of(ComputeType::bf16, OperatorClass::streaming).seconds_per_byte;
}

double moments(const std::string& optimizer) {
    return optimizer == "adamw" || optimizer == "adam" ? 2 : 1;
}

/// Bytes a weight that Adafactor reads and writes, an operator at a time: the squared gradient and
/// its means, their outer product, the update, its norm and scales, the weight (Transformers
/// optimization.py, Adafactor.step), all in fp32, to which and from which 16-bit ones are cast.
double adafactor_bytes(double gradient, double weight) {
    constexpr double passes = 21;
    return passes * 4 + (gradient < 4 ? gradient + 4 : 0) + (weight < 4 ? 2 * (weight + 4) : 0);
}

}  // namespace

int data_parallel_ranks(const Plan& plan) { return plan.data * plan.context; }

DataParallelTime data_parallel_time(const EstimateInput& input, const LinkModel& links,
                                    const RankParameters& rank, const Windows& windows) {
    const Plan& plan = input.workload.plan;
    const int ranks = data_parallel_ranks(plan);
    DataParallelTime result;
    if (ranks <= 1) {
        return result;
    }
    Traffic traffic{links};
    const Group all{ranks, share_of_node(input, plan.tensor, ranks)};
    const double units = std::max(1.0, rank.layers);
    Step step = collectives(input, traffic, rank.dense, rank.dense_trained, all, units);
    if (rank.expert > 0) {
        const int copies = std::max(1, ranks / std::max(1, plan.expert));
        const Group expert{copies, share_of_node(input, plan.tensor * plan.expert, copies)};
        const Step more =
            collectives(input, traffic, rank.expert, rank.expert_trained, expert, units);
        step.forward += more.forward;
        step.backward += more.backward;
        step.first += more.first;
        step.last += more.last;
        step.alone += more.alone;
    }
    const double m = windows.micro_batches;
    result.total = step.alone + step.first + step.last + m * (step.forward + step.backward);
    result.exposed =
        step.alone + exposed(step.first, windows.forward, units) +
        (hides_gradients(input) ? exposed(step.last, windows.backward, units) : step.last) +
        m * exposed(step.forward, windows.forward, units) +
        m * exposed(step.backward, windows.backward, units);
    const double copies = sharded_copies(input, rank, m);
    result.total += copies;
    result.exposed += copies;
    result.worst_tier = traffic.worst_tier;
    return result;
}

double optimizer_time(const EstimateInput& input, const RankParameters& rank) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const bool sharded = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const int ranks = data_parallel_ranks(plan);
    const double group = plan.shard_group > 0 ? std::min(plan.shard_group, ranks) : ranks;
    const double dense = rank.dense_trained / (sharded ? group : 1);
    const double copies = std::max(1.0, static_cast<double>(ranks) / std::max(1, plan.expert));
    const double expert = rank.expert_trained / (sharded ? std::min(group, copies) : 1);
    const double updated = dense + expert;

    const double gradient = bytes_per_element(workload.gradients);
    const double weight = bytes_per_element(workload.method == Method::full || !workload.lora
                                                ? workload.weights
                                                : workload.lora->weights);
    const double state = bytes_per_element(workload.optimizer_state);
    // Read the gradient; read and write each moment, the master weights and the weights.
    double bytes = gradient + 2 * moments(workload.optimizer) * state;
    bytes += workload.master_weights ? 8 + weight : 2 * weight;
    if (workload.optimizer == "adafactor") {
        bytes = adafactor_bytes(gradient, workload.master_weights ? 4 : weight);
    }
    if (workload.optimizer_implementation == OptimizerImplementation::foreach &&
        moments(workload.optimizer) >= 2) {
        // torch's foreach AdamW makes 13 reads or writes more than one fused pass: the moment
        // updates, square root, division and weight decay each stream whole lists of tensors.
        bytes += 13 * std::max(weight, state);
    }
    bytes += 3 * gradient;  // clipping: the norm reads, the scaling reads and writes
    const OperatorTime time =
        roofline_time(input.device, ComputeType::fp32, OperatorClass::optimizer, Flops{},
                      Bytes::of_base(updated * bytes));
    return time.time.base();
}

namespace {

/// What paged states of an optimizer move over the link to the host in a step, bytes of a rank:
/// what of them has no room beside weights and gradients goes out and comes back (CUDA's managed
/// memory, bitsandbytes' paged optimizers).
double paged_bytes(const EstimateInput& input, const RankParameters& rank, double ranks) {
    const Workload& workload = input.workload;
    if (workload.optimizer_implementation != OptimizerImplementation::paged) {
        return 0;
    }
    const double trained = (rank.dense_trained + rank.expert_trained) / ranks;
    const double states =
        trained * moments(workload.optimizer) * bytes_per_element(workload.optimizer_state);
    const double beside =
        (rank.dense + rank.expert) / ranks * bytes_per_element(workload.weights) +
        (workload.optimizer_in_backward ? 0 : trained * bytes_per_element(workload.gradients));
    const double room = input.device.accelerator->capacity().base() - beside;
    return 2 * std::clamp(states - room, 0.0, states);
}

}  // namespace

double offload_time(const EstimateInput& input, const RankParameters& rank, double micro_batches) {
    const auto rate = input.device.accelerator->pcie_rate;
    if (!rate || rate->base() <= 0) {
        return 0;
    }
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const bool sharded = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const double ranks = sharded ? data_parallel_ranks(plan) : 1;
    const double weight = bytes_per_element(workload.weights);
    const double sharers = std::min(input.cluster.per_node, input.cluster.count);
    double seconds = 0;
    if (plan.offload_parameters != OffloadTarget::none) {
        const double passes = plan.reshard_after_forward ? 2 : 1;
        const double read = micro_batches * passes * (rank.dense + rank.expert) / ranks * weight;
        seconds += read / rate->base();
    }
    seconds += paged_bytes(input, rank, ranks) / rate->base();
    if (plan.offload_optimizer != OffloadTarget::none) {
        const double trained = (rank.dense_trained + rank.expert_trained) / ranks;
        const double gradient = bytes_per_element(workload.gradients);
        const double state = bytes_per_element(workload.optimizer_state);
        seconds += trained * (gradient + weight) / rate->base();
        // The host updates the shards of all its ranks from its own memory.
        const double bytes = gradient + 2 * weight + 4 * state + (workload.master_weights ? 8 : 0);
        seconds += trained * bytes * sharers / host_memory_rate.base();
    }
    return seconds;
}

DriveRates drive_rates(const EstimateInput& input) {
    const auto& stated = input.workload.input;
    if (stated && stated->storage_bytes_per_s) {
        return {*stated->storage_bytes_per_s,
                stated->storage_writes_bytes_per_s.value_or(*stated->storage_bytes_per_s)};
    }
    const Storage* drive = input.cluster.drive;
    return drive != nullptr && drive->read && drive->write
               ? DriveRates{drive->read->base(), drive->write->base()}
               : DriveRates{};
}

double drive_time(const EstimateInput& input, const RankParameters& rank, double micro_batches) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const DriveRates drive = drive_rates(input);
    if (drive.read <= 0 || drive.write <= 0) {
        return 0;
    }
    const bool sharded = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const double ranks = sharded ? data_parallel_ranks(plan) : 1;
    const double trained = (rank.dense_trained + rank.expert_trained) / ranks;
    const double weight = bytes_per_element(workload.weights);
    double reads = 0;
    double writes = 0;
    if (plan.offload_optimizer == OffloadTarget::nvme) {
        constexpr double fp32_gradient = 4;
        const double states =
            moments(workload.optimizer) * bytes_per_element(workload.optimizer_state) +
            (workload.master_weights ? 4 : 0) + fp32_gradient;
        reads += trained * states;
        writes += trained * states;
    }
    if (plan.offload_parameters == OffloadTarget::nvme) {
        const double passes = plan.reshard_after_forward ? 2 : 1;
        reads += micro_batches * passes * (rank.dense + rank.expert) / ranks * weight;
        writes += trained * weight;
    }
    const double sharers = std::max(1, std::min(input.cluster.per_node, input.cluster.count));
    return sharers * (reads / drive.read + writes / drive.write);
}

double activation_offload_time(const EstimateInput& input, double kept, const Windows& windows) {
    const auto rate = input.device.accelerator->pcie_rate;
    const Plan& plan = input.workload.plan;
    if (!keeps_layers_on_host(plan, input.software.support) || !rate || rate->base() <= 0) {
        return 0;
    }
    // All accelerators of a node write to the memory of one host at once.
    const int sharers = std::max(1, std::min(input.cluster.per_node, input.cluster.count));
    const double link = std::min(rate->base(), host_memory_rate.base() / sharers);
    DriveRates away{link, link};
    if (plan.offload_activations == OffloadTarget::nvme) {
        const DriveRates drive = drive_rates(input);
        away.read = drive.read > 0 ? std::min(link, drive.read / sharers) : link;
        away.write = drive.write > 0 ? std::min(link, drive.write / sharers) : link;
    }
    return windows.micro_batches * (std::max(0.0, kept / away.write - windows.forward) +
                                    std::max(0.0, kept / away.read - windows.backward));
}

}  // namespace ridgeline
