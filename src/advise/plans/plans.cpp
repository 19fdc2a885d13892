#include "advise/plans/plans.h"

#include "base/order.h"
#include "estimate/estimate.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

// Which plans are worth an estimate. Legality itself is check_plan's; what is left out here is left
// out because another plan of the list is at least as good: tensor parallelism beyond the node,
// micro-batches past the size at which products are full, sharding where a copy fits.

namespace ridgeline {
namespace {

// Tokens of a micro-batch from which matrix products no longer gain from more rows (a few tiles for
// each of some hundred units).
constexpr int full_product_tokens = 8192;
constexpr int long_sequence = 32768;  // from here one sequence may be cut over ranks

struct Shape {
    int tensor = 1;
    int pipeline = 1;
    int context = 1;
    int virtual_pipeline = 1;
};

bool divides(int divisor, int number) { return divisor > 0 && number % divisor == 0; }

bool splits_heads(const Architecture& architecture, int tensor) {
    return std::all_of(
        architecture.stacks.begin(), architecture.stacks.end(),
        [tensor](const TransformerStack& stack) { return divides(tensor, stack.heads); });
}

bool splits_layers(const Architecture& architecture, int pipeline) {
    return pipeline == 1 ||
           (architecture.stacks.size() == 1 && divides(pipeline, architecture.text().layers));
}

// Serving engines part layers unevenly where they do not divide; what reads pictures before a
// decoder stays whole on the first stage.
bool serves_in_stages(const Architecture& architecture, int pipeline) {
    const bool staged = architecture.stacks.size() == 1 || architecture.kind == ModelKind::decoder;
    return pipeline == 1 || (staged && pipeline <= architecture.text().layers);
}

std::vector<Shape> serving_shapes(const Architecture& architecture, const Cluster& cluster) {
    // The widest tensor parallelism of a node with a pipeline over the rest, a pipeline over all,
    // then replicas of ever narrower ones, and last replicas of pipelines.
    std::vector<Shape> shapes;
    const int count = cluster.count;
    for (int tensor = std::min(count, cluster.per_node); tensor >= 1 && shapes.empty(); --tensor) {
        if (divides(tensor, count) && splits_heads(architecture, tensor) &&
            serves_in_stages(architecture, count / tensor)) {
            shapes.push_back({.tensor = tensor, .pipeline = count / tensor});
        }
    }
    const int widest = shapes.empty() ? 1 : shapes.front().tensor;
    if (count > 1 && widest > 1 && serves_in_stages(architecture, count)) {
        shapes.push_back({.tensor = 1, .pipeline = count});
    }
    // The widest first: where no pipeline divides the layers, it is the leanest.
    // Halves of 72 pass by 8, which is the widest there that the heads divide by.
    for (const int from : {std::min(count, cluster.per_node), widest}) {
        for (int tensor = from; tensor >= 1; tensor /= 2) {
            const bool listed = (!shapes.empty() && tensor == count) ||
                                std::any_of(shapes.begin(), shapes.end(), [&](const Shape& shape) {
                                    return shape.pipeline == 1 && shape.tensor == tensor;
                                });
            if (!listed && divides(tensor, count) && splits_heads(architecture, tensor)) {
                shapes.push_back({.tensor = tensor});
            }
        }
    }
    for (int pipeline = count / widest / 2; pipeline > 1; pipeline /= 2) {
        if (divides(widest * pipeline, count) && serves_in_stages(architecture, pipeline)) {
            shapes.push_back({.tensor = widest, .pipeline = pipeline});
        }
    }
    return shapes;
}

void add_model_parallel(std::vector<Shape>& shapes, const Architecture& architecture,
                        const Cluster& cluster) {
    for (int ranks = 2; ranks <= cluster.count; ranks *= 2) {
        for (int tensor = std::min({ranks, cluster.per_node, 8}); tensor >= 1; tensor /= 2) {
            const int pipeline = ranks / tensor;
            // Within a node tensor parallelism alone; beyond it, whole nodes as stages.
            const bool usual = pipeline == 1 || tensor == std::min(cluster.per_node, 8) ||
                               (tensor == 4 && cluster.per_node >= 4);
            if (tensor * pipeline != ranks || !divides(ranks, cluster.count) || !usual ||
                !splits_heads(architecture, tensor) || !splits_layers(architecture, pipeline)) {
                continue;
            }
            shapes.push_back({.tensor = tensor, .pipeline = pipeline});
            const int layers = architecture.text().layers;
            const int chunks = pipeline > 1 ? layers / pipeline : 1;
            if (pipeline > 1 && chunks > 1) {
                shapes.push_back({.tensor = tensor,
                                  .pipeline = pipeline,
                                  .context = 1,
                                  .virtual_pipeline = divides(2, chunks) ? 2 : chunks});
            }
        }
    }
}

std::vector<Shape> training_shapes(const Workload& base, const Architecture& architecture,
                                   const Cluster& cluster) {
    std::vector<Shape> shapes{Shape{}};
    const bool shards_in_full = base.plan.sharding == Sharding::fsdp ||
                                base.plan.sharding == Sharding::hsdp ||
                                base.plan.sharding == Sharding::zero3;
    if (base.batch.sequence_length >= long_sequence && cluster.count > 1) {
        const int context = std::gcd(cluster.count, std::min(cluster.per_node, 8));
        if (context > 1) {
            shapes.push_back({.tensor = 1, .pipeline = 1, .context = context});
        }
    }
    if (base.method == Method::full && cluster.count > 1) {
        if (!shards_in_full) {
            add_model_parallel(shapes, architecture, cluster);
        } else if (const int tensor = std::min(cluster.per_node, 8);
                   cluster.count > tensor && divides(tensor, cluster.count) &&
                   splits_heads(architecture, tensor)) {
            shapes.push_back({.tensor = tensor});
        }
    }
    return shapes;
}

/// Every rank holds one whole of what is small beside its memory: copies wait for gradients alone,
/// shards for weights too.
bool held_with_ease(const Architecture& architecture, const Accelerator& part) {
    constexpr double state_bytes =
        18;  // of a parameter: weights and gradients of 16 bits, master weights and Adam's two
    constexpr double small_share = 0.5;
    return state_bytes * static_cast<double>(count_parameters(architecture).total) <=
           small_share * (part.capacity() / byte);
}

std::vector<Sharding> shardings(const Workload& base, const Architecture& architecture, int data,
                                const Cluster& cluster, const PlanFreedom& free) {
    if (data == 1) {
        return {Sharding::none};
    }
    std::vector<Sharding> list;
    const bool small = architecture.network || held_with_ease(architecture, *cluster.accelerator);
    if (only_copies(base, architecture, cluster, free)) {
        return {Sharding::ddp};
    }
    if (base.plan.sharding == Sharding::none || base.method != Method::full || small) {
        list.push_back(Sharding::ddp);
    }
    if (base.plan.sharding != Sharding::none && base.plan.sharding != Sharding::ddp) {
        list.push_back(base.plan.sharding);
    } else {
        list.push_back(Sharding::fsdp);
    }
    const bool spans_nodes = data > cluster.per_node && divides(cluster.per_node, data);
    if (list.back() == Sharding::fsdp && spans_nodes && base.method == Method::full) {
        list.push_back(Sharding::hsdp);
    }
    return list;
}

/// `share`: samples of a step that fall to one rank.
std::vector<int> micro_batches(const Workload& base, const Architecture& architecture, int share) {
    if (architecture.network || architecture.reads_images()) {
        std::vector<int> sizes = {256, 64, 16, 4,
                                  1};  // small maps fill a device only in many samples
        // Where a usual step has thousands of samples (recommenders), each rank takes its share in
        // one pass.
        if (const int pass = std::min(share, usual_batch(architecture)); pass > sizes.front()) {
            for (int size = pass / 4; size > sizes.front(); size /= 4) {
                sizes.insert(sizes.begin(), size);
            }
            stable_order(sizes.begin(), sizes.end(), std::greater<>());
            sizes.insert(sizes.begin(), pass);
        }
        if (architecture.kind == ModelKind::diffusion) {
            // Scripts count the batch of each accelerator (--train_batch_size of diffusers): no
            // more than the usual one, or than the step that was asked for, which is tried whole.
            const int most = std::max(usual_batch(architecture), share);
            std::erase_if(sizes, [&](int size) { return size > most; });
        }
        // Scripts give each accelerator its whole share of a step at once, others halve it.
        const bool halves = architecture.kind != ModelKind::diffusion;
        for (int pass = share; pass > 0; pass = halves && pass % 2 == 0 ? pass / 2 : 0) {
            const auto at = std::lower_bound(sizes.begin(), sizes.end(), pass, std::greater<>());
            if (pass <= 256 && (at == sizes.end() || *at != pass)) {
                sizes.insert(at, pass);
            }
        }
        return sizes;
    }
    const int most = std::max(1, full_product_tokens / std::max(1, base.batch.sequence_length));
    int size = 1;
    while (size * 2 <= most && size < 16) {
        size *= 2;
    }
    return size == 1 ? std::vector<int>{1} : std::vector<int>{size, 1};
}

// Samples of a step: as asked, but never less than one micro-batch a rank.
int whole_batch(int global, int micro, int data) {
    const int unit = micro * data;
    return std::max(unit, (global + unit - 1) / unit * unit);
}

int expert_ranks(const Architecture& architecture, int data, const Cluster& cluster) {
    const auto& moe = architecture.text().moe;
    if (!moe || data == 1) {
        return 1;
    }
    return std::gcd(std::gcd(moe->experts, data), std::min(cluster.per_node, 64));
}

std::vector<RecomputeMode> recomputes(const Workload& base) {
    if (base.task != Task::train) {
        return {base.plan.recompute};
    }
    return {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full};
}

void add_training_plans(std::vector<Workload>& plans, const Workload& base,
                        const Architecture& architecture, const Cluster& cluster,
                        const Shape& shape, const PlanFreedom& free) {
    const int ranks = shape.tensor * shape.pipeline * shape.context;
    const int data = cluster.count / ranks;
    const auto modes =
        free.recompute ? recomputes(base) : std::vector<RecomputeMode>{base.plan.recompute};
    const auto micros =
        free.micro ? micro_batches(base, architecture, std::max(1, base.batch.global / data))
                   : std::vector<int>{base.batch.micro};
    const auto kinds = free.sharding ? shardings(base, architecture, data, cluster, free)
                                     : std::vector<Sharding>{base.plan.sharding};
    const int experts = expert_ranks(architecture, data, cluster);
    for (const Sharding sharding : kinds) {
        for (const RecomputeMode recompute : modes) {
            for (const int micro : micros) {
                Workload plan = base;
                plan.plan.tensor = shape.tensor;
                plan.plan.pipeline = shape.pipeline;
                plan.plan.context = shape.context;
                plan.plan.virtual_pipeline = shape.virtual_pipeline;
                plan.plan.data = data;
                plan.plan.sequence_parallel = shape.tensor > 1;
                plan.plan.sharding = sharding;
                plan.plan.shard_group = sharding == Sharding::hsdp ? cluster.per_node : 0;
                plan.plan.recompute = recompute;
                plan.plan.expert =
                    free.expert && sharding != Sharding::ddp ? experts : base.plan.expert;
                plan.batch.micro = micro;
                plan.batch.global = !free.global ? base.batch.global
                                    : base.optimizer_in_backward
                                        ? micro * data
                                        : whole_batch(base.batch.global, micro, data);
                const bool steps_whole = plan.batch.global % (micro * data) == 0;
                if (steps_whole && check_plan(architecture, plan, cluster, !plans.empty())) {
                    plans.push_back(std::move(plan));
                }
            }
        }
    }
}

/// Cards that share the steps of one clip, as the scripts of such models have them do, where fewer
/// are asked for at once than there are cards; pictures are made one on each. Tokens are exchanged
/// for heads around each attention as far as the heads divide (Ulysses), keys and values go around
/// for the rest (ring), within a node. Widest first. U-Nets have no tokens that cards could share.
std::vector<Workload> shared_step_plans(const Workload& base, const Architecture& architecture,
                                        const Cluster& cluster) {
    std::vector<Workload> plans;
    const int heads =
        architecture.network ? architecture.network->whole("num_attention_heads", 0) : 0;
    const bool clips = architecture.network && architecture.network->number("fps", 0) > 0;
    if (architecture.kind != ModelKind::diffusion || heads <= 0 || !clips) {
        return plans;
    }
    for (int ranks = std::min(cluster.count, cluster.per_node); ranks > 1; --ranks) {
        if (divides(ranks, cluster.count)) {
            Workload plan = base;
            plan.plan.context = ranks;
            plan.plan.split = {.ring = ranks / std::gcd(ranks, heads)};
            plans.push_back(std::move(plan));
        }
    }
    return plans;
}

std::vector<Workload> serving_plans(const Workload& base, const Architecture& architecture,
                                    const Cluster& cluster, const std::vector<Shape>& shapes,
                                    const PlanFreedom& free) {
    std::vector<Workload> plans;
    std::vector<Workload> forms;
    for (const Shape& shape : shapes) {
        Workload plan = base;
        plan.plan.tensor = shape.tensor;
        plan.plan.pipeline = shape.pipeline;
        plan.plan.context = shape.context;
        forms.push_back(std::move(plan));
    }
    if (free.shape) {
        for (Workload& shared : shared_step_plans(base, architecture, cluster)) {
            forms.push_back(std::move(shared));
        }
    }
    for (Workload& plan : forms) {
        const int stages = plan.plan.pipeline;
        plan.plan.data =
            std::max(1, cluster.count / (plan.plan.tensor * stages * plan.plan.context));
        plan.plan.sharding = Sharding::none;
        const double requests = base.serving ? base.serving->concurrency : 1;
        if (free.shape && plan.plan.data > std::max(1.0, requests) &&
            !shares_tables(architecture)) {
            continue;  // a copy without a request of its own serves nobody
        }
        if (free.shape && free.micro && free.global && base.serving) {
            // Stages of a pipeline take the requests of a copy one group after the other, a group
            // each at a time.
            const double each = std::ceil(std::max(1.0, requests) / plan.plan.data);
            const double group = std::ceil(each / stages);
            plan.batch.micro = static_cast<int>(group);
            plan.batch.global = static_cast<int>(std::ceil(each / group) * group) * plan.plan.data;
        }
        if (check_plan(architecture, plan, cluster)) {
            plans.push_back(std::move(plan));
        }
    }
    return plans;
}

}  // namespace

bool only_copies(const Workload& base, const Architecture& architecture, const Cluster& cluster,
                 const PlanFreedom& free) {
    return base.task == Task::train && base.plan.sharding == Sharding::ddp && free.micro &&
           !architecture.network && held_with_ease(architecture, *cluster.accelerator);
}

void leave_out_unsupported(std::vector<Workload>& plans, const ParallelSupport& support,
                           const PlanFreedom& free) {
    const bool stages_alone = support.pipeline && !support.tensor;
    std::erase_if(plans, [&](const Workload& plan) {
        const bool shares = plan.task == Task::inference && plan.plan.context > 1;
        return free.shape &&
               ((stages_alone && plan.plan.tensor > 1) || (shares && !support.context));
    });
}

PlanFreedom freedom_of(const WorkloadDocument& stated) {
    PlanFreedom free;
    free.shape = !(stated.data || stated.tensor || stated.pipeline || stated.context ||
                   stated.virtual_pipeline);
    free.sharding = !stated.sharding;
    free.recompute = !stated.recompute && !stated.full_recompute_layers;
    free.micro = !stated.micro_batch;
    free.global = !stated.global_batch;
    free.expert = !stated.expert;
    return free;
}

std::vector<Workload> enumerate_plans(const Workload& base, const Architecture& architecture,
                                      const Cluster& cluster, const PlanFreedom& free) {
    const Shape stated{base.plan.tensor, base.plan.pipeline, base.plan.context,
                       base.plan.virtual_pipeline};
    const bool layered = !architecture.stacks.empty();
    std::vector<Shape> shapes{free.shape && layered ? Shape{} : stated};
    if (base.task == Task::inference) {
        if (free.shape && layered) {
            shapes = serving_shapes(architecture, cluster);
        }
        return serving_plans(base, architecture, cluster, shapes, free);
    }
    if (free.shape && layered) {
        shapes = training_shapes(base, architecture, cluster);
    }
    std::vector<Workload> plans;
    for (const Shape& shape : shapes) {
        const int ranks = shape.tensor * shape.pipeline * shape.context;
        if (ranks > 0 && cluster.count % ranks == 0) {
            add_training_plans(plans, base, architecture, cluster, shape, free);
        }
    }
    return plans;
}

}  // namespace ridgeline
