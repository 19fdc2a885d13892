#pragma once

#include "estimate/time/device.h"

namespace ridgeline {

/// Time that the slowest of `parts` parts of one kind takes for products, against the slowest of a
/// node of eight, whose rate SustainedCalibration::matrix_rate is. Parts that train together wait
/// for it.
double time_of_slowest(int parts);

/// Share of its rate that products of training keep on the slowest of `parts` accelerators, 1 at
/// most. Processors are measured as they stand: what varies between accelerators is the clock that
/// their power allows.
double sustained_rate_of(const DeviceModel& device, int parts);

}  // namespace ridgeline
