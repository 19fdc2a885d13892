#pragma once

#include "estimate/time/roofline.h"
#include "estimate/time/winograd.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Products of a long window along one axis that tiles in the time domain save, times.
inline constexpr double windowed_line = 1.5;

/// What a Fourier transform makes of a convolution of stride 1 along one axis on vector units: maps
/// are cut into tiles of 256 positions that overlap by the window (cuDNN's FFT_TILING, whose
/// windows along one axis reach 256), and every frequency is a product of its own over tiles,
/// channels and filters. Spectra are written, put in order for the products and read, those of the
/// weights whatever the number of samples is. Where the window itself is faster, tiles in the time
/// domain save what `windowed_line` says.
///
/// rates    of the convolution; samples: maps of a pass
/// share    of the operator that this rank computes
TiledWork line_work(const RooflineTerms& rates, const Operator& op, double samples, double share);

}  // namespace ridgeline
