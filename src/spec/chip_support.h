#pragma once

#include "spec/accelerator.h"
#include "spec/software_profile.h"
#include "spec/workload_document.h"

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline {

/// Whether ROCm was never built for a part of AMD, or no longer is (Polaris, RDNA 1): the catalog
/// lists no release of it among the part's software.
bool lacks_rocm(const Accelerator& part);

/// The toolkit that is the last to compile for a part, as the catalog says where a later one leaves
/// it out ("CUDA 12", "ROCm 6"); empty: the newest does, or nothing is known.
std::string last_toolkit(const Accelerator& part);

/// Whether convolutions in fp16 give NaN on a part, so that software computes networks in fp32
/// there: the chips of GeForce 16, TU116 and TU117 (pytorch/pytorch #58123; ComfyUI,
/// comfy/model_management.py, should_use_fp16).
bool spoils_half(const Accelerator& part);

/// Whether a stack has a build for the maker of a part, or for Vulkan where the maker's own stack
/// leaves the part out; yes where its profile names no makers.
bool is_made_for(const SoftwareProfile& software, const Accelerator& part);

/// Why a stack does not run weights that are stored so on a part: it does not read them, or has no
/// kernel for so old a chip. Empty: it runs them, or nothing is known against it.
///
/// stored  type of the weights ("nvfp4", "q4_k_m"); empty: 16 bits
std::string weights_conflict(const SoftwareProfile& software, const Accelerator& part,
                             std::string_view stored);

/// Why a stack does not run on a part, as a sentence without its stop: it has no build for the
/// maker, or needs a newer compute capability, for anything or for weights stored as they are.
/// Empty: it runs, or nothing is known against it.
///
/// stored  type of the weights ("nvfp4"); empty: 16 bits
std::string chip_conflict(const SoftwareProfile& software, const Accelerator& part,
                          std::string_view stored);

/// What the part does not run of what a document asks, and the flag that is at fault.
struct ChipConflict {
    std::string_view flag = {};
    std::string why = {};
    std::string_view remedy = {};
};

/// Of the stack that runs it, whether it was named or chosen; the flag is empty where nothing is
/// known against it. A stack that was not named is held to its types of weights alone: whoever has
/// an old chip may have an old release.
ChipConflict chip_conflict(const WorkloadDocument& document, const SoftwareProfile& software,
                           const Accelerator& part);

/// Why products of that type cannot run on a part: its matrix units are known to lack it, and they
/// are narrower than what a wider unit could stand in for unseen. Empty: they can.
std::string compute_conflict(const Accelerator& part, std::optional<ComputeType> stated);

}  // namespace ridgeline
