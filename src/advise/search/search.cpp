#include "advise/search/search.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/fabric.h"
#include "advise/plans/plans.h"
#include "advise/search/bench.h"
#include "advise/search/supply.h"
#include "advise/search/time_limits.h"
#include "estimate/resolve/legality.h"
#include "spec/chip_support.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// The best plan on one cluster, under each of the stacks that suit it.

namespace ridgeline {
namespace {

// Parts before bf16 units train in fp16, which FSDP2's stacks do not: they scale no loss
// (torchtitan config/job_config.py, mixed_precision_param; torchtune's recipes refuse it). Before
// flash attention (compute capability 8.0) the memory-efficient kernel of PyTorch runs; Megatron's
// layers call flash-attn and cuDNN's attention, which begin there too, and write their scores out
// elsewhere (Transformer Engine, get_attention_backend: UnfusedDotProductAttention).
// GeForce 16 spoils networks in fp16: software keeps their weights in it and computes in fp32.
void suit_to_part(const Search& search, const Accelerator& accelerator, RuntimeKind kind,
                  Workload& workload, std::vector<FilledDefault>& defaults) {
    const WorkloadDocument& stated = search.document;
    const bool spoilt =
        spoils_half(accelerator) &&
        (search.architecture.network || search.architecture.kind == ModelKind::diffusion);
    const bool halves = !accelerator.peak(ComputeType::bf16) &&
                        (accelerator.peak(ComputeType::fp16) ||
                         accelerator.peak(ComputeType::fp16_fp16_accumulate));
    if (!stated.compute && workload.compute == ComputeType::bf16 && halves) {
        const bool narrow = kind != RuntimeKind::fsdp2;
        const bool computes = narrow && !spoilt;
        workload.compute = computes ? ComputeType::fp16 : ComputeType::fp32;
        // Gradients of 16-bit weights are not unscaled (torch/amp/grad_scaler.py): what trains in
        // fp16 without a master copy is kept in fp32.
        const bool whole = workload.task == Task::train && workload.method == Method::full &&
                           !workload.master_weights;
        const auto suit = [&](DType& type) {
            type = type != DType::bf16 ? type : narrow && !whole ? DType::fp16 : DType::fp32;
        };
        suit(workload.weights);
        if (!narrow || whole) {
            suit(workload.gradients);
            suit(workload.optimizer_state);
        }
        defaults.push_back({"precision.compute", computes ? "fp16" : "fp32",
                            accelerator.id + " has no bf16 units" +
                                (spoilt ? ", and its fp16 gives NaN in convolutions" : "")});
    }
    const bool old =
        accelerator.compute_capability && capability_of(accelerator) < flash_attention_capability;
    if (!stated.attention && workload.attention == AttentionKernel::flash && old) {
        const bool unfused = kind == RuntimeKind::megatron && workload.task == Task::train;
        workload.attention = unfused ? AttentionKernel::eager : AttentionKernel::sdpa;
        defaults.push_back({"software.attention", unfused ? "eager" : "sdpa",
                            "flash attention needs compute capability 8.0"});
    }
}

/// A rate that is asked of a network without layers to part is kept by copies, each with as many
/// samples at once as one card has.
bool serves_copies(const Search& search) {
    return search.document.task == Task::inference && search.query.requests_per_s &&
           search.architecture.stacks.empty();
}

}  // namespace

Rejection too_large(const Candidate& candidate, int count, Bytes needed, Bytes capacity,
                    std::string_view what) {
    Rejection result = rejection(
        candidate, count, "memory_exceeded",
        fmt::format("{} {:.1f} GiB on each, {:.1f} GiB there: short by {:.1f} GiB", what,
                    needed / gibibyte, capacity / gibibyte, (needed - capacity) / gibibyte));
    result.shortfall_gib = (needed - capacity) / gibibyte;
    result.excess = needed / capacity - 1;
    return result;
}

Rejection too_large(const Candidate& candidate, int count, const MemoryEstimate& memory) {
    const Bytes room = memory.capacity - memory.unclaimed;
    if (!memory.fits && memory.process <= room) {
        constexpr double hardly = 0.01;
        return rejection(candidate, count, "memory_exceeded",
                         fmt::format("what waits on the host needs {:.0f} GiB of its memory, which "
                                     "is not there",
                                     memory.host / gibibyte),
                         hardly);
    }
    return too_large(candidate, count, memory.process, room, "the best plan needs");
}

Result<ResolvedWorkload> resolved_for(const Search& search, const Candidate& candidate,
                                      const SoftwareProfile& software, int count) {
    WorkloadDocument document = search.document;
    document.framework = software.id;
    if (search.freedom.global && search.freedom.micro && document.task == Task::train) {
        // Resolved for one sample a rank; every plan sets its own batch.
        const int wanted = document.global_batch.value_or(count);
        document.micro_batch = 1;
        document.global_batch = count * std::max(1, wanted / count);
    }
    if (serves_copies(search) && document.serving) {
        document.serving->concurrency *= count;
    }
    auto resolved = resolve(document, search.architecture, software, count);
    if (!resolved) {
        return resolved;
    }
    resolved->workload.batch.global =
        search.document.global_batch.value_or(resolved->workload.batch.global);
    auto& defaults = resolved->defaults;
    defaults.insert(defaults.end(), search.defaults.begin(), search.defaults.end());
    suit_to_part(search, *candidate.accelerator, software.runtime.kind, resolved->workload,
                 defaults);
    return resolved;
}

namespace {

// One stack on the cluster; fills `best`.
void try_stack(const Search& search, const Candidate& candidate, const SoftwareProfile& software,
               const Cluster& cluster, const LinkModel*& links, Best& best) {
    if (const auto legal = check_stated_sizes(search.architecture, search.document); !legal) {
        best.illegal = legal.error();
        return;
    }
    auto resolved = resolved_for(search, candidate, software, cluster.count);
    if (!resolved) {
        best.illegal = best.illegal ? best.illegal : resolved.error();
        return;
    }
    const bool skips = search.brief && software.allocator.replays;
    const SoftwareProfile& stack = skips ? search.models->in_brief(software) : software;
    Bench bench{search, candidate, stack, cluster, links, std::move(resolved->defaults)};
    const std::uint64_t before = best.searched.plans;
    if (resolved->workload.task == Task::train && !search.architecture.stacks.empty()) {
        try_training(bench, resolved->workload, best);
    } else {
        auto plans =
            enumerate_plans(resolved->workload, search.architecture, cluster, search.freedom);
        leave_out_unsupported(plans, software.support, search.freedom);
        try_plans(bench, std::move(plans), best);
    }
    if (best.searched.plans == before && !best.illegal) {
        const auto legal = check_plan(search.architecture, resolved->workload, cluster);
        best.illegal = legal ? Error{ErrorKind::input, "parallel", "no plan divides evenly", ""}
                             : legal.error();
    }
}

Rejection why_none(const Candidate& candidate, int count, const Best& best) {
    if (best.slow) {
        return *best.slow;
    }
    if (best.nearest_miss) {
        return too_large(candidate, count, *best.nearest_miss);
    }
    const std::string message =
        best.illegal ? best.illegal->text() : std::string("no software profile for this method");
    return rejection(candidate, count, "heads_not_divisible", message);
}

}  // namespace

Cluster cluster_of(const Search& search, const Candidate& candidate, int count) {
    const Catalog& catalog = search.knowledge.catalog;
    const int nodes = search.query.nodes.value_or(1);
    const int per_node = nodes > 1 && search.query.exact_accelerators == count && count % nodes == 0
                             ? count / nodes
                             : 0;
    // Cards that must have NVLink are bought with the bridge that joins so many of them.
    return joined_as_stated(
        linked_as_required(make_cluster(catalog, *candidate.accelerator, count, per_node), catalog,
                           search.query.require),
        catalog, search.document);
}

Trial best_on(const Search& search, const Candidate& candidate, int count) {
    return best_on(search, candidate, cluster_of(search, candidate, count));
}

namespace {

/// What only the bounds know of a plan.
Workload rough_workload(const Search& search) {
    Workload rough;
    rough.task = search.document.task;
    rough.method = search.document.method.value_or(Method::lora);
    if (search.document.quantization) {
        rough.quantization.name = *search.document.quantization;
    }
    rough.weights = search.document.weights.value_or(DType::bf16);
    rough.gradients = DType::bf16;
    rough.optimizer = "";  // states differ by stack: the bound leaves them out
    rough.duration_tokens = search.document.duration_tokens;
    rough.compute = search.document.compute.value_or(ComputeType::bf16);
    return rough;
}

/// What needs no plan to be told; its reason is empty where the plans decide.
Rejection outright(const Search& search, const Candidate& candidate, const Cluster& cluster) {
    if (Rejection supply = supply_limit(search, candidate, cluster); !supply.reason.empty()) {
        return supply;
    }
    const Workload rough = rough_workload(search);
    const Bytes least = least_resident(search, rough, cluster.count);
    const Bytes capacity = candidate.accelerator->capacity();
    if (least > capacity) {
        Rejection large =
            too_large(candidate, cluster.count, least, capacity, "weights alone need");
        large.bound = true;
        return large;
    }
    double days = 0;
    if (certainly_late(search, candidate, rough, cluster.count, days)) {
        return rejection(candidate, cluster.count, "too_slow",
                         "at its dense peak " + late_words(days * 86400, *search.query.deadline_s),
                         days * 86400 / *search.query.deadline_s - 1);
    }
    return power_limit(search, candidate, cluster);
}

}  // namespace

Trial best_on(const Search& search, const Candidate& candidate, const Cluster& cluster) {
    Trial trial;
    if (Rejection certain = outright(search, candidate, cluster); !certain.reason.empty()) {
        trial.outcome = std::move(certain);
        return trial;
    }
    const LinkModel* links = nullptr;
    Best best;
    std::optional<Rejection> unsupported;
    for (const SoftwareProfile* software :
         software_for(search, *candidate.accelerator, cluster.count)) {
        if (software == nullptr) {
            continue;
        }
        Rejection old = support_limit(search, candidate, *software, cluster.count);
        if (old.reason.empty()) {
            try_stack(search, candidate, *software, cluster, links, best);
        } else {
            unsupported = std::move(old);
        }
    }
    trial.searched = best.searched;
    if (!best.option) {
        trial.outcome = unsupported ? *unsupported : why_none(candidate, cluster.count, best);
        return trial;
    }
    price(search, candidate, *best.option);
    Rejection money = money_limit(search, candidate, *best.option);
    if (!money.reason.empty()) {
        trial.outcome = std::move(money);
    } else {
        best.option->value = objective_value(search, *best.option);
        trial.outcome = std::move(*best.option);
    }
    return trial;
}

}  // namespace ridgeline
