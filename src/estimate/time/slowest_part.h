#pragma once

namespace ridgeline {

/// Time that the slowest of `parts` parts of one kind takes for products, against the slowest of a
/// node of eight, whose rate SustainedCalibration::matrix_rate is. Parts that train together wait for it.
double time_of_slowest(int parts);

}  // namespace ridgeline
