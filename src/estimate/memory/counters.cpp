// From tensors alive to what people see: the allocator's reserved memory and the process counter.
#include "estimate/memory/counters.h"

#include "estimate/memory/communicators.h"
#include "estimate/memory/rank.h"
#include "estimate/memory/training_peak.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

/// Highest bytes of one pool over the instants; what comes and goes counts with its fragmentation.
double pool_peak(const std::vector<Instant>& instants, MemoryPool pool,
                 const Fragmentation& fragmentation) {
    double highest = 0;
    for (const Instant& instant : instants) {
        double held = pool == MemoryPool::compute ? instant.hole.base() : 0;
        for (const Component& component : instant.components) {
            if (component.pool == pool) {
                held += pool_bytes(component.size.base(), component.churn, pool, fragmentation);
            }
        }
        highest = std::max(highest, held);
    }
    return highest;
}

/// In whole segments of the allocator.
double segments(double bytes) {
    const double segment = 2 * mebibyte.base();
    return std::ceil(bytes / segment) * segment;
}

/// What the caching allocator would hold at its highest on a card without end. Each stream has a
/// pool of its own whose segments no other stream can use: the peaks of the pools add up, though
/// they come at different instants.
double held_bytes(const PeakTotals& peak) {
    const auto pool = [&peak](MemoryPool which) {
        return segments(peak.pools[static_cast<std::size_t>(which)]);
    };
    const auto held = [&peak](MemoryPool which, double otherwise) {
        const double replayed = peak.replayed[static_cast<std::size_t>(which)];
        return replayed > 0 ? replayed : otherwise;
    };
    const double highest =
        held(MemoryPool::compute, pool(MemoryPool::compute)) +
        held(MemoryPool::gather, std::max(peak.gather_pool, pool(MemoryPool::gather))) +
        held(MemoryPool::reduce, pool(MemoryPool::reduce));
    return std::max(peak.total, highest);
}

/// The same on a card.
///
/// limit  bytes of the card less what others hold. Before it fails the allocator gives back its
///        unused segments, so that reserved memory stops there as long as the tensors fit.
double reserved_bytes(const PeakTotals& peak, double limit) {
    const double held = held_bytes(peak);
    return held > limit && peak.total <= limit ? limit : held;
}

/// Adds what torch counts beside the tensors: the workspace of the BLAS library comes from the
/// caching allocator.
void add_library(MemoryEstimate& memory, double library) {
    memory.allocated += Bytes::of_base(library);
    for (Instant& instant : memory.instants) {
        if (library > 0) {
            Component component;
            component.name = "library workspace";
            component.size = Bytes::of_base(library);
            component.formula =
                "workspaces of the BLAS library: one for the forward, one for the backward pass";
            instant.components.push_back(component);
            instant.total += component.size;
        }
    }
}

/// Adds an instant before which the allocator gave back what it did not use: it is the peak where
/// its tensors alone need more than the others with all that the allocator held.
void add_emptied(MemoryEstimate& memory, Instant instant, double library) {
    MemoryEstimate alone;
    alone.instants.push_back(std::move(instant));
    add_library(alone, library);
    const Bytes total = alone.instants.front().total;
    memory.instants.push_back(std::move(alone.instants.front()));
    if (total > memory.reserved) {
        memory.peak_instant = memory.instants.size() - 1;
        memory.reserved = memory.allocated = total;
    }
}

/// Weights and states of the optimizer at the peak, whose sizes are counted to the byte.
Bytes counted_to_the_byte(const MemoryEstimate& memory) {
    Bytes held{};
    for (const Component& component : memory.instants[memory.peak_instant].components) {
        const std::string_view name = component.name;
        if (name == "weights" || name == "master weights" || name == "optimizer" ||
            name == "optimizer state") {
            held += component.size;
        }
    }
    return held;
}

/// No range reaches below what is counted.
Interval not_below(Bytes held, Bytes whole, Interval band) {
    if (whole > Bytes{}) {
        band.low = std::max(band.low, std::min(1.0, held / whole));
    }
    return band;
}

void add_bands(MemoryEstimate& memory, const EstimateInput& input) {
    const auto band = [&](std::string_view counter) {
        return band_for(input.calibration, memory_kind(input, counter));
    };
    const Bytes held = counted_to_the_byte(memory);
    memory.band = not_below(held, memory.process, band("process"));
    memory.band_allocated = not_below(held, memory.allocated, band("allocated"));
    memory.band_reserved = not_below(held, memory.reserved, band("reserved"));
}

