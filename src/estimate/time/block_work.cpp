// What the layers of one rank do for one micro-batch: kernels and the collectives between them.
#include "estimate/time/block_work.h"

#include "estimate/stacks/block_memory.h"
#include "estimate/stacks/kept_tensors.h"
#include "estimate/time/device.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

class Blocks {
public:
    Blocks(const EstimateInput& input, const LinkModel& links)
        : input_(input), links_(links), plan_(input.workload.plan) {}

    Work work_of(const Block& block, RecomputeMode recompute);

private:
    Exchange exchange_of(const Block& block, const BlockTime& time, RecomputeMode recompute);
    double ring_context(const Block& block, const BlockTime& time, bool repeated);
    double gathered_context(const Block& block, bool repeated);
    double sequence_copies(const Block& block) const;
    double collective(Collective operation, double bytes, int ranks, int stride);
    double copies_that_travel() const;

    const EstimateInput& input_;
    const LinkModel& links_;
    const Plan& plan_;
    Tier worst_tier_ = Tier::measured;
};

double Blocks::collective(Collective operation, double bytes, int ranks, int stride) {
    if (ranks <= 1 || bytes <= 0) {
        return 0;
    }
    const int per_node = std::clamp(input_.cluster.per_node / std::max(1, stride), 1, ranks);
    const CollectiveTime time =
        collective_time(links_, operation, Bytes::of_base(bytes), ranks, per_node);
    worst_tier_ = std::max(worst_tier_, time.tier);
    return time.time.base();
}

Exchange Blocks::exchange_of(const Block& block, const BlockTime& time, RecomputeMode recompute) {
    Exchange exchange;
    const bool repeated = recompute == RecomputeMode::full;
    if (block.tensor_parallel_messages > 0) {
        const double bytes = block.tensor_parallel_message.base();
        const double once = plan_.sequence_parallel
                                ? collective(Collective::all_gather, bytes, plan_.tensor, 1) +
                                      collective(Collective::reduce_scatter, bytes, plan_.tensor, 1)
                                : collective(Collective::all_reduce, bytes, plan_.tensor, 1);
        double total = once * block.tensor_parallel_messages * (repeated ? 3 : 2);
        if (plan_.sequence_parallel && input_.software.runtime.regathers_sequence()) {
            // The weight gradient needs the gathered input, of which only the shard was kept.
            total += block.tensor_parallel_messages *
                     collective(Collective::all_gather, bytes, plan_.tensor, 1);
        }
        total += sequence_copies(block) * (repeated ? 3 : 2);
        exchange.tensor = total;
        if (input_.software.runtime.options.overlaps_tensor_parallel) {
            // Split into one piece a rank and pipelined with the products: the first piece waits.
            const double piece = 1.0 / plan_.tensor;
            const double products = time.products_forward + time.products_backward;
            exchange.tensor = std::max(total * piece, total - products * (1 - piece));
            exchange.hidden += total - exchange.tensor;
        }
    }
    if (plan_.context > 1 && block.context_message.base() > 0) {
        exchange.context = input_.software.runtime.gathers_context()
                               ? gathered_context(block, repeated)
                               : ring_context(block, time, repeated);
    }
    if (block.expert_messages > 0) {
        const double once =
            collective(Collective::all_to_all, block.expert_message.base() * copies_that_travel(),
                       plan_.expert, plan_.tensor);
        const double total = once * block.expert_messages * (repeated ? 3 : 2);
        // The kernels of another micro-batch run beside the exchange.
        const double kernels = time.forward.device + time.backward.device + time.recompute.device;
        const double covered =
            input_.software.runtime.options.overlaps_expert_parallel ? kernels : 0;
        exchange.expert = std::max(0.0, total - covered);
        exchange.hidden += total - exchange.expert;
    }
    return exchange;
}

