// From tensors alive to what people see: the allocator's reserved memory and the process counter.
#include "estimate/memory.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

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

/// Share of what comes and goes that the allocator holds beyond it.
double fragmentation(const EstimateInput& input) {
    const SoftwareProfile& software = input.software;
    double share = software.fragmentation;
    if (input.workload.plan.recompute == RecomputeMode::none) {
        share = software.fragmentation_kept.value_or(share);
    }
    return input.workload.compiled ? software.fragmentation_compiled.value_or(share) : share;
}

/// Highest bytes of one pool over the instants; what comes and goes counts with its fragmentation.
double pool_peak(const std::vector<Instant>& instants, MemoryPool pool, double fragmentation) {
    double highest = 0;
    for (const Instant& instant : instants) {
        double held = 0;
        for (const Component& component : instant.components) {
            if (component.pool == pool) {
                held += component.size.base() * (component.churns ? 1 + fragmentation : 1);
            }
        }
        highest = std::max(highest, held);
    }
    const double segment = 2 * mebibyte.base();
    return std::ceil(highest / segment) * segment;
}

/// What the caching allocator holds at its highest. Each stream has a pool of its own whose
/// segments no other stream can use: the peaks of the pools add up, though they come at different
/// instants.
///
/// gather_pool  bytes of the gathering stream's pool, where the instants do not show its peak
/// limit        bytes of the card less what others hold. Before it fails the allocator gives back
/// its
///              unused segments, so that reserved memory stops there as long as the tensors fit.
double reserved_bytes(const MemoryEstimate& memory,
                      double gather_pool,
                      double fragmentation,
                      double limit) {
    const std::vector<Instant>& instants = memory.instants;
    const double highest = pool_peak(instants, MemoryPool::compute, fragmentation) +
                           std::max(gather_pool, pool_peak(instants, MemoryPool::gather, 0)) +
                           pool_peak(instants, MemoryPool::reduce, 0);
    const double least = memory.allocated.base();
    return highest > limit && least <= limit ? std::max(least, limit) : std::max(least, highest);
}

std::string_view method_name(const Workload& workload) {
    if (workload.task == Task::inference) {
        return "inference";
    }
    switch (workload.method) {
        case Method::full:
            return "full";
        case Method::lora:
            return "lora";
        case Method::qlora:
            return "qlora";
    }
    return "full";
}

}  // namespace

MemoryEstimate estimate_memory(const EstimateInput& input) {
    MemoryEstimate memory;
    double gather_pool = 0;
    if (input.workload.task == Task::inference) {
        InferencePeak peak = inference_peak(input);
        memory.instants = std::move(peak.instants);
        memory.peak_instant = peak.index;
        memory.allocated = peak.total;
        memory.kv_capacity_tokens = peak.kv_capacity_tokens;
    } else {
        TrainingPeak peak = training_peak(input);
        memory.instants = std::move(peak.instants);
        memory.peak_instant = peak.index;
        memory.peak_stage = peak.stage;
        memory.allocated = peak.total;
        gather_pool = peak.gather_pool.base();
    }
    double library = 0;
    double outside = 0;
    if (const ContextCalibration* context =
            context_of(input.calibration, *input.cluster.accelerator)) {
        // The workspace of the BLAS library comes from the caching allocator: torch counts it.
        library = context->library_mib * mebibyte.base();
        outside = context->context_mib * mebibyte.base();
        if (input.cluster.count > 1) {
            outside += context->collective_mib * mebibyte.base();
        }
    }
    memory.allocated += Bytes::of_base(library);
    for (Instant& instant : memory.instants) {
        if (library > 0) {
            Component component;
            component.name = "library workspace";
            component.size = Bytes::of_base(library);
            component.formula = "workspace of the BLAS library, allocated once";
            instant.components.push_back(component);
            instant.total += component.size;
        }
    }
    memory.capacity = input.cluster.accelerator->capacity();
    const double limit = memory.capacity.base() - outside;
    memory.reserved = Bytes::of_base(reserved_bytes(memory, gather_pool, fragmentation(input), limit));
    memory.context = Bytes::of_base(outside);
    memory.process = memory.reserved + memory.context;
    memory.fits = memory.process <= memory.capacity;
    const std::string_view method = method_name(input.workload);
    const std::string_view framework = input.workload.framework;
    memory.band = band_for(input.calibration, "memory", {method, framework, "process"});
    memory.band_allocated = band_for(input.calibration, "memory", {method, framework, "allocated"});
    memory.band_reserved = band_for(input.calibration, "memory", {method, framework, "reserved"});
    return memory;
}

}  // namespace ridgeline
