#include "advise/hardware/offers.h"
#include "ask/router.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// What one's own tokens cost beside an API's, or beside a price that is to be kept. An API is paid
// for what it reads and for what it writes; rent is paid by the hour, whatever is asked.

namespace ridgeline::ask {
namespace {

constexpr double hours_of_a_day = 24;
constexpr double seconds_of_a_day = 86400;

/// What a server makes in a day at full load, read and written, and costs.
struct FullDay {
    double tokens = 0;
    double usd = 0;
    double usd_per_million = 0;  ///< of all of them
};

}  // namespace

std::string Router::kept_price(const Workload& workload, const Estimate& estimate) const {
    const CostEstimate& cost = estimate.cost;
    const Serving serving = workload.serving.value_or(Serving{});
    const double written = serving.output_tokens;
    const double all = serving.input_tokens + written;
    const double usd = cost.usd_per_million_tokens;
    const bool api = asks(reading_, "api");
    if (usd <= 0 || written <= 0 || !(reading_.usd_per_million || api)) {
        return "";
    }
    const FullDay day{estimate.time.tokens_per_second * all / written * seconds_of_a_day,
                      hours_of_a_day * cost.usd_per_hour, usd * written / all};
    const std::string of_all = fmt::format("{} a million read and written, {} of those written",
                                           format_usd(day.usd_per_million), format_usd(usd));
    const std::string to_run = cost.offer ? "of rent" : "of electricity";
    if (reading_.api_usd_per_month) {
        const double bill = *reading_.api_usd_per_month;
        const double rent = cost.usd_per_hour * hours_of_a_month;
        return rent >= bill ? fmt::format("No: it is {} {} a month, the API {}: ", format_usd(rent),
                                          to_run, format_usd(bill))
                            : fmt::format(
                                  "Yes, where {} a month pay the API for up to {} tokens, "
                                  "which it makes at full load for {} {}: ",
                                  format_usd(bill),
                                  format_count(day.tokens / hours_of_a_day * hours_of_a_month),
                                  format_usd(rent), to_run);
    }
    const double read = reading_.usd_per_million_read.value_or(0);
    const double of_written = reading_.usd_per_million.value_or(read);
    const double price = reading_.usd_per_million_read
                             ? (read * serving.input_tokens + of_written * written) / all
                             : of_written;
    if (!api) {
        return fmt::format("{} the {} a million tokens asked ({}): ",
                           usd <= price ? "Below" : "Above", format_usd(price), of_all);
    }
    if (reading_.requests_per_s) {
        const double passed = *reading_.requests_per_s * all * seconds_of_a_day;
        const double asked = passed / 1e6 * price;
        return fmt::format(
            "{} is the cheaper at {} tokens a day, read and written: {} {} a day "
            "against {} of the API at {} a million: ",
            day.usd < asked ? "One's own" : "The API", format_count(passed), format_usd(day.usd),
            to_run, format_usd(asked), format_usd(price));
    }
    const double turns = day.usd / price * 1e6;
    return turns <= day.tokens
               ? fmt::format(
                     "One's own is cheaper than the API's {} a million tokens from {} a "
                     "day on, {:.0f} % of what it makes at full load ({}): ",
                     format_usd(price), format_count(turns), 100 * turns / day.tokens, of_all)
               : fmt::format(
                     "The API's {} a million tokens is cheaper at any volume: at full "
                     "load one's own makes {} a day ({}): ",
                     format_usd(price), format_count(day.tokens), of_all);
}

}  // namespace ridgeline::ask
