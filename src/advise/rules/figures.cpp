#include "advise/rules/rule.h"

#include <fmt/format.h>

// Figures of data sheets that mislead when they are compared.

namespace ridgeline::rule {

Found sparse_figures(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const auto dense = part.peak(c.workload.compute);
    if (!dense || part.sparsity_factor.value_or(1) <= 1) {
        return {};
    }
    const double tflops = *dense / teraflop_per_second;
    return finding(
        "sparse_figures", Severity::info,
        fmt::format("{:.0f} TFLOP/s dense {} is what counts; the {:.0f} in advertisements "
                    "are for 2:4 sparse weights",
                    tflops, name_of(c.workload.compute), tflops * *part.sparsity_factor),
        {{"dense_tflops", tflops}, {"sparse_tflops", tflops * *part.sparsity_factor}},
        "catalog: peaks");
}

Found half_accumulate_figures(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const auto full = part.peak(ComputeType::fp16);
    const auto half = part.peak(ComputeType::fp16_fp16_accumulate);
    if (!full || !half || *half / *full < 1.5 || c.workload.task != Task::train) {
        return {};
    }
    return finding(
        "half_accumulate_figures", Severity::info,
        fmt::format("training sums in fp32 at {:.0f} TFLOP/s; the {:.0f} quoted for it are "
                    "with fp16 accumulation",
                    *full / teraflop_per_second, *half / teraflop_per_second),
        {{"fp32_accumulate_tflops", *full / teraflop_per_second},
         {"fp16_accumulate_tflops", *half / teraflop_per_second}},
        "catalog: peaks");
}

Found marketed_memory(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const double visible = part.capacity() / gibibyte;
    // "80 GB" read as GiB against what the driver shows.
    if (!part.visible_memory || part.marketed_gb - visible < 0.02 * part.marketed_gb) {
        return {};
    }
    return finding(
        "marketed_memory", Severity::info,
        fmt::format("{:.0f} GB on the box are {:.1f} GiB to programs{}", part.marketed_gb, visible,
                    part.visible_memory_assumed ? " (derived)" : ""),
        {{"marketed_gb", part.marketed_gb}, {"visible_gib", visible}}, "catalog: memory");
}

}  // namespace ridgeline::rule
