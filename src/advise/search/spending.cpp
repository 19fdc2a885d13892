#include "advise/search/spending.h"

#include <algorithm>

namespace ridgeline {

bool has_length(const Option& option) { return option.estimate.time.total > Seconds{}; }

std::optional<Spending> spending_of(const Query& query, const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    const double hourly = option.estimate.cost.usd_per_hour;
    if (!query.budget_usd || query.buy || query.owned || option.workload.task != Task::train ||
        has_length(option) || hourly <= 0) {
        return std::nullopt;
    }
    Spending spending;
    spending.seconds = 3600 * *query.budget_usd / hourly;
    spending.tokens = spending.seconds * time.tokens_per_second;
    spending.tokens_low = spending.tokens / std::max(1.0, time.band.high);
    spending.tokens_high = spending.tokens / std::min(1.0, time.band.low > 0 ? time.band.low : 1);
    return spending;
}

}  // namespace ridgeline
