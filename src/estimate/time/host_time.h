#pragma once

#include "estimate/input.h"
#include "estimate/time/pass_cost.h"

namespace ridgeline {

struct BlockTime;

/// Of the link to the host that copies of pageable memory reach: the driver passes them through a
/// pinned buffer of its own (NVIDIA, "How to Optimize Data Transfers in CUDA C/C++": 1.9 to 2.7
/// times slower than pinned memory on a desktop).
inline constexpr double pageable_share = 0.5;
/// Seconds of one wait of host and card for each other (assumed).
inline constexpr double host_wait = 50e-6;

/// Seconds of a result that the host waits for, and of the next launch (assumed).
inline constexpr double result_wait = 20e-6;

/// Host seconds of one kernel that a module launches and no graph has.
double eager_launch_time(const EstimateInput& input);
/// The same of decoders that are served, whose time was stated for a server of 2020 and whose host
/// is that of the part. What networks, recordings and training take was found beside the parts.
double serving_launch_time(const EstimateInput& input);
/// Host seconds of a kernel; none where a graph has them.
double launch_time(const EstimateInput& input);

/// Host seconds of one pass that the device does not hide: launches of eager kernels, and `serial`
/// waits for results.
double host_excess(const EstimateInput& input, const PassCost& cost, double serial);

/// Seconds that the device stands still in one training pass while the host walks over the experts
/// of a layer (Transformers before 5): it waits for each result, and cannot run ahead of the
/// kernels of a pass forward. Backward it runs ahead.
double held_by_walk(const EstimateInput& input, const BlockTime& time, RecomputeMode recompute);

/// Time of a launch on the hosts that cards of that age sit in, over that on hosts of 2020 and
/// later: EfficientNet-B0 one image at a time takes 12 ms beside a V100 and 7.7 ms beside an A100
/// (NVIDIA/DeepLearningExamples). What the catalog states of a part goes before.
double host_pace(const Accelerator& accelerator);

/// The same by the speed of one core of the host, of which the part says what it stands in: servers
/// since 2022 are faster than those of 2020 by a fifth; workstations and desktops take as much less
/// as their clocks are higher (some 4.6 and 5.7 GHz of a Threadripper PRO or Xeon W and of a Core
/// i9 or Ryzen 9, against 3.8 of a server's core; assumed). The hosts of published figures lie
/// apart by a factor of two within each kind: beside RTX 4090 h2oGPT's take more than that,
/// bitsandbytes' less.
double core_pace(const Accelerator& accelerator);

}  // namespace ridgeline
