#pragma once

#include "estimate/families/family.h"

namespace ridgeline {

// Networks of 1-D convolutions over sound, beside those of recurrent layers.

/// Jasper and QuartzNet: blocks [out, kernel, repeat] with dense or plain residuals, every
/// convolution over a masked copy of its input.
void list_acoustic(NetworkBuilder& net, const FamilyInput& input);

/// WaveGlow: flows of an invertible product and dilated convolutions (NVIDIA/waveglow glow.py).
void list_vocoder(NetworkBuilder& net, const FamilyInput& input);

}  // namespace ridgeline
