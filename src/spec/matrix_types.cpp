#include "spec/matrix_types.h"

#include "base/lists.h"
#include "base/number.h"

#include <string_view>

namespace ridgeline {
namespace {

/// The compute capability that brought a type; 0: none is named.
double first_capability(ComputeType type) {
    switch (type) {
        case ComputeType::int8:
            return 7.2;
        case ComputeType::bf16:
        case ComputeType::tf32:
            return 8.0;
        case ComputeType::fp8:
            return 8.9;
        case ComputeType::mxfp8:
        case ComputeType::fp4:
            return 10.0;
        default:
            return 0;
    }
}

bool amd_lacks(std::string_view gfx, ComputeType type) {
    const bool rdna3 = gfx.starts_with("gfx11");
    const bool before_fp8 =
        rdna3 || gfx.starts_with("gfx10") || is_among(gfx, {"gfx906", "gfx908", "gfx90a"});
    switch (type) {
        case ComputeType::fp8:
            return before_fp8;
        case ComputeType::mxfp8:
        case ComputeType::fp4:
            return before_fp8 || gfx == "gfx942" || gfx.starts_with("gfx12");
        default:
            return false;
    }
}

}  // namespace

double capability_of(const Accelerator& accelerator) {
    return accelerator.compute_capability ? number_or_zero(*accelerator.compute_capability) : 0;
}

bool lacks_matrix_type(const Accelerator& accelerator, ComputeType type) {
    if (accelerator.peak(type)) {
        return false;
    }
    if (accelerator.compute_capability) {
        return capability_of(accelerator) < first_capability(type);
    }
    return accelerator.gfx_arch && amd_lacks(*accelerator.gfx_arch, type);
}

}  // namespace ridgeline
