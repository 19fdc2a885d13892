#include "advise/rules/rule.h"

#include <fmt/format.h>

// What would lower the peak of a training run that does not fit or hardly fits.

namespace ridgeline::rule {
namespace {

constexpr double worth_naming_gib = 0.5;

bool short_of_memory(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    return c.workload.task == Task::train &&
           (!memory.fits || memory.headroom() < memory.capacity * 0.05);
}

// Bytes of the components of the peak whose names start with `prefix`.
double at_peak_gib(const RuleContext& c, std::string_view prefix) {
    const MemoryEstimate& memory = c.estimate.memory;
    if (memory.peak_instant >= memory.instants.size()) {
        return 0;
    }
    Bytes total;
    for (const Component& component : memory.instants[memory.peak_instant].components) {
        if (component.name.substr(0, prefix.size()) == prefix) {
            total += component.size;
        }
    }
    return total / gibibyte;
}

}  // namespace

Found recompute_activations(const RuleContext& c) {
    const double kept = at_peak_gib(c, "activations");
    if (!short_of_memory(c) || c.workload.plan.recompute == RecomputeMode::full ||
        kept < worth_naming_gib) {
        return {};
    }
    return finding("recompute_activations", Severity::info,
                   fmt::format("{:.1f} GiB of the peak are kept activations: recomputing them "
                               "(checkpointing) frees most, for up to a third more compute",
                               kept),
                   {{"activations_gib", kept}}, "memory model");
}

Found mixed_precision(const RuleContext& c) {
    if (c.workload.task != Task::train || c.workload.compute != ComputeType::fp32) {
        return {};
    }
    const auto& part = *c.cluster.accelerator;
    const auto half =
        part.peak(ComputeType::bf16) ? part.peak(ComputeType::bf16) : part.peak(ComputeType::fp16);
    const auto full = part.peak(ComputeType::fp32);
    if (!half || !full) {
        return {};
    }
    return finding(
        "mixed_precision", Severity::info,
        fmt::format("fp32 products run at {:.0f} TFLOP/s, 16-bit ones at {:.0f}: automatic "
                    "mixed precision uses them and halves activations, not states",
                    *full / teraflop_per_second, *half / teraflop_per_second),
        {{"fp32_tflops", *full / teraflop_per_second},
         {"half_tflops", *half / teraflop_per_second}},
        "catalog, dense peaks");
}

Found shard_states(const RuleContext& c) {
    const Sharding sharding = c.workload.plan.sharding;
    const bool whole_copy = sharding == Sharding::none || sharding == Sharding::ddp;
    if (!short_of_memory(c) || !whole_copy || c.workload.plan.data < 2) {
        return {};
    }
    const double states = at_peak_gib(c, "weights") + at_peak_gib(c, "gradients") +
                          at_peak_gib(c, "optimizer") + at_peak_gib(c, "master");
    const double saved = states * (1 - 1.0 / c.workload.plan.data);
    return finding("shard_states", Severity::info,
                   fmt::format("every one of {} ranks holds {:.1f} GiB of weights and states: "
                               "sharding them (FSDP, ZeRO-3) frees {:.1f} GiB",
                               c.workload.plan.data, states, saved),
                   {{"states_gib", states}, {"saved_gib", saved}},
                   "Rajbhandari et al. 2019 (ZeRO)");
}

Found eight_bit_optimizer(const RuleContext& c) {
    const double states = at_peak_gib(c, "optimizer");
    const bool adam = c.workload.optimizer == "adamw" || c.workload.optimizer == "adam";
    if (!short_of_memory(c) || !adam || c.workload.optimizer_state != DType::fp32 ||
        states < worth_naming_gib) {
        return {};
    }
    return finding("eight_bit_optimizer", Severity::info,
                   fmt::format("optimizer states take {:.1f} GiB in fp32: 8-bit states free about "
                               "{:.1f} GiB",
                               states, states * 0.75),
                   {{"optimizer_gib", states}, {"saved_gib", states * 0.75}},
                   "Dettmers et al. 2021 (8-bit optimizers)");
}

}  // namespace ridgeline::rule