/// The verdict of the contract.
///
/// held  what the allocator would hold on a card without end
/// host  memory of a node's host; none: unknown, nothing is refused
void judge(MemoryEstimate& memory, Bytes held, Bytes host) {
    const bool host_fits = host <= Bytes{} || memory.host <= host;
    memory.fits = memory.headroom() >= Bytes{} && host_fits;
    if (!memory.fits) {
        memory.verdict = FitVerdict::no;
        return;
    }
    const Bytes room = memory.capacity - memory.unclaimed;
    if (held + memory.context > room) {
        memory.barely_by = BarelyBy::fragments;
    } else if (memory.process * std::max(1.0, memory.band.high) > room) {
        memory.barely_by = BarelyBy::range;
    }
    const bool roomy = memory.barely_by == BarelyBy::none;
    memory.verdict = roomy ? FitVerdict::yes : FitVerdict::barely;
}

}  // namespace

const ContextCalibration* context_of(const Calibration& calibration,
                                     const Accelerator& accelerator) {
    const ContextCalibration* best = nullptr;
    for (const ContextCalibration& entry : calibration.contexts) {
        const bool own = entry.accelerator == accelerator.id;
        const bool vendor = entry.accelerator.empty() && entry.vendor == accelerator.vendor;
        const bool any = entry.accelerator.empty() && entry.vendor.empty();
        if (own) {
            return &entry;
        }
        if (vendor || (any && best == nullptr)) {
            best = &entry;
        }
    }
    return best;
}

bool fragments_experts(const EstimateInput& input) {
    return input.software.runtime.fragmentation_experts() > 0 &&
           input.workload.plan.recompute != RecomputeMode::none && input.architecture.text().moe;
}

Fragmentation fragmentation_of(const EstimateInput& input) {
    const SoftwareProfile& software = input.software;
    double share = software.allocator.fragmentation;
    if (input.workload.plan.recompute == RecomputeMode::none) {
        share = software.allocator.fragmentation_kept.value_or(share);
    }
    if (fragments_experts(input)) {
        share = input.software.runtime.fragmentation_experts();
    }
    return {.layers = share, .loss = software.allocator.fragmentation_loss()};
}

Interval process_band(const EstimateInput& input) {
    return band_for(input.calibration, memory_kind(input, "process"));
}

OutsideTensors outside_tensors(const EstimateInput& input) {
    OutsideTensors outside;
    if (const ContextCalibration* context =
            context_of(input.calibration, *input.cluster.accelerator)) {
        outside.library = context->library_mib * mebibyte.base();
        outside.context = context->context_mib * mebibyte.base();
        outside.context += communication_bytes(input, input.workload.plan);
    }
    // Megatron's are listed with those of Transformer Engine (add_framework_buffers).
    if (outside.library <= 0 && input.workload.task != Task::inference &&
        !input.software.runtime.fuses_weight_gradients()) {
        outside.library = torch_workspaces(input.cluster.accelerator);
    }
    outside.capacity = input.cluster.accelerator->capacity().base();
    outside.host = input.cluster.host_memory_per_node.value_or(Bytes{}).base();
    return outside;
}

double process_bytes(PeakTotals peak, const OutsideTensors& outside) {
    peak.total += outside.library;
    peak.pools[static_cast<std::size_t>(MemoryPool::compute)] += outside.library;
    return reserved_bytes(peak, outside.capacity - outside.context) + outside.context;
}

MemoryEstimate counted(MemoryEstimate memory, const EstimateInput& input, double gather_pool,
                       PoolBytes replayed, double library_share,
                       const std::optional<Instant>& emptied) {
    OutsideTensors outside = outside_tensors(input);
    outside.library *= library_share;
    add_library(memory, outside.library);
    PeakTotals peak{
        .total = memory.allocated.base(), .gather_pool = gather_pool, .replayed = replayed};
    const Fragmentation fragmentation = fragmentation_of(input);
    for (std::size_t pool = 0; pool < memory_pools; ++pool) {
        peak.pools[pool] = pool_peak(memory.instants, static_cast<MemoryPool>(pool), fragmentation);
    }
    memory.capacity = Bytes::of_base(outside.capacity);
    memory.reserved = Bytes::of_base(reserved_bytes(peak, outside.capacity - outside.context));
    Bytes held = Bytes::of_base(held_bytes(peak));
    if (emptied) {
        add_emptied(memory, *emptied, outside.library);
        held = std::max(held, emptied->total);
    }
    memory.context = Bytes::of_base(outside.context);
    memory.process = memory.reserved + memory.context;
    add_bands(memory, input);
    judge(memory, held, Bytes::of_base(outside.host));
    return memory;
}

MemoryEstimate at_peak(const EstimateInput& input, const MemoryStages& stages, TrainingPeak& peak) {
    MemoryEstimate memory;
    memory.instants = std::move(peak.instants);
    memory.peak_instant = peak.index;
    memory.peak_stage = peak.stage;
    memory.allocated = peak.total;
    memory.host = Bytes::of_base(host_bytes(input, stages));
    return memory;
}

MemoryEstimate estimate_training_memory(const EstimateInput& input, const MemoryStages& stages) {
    TrainingPeak peak = training_peak(input, stages);
    MemoryEstimate memory = at_peak(input, stages, peak);
    return counted(std::move(memory), input, peak.gather_pool.base(), peak.replayed);
}

}  // namespace ridgeline
