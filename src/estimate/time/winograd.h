#pragma once

#include "estimate/input.h"
#include "estimate/time/roofline.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// What Winograd's tiles make of a 3x3 convolution of stride 1 on vector units.
struct TiledWork {
    double products = 1;     ///< of the floating-point operations that are left
    double transformed = 0;  ///< bytes that transforms of their own write and read beside the maps
};

/// The faster of two kinds. Fused, tiles of 2x2 outputs need 16 products for 36. With transforms of
/// their own, tiles of 4x4 outputs need 36 for 144, and every map is written and read once more, 36
/// values for 16: cuDNN takes these for many channels from 16 images on, and for gradients of
/// weights (baidu-research/DeepBench, as in single_convolution.h).
///
/// rates  of the convolution; back: its gradients; samples: images of a pass
/// share  of the operator that this rank computes
TiledWork winograd_work(const RooflineTerms& rates, const Operator& op, bool back, double samples,
                        double share);

}  // namespace ridgeline