/// Seconds of the copies that torch makes around what gathers and scatters along the sequence, its
/// second dimension: the parts are joined anew after a gather, cut and stacked before a reduction
/// (torch/distributed/_functional_collectives.py, all_gather_tensor, reduce_scatter_tensor).
double Blocks::sequence_copies(const Block& block) const {
    if (!plan_.sequence_parallel || input_.software.runtime.kind != RuntimeKind::fsdp2 ||
        plan_.tensor <= 1) {
        return 0;
    }
    constexpr double passes = 2 * 2;  // read and written, for a gather and a reduction
    return passes * block.tensor_parallel_messages * block.tensor_parallel_message.base() *
           input_.device.terms_of(ComputeType::bf16, OperatorClass::streaming).seconds_per_byte;
}

/// Ring attention: each rank passes keys and values on context - 1 times; the backward pass returns
/// their gradients too. Every hop hides behind the attention of the previous one. A ring that
/// leaves a node turns at the pace of the hop between nodes.
double Blocks::ring_context(const Block& block, const BlockTime& time, bool repeated) {
    const bool leaves = plan_.tensor * plan_.context > std::max(links_.domain, links_.per_node);
    const CollectiveTime hop_time = collective_time(links_, Collective::point_to_point,
                                                    block.context_message, 2, leaves ? 1 : 2);
    worst_tier_ = std::max(worst_tier_, hop_time.tier);
    const double hop = hop_time.time.base();
    const double hops = plan_.context - 1;
    const double share = hops / plan_.context;
    return std::max(0.0, hop * hops - time.attention_forward * share) * (repeated ? 2 : 1) +
           std::max(0.0, 2 * hop * hops - time.attention_backward * share);
}

/// Keys and values of all ranks before attention, again before its backward pass, and their
/// gradients summed and parted after it. Attention waits for all of them.
double Blocks::gathered_context(const Block& block, bool repeated) {
    const double whole = block.context_message.base() * plan_.context;
    const double gather = collective(Collective::all_gather, whole, plan_.context, plan_.tensor);
    return gather * (repeated ? 3 : 2) +
           collective(Collective::reduce_scatter, whole, plan_.context, plan_.tensor);
}

/// Share of the routed copies of a token that an exchange moves: dispatchers that send a token once
/// to each node it is needed on save the copies for the other experts there.
double Blocks::copies_that_travel() const {
    const auto& moe = input_.architecture.text().moe;
    const double domain = std::max(1, links_.domain / std::max(1, plan_.tensor));
    const double nodes = plan_.expert / domain;
    const bool dedupes = input_.software.runtime.dedupes_experts() ||
                         input_.software.kernels.activation == ActivationKernel::fused;
    if (!dedupes || !moe || nodes <= 1) {
        return 1;
    }
    const double chosen = moe->experts_per_token;
    const double reached = nodes * (1 - std::pow(1 - 1 / nodes, chosen));
    return std::min(1.0, reached / chosen);
}

Work Blocks::work_of(const Block& block, RecomputeMode recompute) {
    Work work;
    work.block = time_block(block, input_, recompute);
    worst_tier_ = work.block.worst_tier;
    work.exchange = exchange_of(block, work.block, recompute);
    work.block.worst_tier = worst_tier_;
    if (block.position != Block::Position::last) {
        for (const int kept :
             kept_tensors(block, recompute, input_.software, save_policy(input_))) {
            work.kept += block.tensors[static_cast<std::size_t>(kept)].size.base();
        }
    }
    return work;
}

}  // namespace

std::vector<Work> works_of(const EstimateInput& input, const LinkModel& links,
                           const OperatorList& list, RecomputeMode recompute,
                           const std::vector<Work>& none) {
    Blocks blocks(input, links);
    std::vector<Work> works;
    works.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const bool layer = list[i].position == Block::Position::layer;
        if (!layer && !none.empty()) {
            works.push_back(none[i]);
        } else {
            works.push_back(blocks.work_of(list[i], layer ? recompute : RecomputeMode::none));
        }
    }
    return works;
}

}  // namespace ridgeline
