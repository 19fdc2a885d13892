#pragma once

namespace ridgeline {

/// Part of its maximum power that a machine draws while its accelerators wait. Assumed.
inline constexpr double idle_share = 0.35;

/// Share of its full power that a machine draws over a step: all of it while it computes or
/// streams, a part while it waits for links, hosts or empty pipeline slots.
///
/// step     seconds
/// waiting  seconds of the step in which it waits
/// source   the part that a waiting machine draws is assumed
double power_share(double step, double waiting);

}  // namespace ridgeline
