#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// What a question tells of the place and the price of what is owned.

namespace ridgeline::ask {

void Router::take_price_said(SiteFigures& figures) {
    const double usd = *reading_.budget_usd;
    const int count = reading_.count.value_or(1);
    const Accelerator* part = reading_.accelerators.empty()
                                  ? nullptr
                                  : world_.catalog.accelerator(reading_.accelerators.front());
    const auto listed = part == nullptr ? std::nullopt : purchase_price(world_.catalog, *part);
    // Nobody said whether it is of each: what is nearer to what is listed.
    const bool nearer = listed && std::abs(std::log(usd / listed->usd_each)) <
                                      std::abs(std::log(usd / count / listed->usd_each));
    const bool each = count == 1 || reading_.sum_each.value_or(nearer);
    const bool server = !each && part != nullptr && is_module(*part);
    const double price = each ? usd : usd / count;
    figures.given[server ? "system_price_usd" : "card_price_usd"] =
        server ? price * std::min(count, cards_of_a_server) : price;
    reading_.assumed.push_back(
        {"card_price_usd", fmt::format("{:g}", price),
         count == 1 ? "the sum was taken as the price of one card"
         : each     ? "the sum was taken as that of each"
         : server   ? fmt::format("the sum was taken as that of all {} with their server", count)
                    : fmt::format("the sum was taken as that of all {}", count)});
}

SiteFigures Router::figures_said() {
    SiteFigures figures;
    if (reading_.months || reading_.deadline_s) {
        figures.given["life_years"] =
            reading_.months
                ? *reading_.months / 12
                : *reading_.deadline_s / (360 * 86400.0);  // of twelve months of 30 days
    }
    if (reading_.usd_per_kwh) {
        figures.given["usd_per_kwh"] = *reading_.usd_per_kwh;
    }
    if (reading_.hours_per_day) {
        figures.given["utilization"] = *reading_.hours_per_day / 24;
    }
    // "bought 4 a6000 in 2022": what was paid is paid, whatever comes.
    if (is_kept(reading_)) {
        figures.given["card_price_usd"] = 1;
        assume(reading_, "card_price_usd", "1", "it is there: what it cost is paid either way");
    }
    if (reading_.pue > 0) {
        figures.given["pue"] = reading_.pue;
    }
    if (reading_.budget_usd) {
        forget_assumed(reading_, "buy");
        take_price_said(figures);
    }
    return figures;
}

}  // namespace ridgeline::ask
