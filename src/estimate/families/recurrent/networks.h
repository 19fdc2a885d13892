#pragma once

#include "estimate/families/family.h"
#include "estimate/families/network_builder.h"

namespace ridgeline {

// Networks of 1-D convolutions over sound, beside those of recurrent layers.

/// Jasper and QuartzNet: blocks [out, kernel, repeat] with dense or plain residuals, every
/// convolution over a masked copy of its input.
void list_acoustic(NetworkBuilder& net, const FamilyInput& input);

/// WaveGlow: flows of an invertible product and dilated convolutions (NVIDIA/waveglow glow.py).
void list_vocoder(NetworkBuilder& net, const FamilyInput& input);

/// One layer over all steps: the product of the inputs runs once, that of the state step by step.
/// cuDNN's two bias vectors; its reserve keeps gates, cell and state of every step.
Map recurrent_layer(NetworkBuilder& net, const Map& in, double hidden, double gates,
                    double biases = 2, bool multiplies_input = true, double projection = 0);

/// FastPitch: blocks of attention and 1-D convolutions over characters, then over frames, and an
/// aligner between them (NVIDIA/DeepLearningExamples fastpitch/model.py).
void list_parallel_synthesis(NetworkBuilder& net, const FamilyInput& input);

/// The Temporal Fusion Transformer (NVIDIA/DeepLearningExamples TFT/modeling.py).
void list_forecast(NetworkBuilder& net, const FamilyInput& input);

}  // namespace ridgeline
