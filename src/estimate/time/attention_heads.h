#pragma once

#include "estimate/time/device.h"

namespace ridgeline {

/// Factor on the time of attention whose heads are narrower than the 128 of the calibrated kernels.
/// A score costs 4 FLOPs an element of the head and one exponential, which 16 units of a
/// multiprocessor compute (Shah et al. 2024, FlashAttention-3, section 3.1). How far those run
/// beside the products follows from figure 5: 497 TFLOP/s with heads of 64, 648 with 128, H100.
double time_of_narrow_heads(const Accelerator& part, double peak, double width);

/// Factor on the time of attention without a mask over heads of `width`, against the calibrated
/// kernels (causal, heads of 128), which are of the generation flash3.
///
/// - Without a mask no tiles are cut by the diagonal: 648 TFLOP/s where the calibrated figure is
/// 544
///   (Shah et al. 2024, figure 5, H100, heads of 128).
/// - Kernels exist for heads of 32, 64, 96, 128, 192 and 256 elements; between them the rest of a
/// tile
///   is empty (Dao-AILab/flash-attention static_switch.h, HEADDIM_SWITCH). Wider ones take the
///   memory-efficient kernel, as the one head of an autoencoder does; so do parts before compute
///   capability 8.0 (PyTorch sdp_utils.cpp, check_flash_attention_hardware_support).
double time_of_full_attention(const DeviceModel& device, FlashGeneration generation, double peak,
                              double width, bool backward);

}  // namespace ridgeline
