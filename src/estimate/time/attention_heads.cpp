#include "estimate/time/attention_heads.h"

#include "spec/matrix_types.h"

#include <algorithm>
#include <array>

namespace ridgeline {

double time_of_narrow_heads(const Accelerator& part, double peak, double width) {
    constexpr double calibrated = 128;  // elements of a head
    if (width <= 0 || width >= calibrated || !part.units || !part.boost_clock_mhz) {
        return 1;
    }
    constexpr double visible = 0.86;  // of the exponentials: 497 of 648 TFLOP/s with heads of 64
    const double exponentials = 16.0 * *part.units * *part.boost_clock_mhz * 1e6;
    const double ratio = visible * peak / (4 * calibrated) / exponentials;
    return (1 + ratio * calibrated / width) / (1 + ratio);
}

double time_of_full_attention(const DeviceModel& device, FlashGeneration generation, double peak,
                              double width, bool backward) {
    constexpr std::array<double, 6> kernels{32, 64, 96, 128, 192, 256};
    constexpr double unmasked = 544.0 / 648;  // figure 5 of FlashAttention-3
    const double* const end = kernels.data() + kernels.size();
    const double* const fitting = std::lower_bound(kernels.data(), end, width);
    const double capability = capability_of(*device.accelerator);
    const bool early = capability > 0 && capability < flash_attention_capability;
    const bool flash = fitting != end && !early;
    const FlashGeneration kernel = flash ? generation : FlashGeneration::flash1;
    // What is published of the Ampere kernels on Hopper is the most they reach, without a mask.
    const bool least = kernel != FlashGeneration::flash3 && device.accelerator->chip == "GH100";
    const double held = fitting != end ? *fitting : width;
    const double narrow = kernel == FlashGeneration::flash3
                              ? time_of_narrow_heads(*device.accelerator, peak, held)
                              : 1;
    const double rate = device.attention_rate[static_cast<std::size_t>(kernel)][backward ? 1 : 0];
    return (least ? 1 : unmasked) * narrow * (held / width) / (rate > 0 ? rate : 1);
}

}  // namespace ridgeline
