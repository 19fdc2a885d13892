#include "estimate/money/energy.h"

#include <algorithm>

namespace ridgeline {
double power_share(double step, double waiting) {
    const double busy = step > 0 ? 1 - std::min(1.0, waiting / step) : 1;
    return idle_share + (1 - idle_share) * busy;
}

}  // namespace ridgeline
