#include "advise/validation/rehearsed_fit.h"

#include "estimate/memory/counters.h"

#include <fmt/format.h>

namespace ridgeline {

RehearsedFit rehearsed_fit(const Rehearsal& rehearsal) {
    if (rehearsal.limited.refused_memory()) {
        const bool freed = rehearsal.expandable && rehearsal.expandable->rehearsed() &&
                           !rehearsal.expandable->refused_memory();
        return freed ? RehearsedFit::barely : RehearsedFit::no;
    }
    for (const RehearsedDevice& device : rehearsal.limited.devices) {
        if (device.retries > 0) {
            return RehearsedFit::barely;
        }
    }
    return RehearsedFit::yes;
}

std::string rehearsed_remedy(const Rehearsal& rehearsal) {
    const RehearsedDevice* peak = rehearsal.told().fullest();
    if (rehearsal.fit == RehearsedFit::yes || peak == nullptr) {
        return "";
    }
    if (rehearsal.limited.refused_memory() && rehearsal.fit == RehearsedFit::barely) {
        return "It fits with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, and not without: "
               "what "
               "lacks is lost between blocks, not held by tensors.";
    }
    if (rehearsal.fit == RehearsedFit::barely) {
        return "Torch had to give unused blocks back to make room, which costs time in each step; "
               "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True avoids that.";
    }
    const Bytes room = rehearsal.capacity - rehearsal.context;
    const double lacks = (peak->allocated - room) / gibibyte;
    if (lacks <= 0) {
        return "Its tensors alone would fit; what lacks is lost between blocks.";
    }
    for (const RehearsedGroup& group : peak->groups) {
        if (group.kind == "activations" && group.bytes / peak->allocated > 0.3) {
            return fmt::format(
                "Tensors alone take {:.1f} GiB more than the card has, and most of them "
                "are activations: a smaller micro-batch or checkpointing.",
                lacks);
        }
    }
    return fmt::format("Tensors alone take {:.1f} GiB more than the card has.", lacks);
}

Bytes context_of(const Calibration& calibration, const Cluster& cluster) {
    const ContextCalibration* best = context_of(calibration, *cluster.accelerator);
    if (best == nullptr) {
        return {};
    }
    return (best->context_mib + (cluster.count > 1 ? best->collective_mib : 0)) * mebibyte;
}

}  // namespace ridgeline
