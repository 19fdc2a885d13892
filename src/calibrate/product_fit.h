#pragma once

#include "base/result.h"
#include "spec/measurement.h"

#include <span>
#include <string>

namespace ridgeline {

/// One timed matrix product: what it did, as the operator list counts it, and how long it took.
struct ProductSample {
    Flops work;
    Bytes traffic;
    Flops full_waves;  ///< work with every tile and wave full, as the operator list counts it; 0:
                       ///< unknown
    Bytes quantized;   ///< moved by a pass that quantises the activations first; 0: no such pass
    Seconds time;
    std::string site;    ///< products of one site share a weight ("4096x4096"); held out together
    bool large = false;  ///< m, n and k >= 4096
};

/// Fewest products that determine the three numbers of the formula.
inline constexpr std::size_t fewest_products = 8;

/// Fits a, b, t0 and w of t = t0 + ((F' / aP)^2 + (B / bW)^2)^(1/2), F' = F + w (F_full - F), by
/// the least mean |ln(model / measured)|, with 95 % intervals from 200 bootstrap samples and
/// hold-out errors site by site. w, between 0 and 1, is the share of partly filled tiles and waves
/// that shows in the time; it is 0 where the samples do not say their full waves. A fifth number is
/// the rate of the quantising pass where samples have one.
///
/// peak       dense peak P of the operand type
/// bandwidth  memory bandwidth W
/// Errors: too few samples; a fraction above 1.05 (a wrong reference or a buffer in the cache).
Result<FittedProducts> fit_products(std::span<const ProductSample> samples, ComputeType compute,
                                    FlopsPerSecond peak, BytesPerSecond bandwidth);

}  // namespace ridgeline
