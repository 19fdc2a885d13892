#pragma once

#include <functional>
#include <vector>

namespace ridgeline {

struct Minimum {
    std::vector<double> at;
    double value = 0;
};

/// Least value of `loss` near `start` by the simplex of Nelder and Mead (1965), restarted once from
/// where it stopped, as the simplex may collapse on a kinked loss.
///
/// step  first extent of the simplex along each axis
Minimum minimise(const std::function<double(const std::vector<double>&)>& loss,
                 const std::vector<double>& start, double step);

}  // namespace ridgeline
