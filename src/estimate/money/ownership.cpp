#include "estimate/money/ownership.h"

#include "estimate/money/power.h"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr double hours_per_mean_year = 8766;  // with leap years, as the trend's authors count

}  // namespace

OwnershipCost ownership_cost(const OwnershipInputs& in) {
    OwnershipCost cost;
    cost.years = in.years;
    cost.accelerators = std::max(1, in.accelerators);
    cost.capex_usd = in.price_usd * in.server_cost_ratio / (1 - in.network_share);
    cost.capital = cost.capex_usd * (1 - in.residual_share) / (in.years * hours_per_year);
    // The book value falls in a straight line from the price to the residual.
    cost.financing =
        in.financing_rate * cost.capex_usd * (1 + in.residual_share) / 2 / hours_per_year;
    cost.space = in.server_kw * in.colocation_usd_per_kw_month * 12 / hours_per_year;
    cost.spares = cost.capex_usd * in.spares_share_per_year / hours_per_year;
    cost.staff_and_support =
        (in.staff_usd_per_year + in.support_usd_per_year) / (cost.accelerators * hours_per_year);
    const double full_power = in.server_kw * in.pue * in.usd_per_kwh;
    cost.busy_energy = full_power * in.load_factor;
    cost.idle_energy = full_power * std::min(in.idle_factor, in.load_factor);
    return cost;
}

double OwnershipCost::per_delivered_hour(double utilization) const {
    return (fixed() + idle_energy * (1 - utilization)) / utilization + busy_energy;
}

double OwnershipCost::total_usd(double utilization) const {
    const double hourly = fixed() + busy_energy * utilization + idle_energy * (1 - utilization);
    return hourly * hours_per_year * years * accelerators;
}

std::optional<double> OwnershipCost::break_even(double usd_per_hour) const {
    // (fixed + idle (1 - u)) / u + busy = rent
    const double margin = usd_per_hour - busy_energy + idle_energy;
    if (margin <= 0) {
        return std::nullopt;
    }
    return (fixed() + idle_energy) / margin;
}

std::optional<double> OwnershipCost::payback_months(double usd_per_hour, double utilization) const {
    const double running = financing + space + spares + staff_and_support +
                           utilization * busy_energy + (1 - utilization) * idle_energy;
    const double saved = utilization * usd_per_hour - running;
    if (saved <= 0) {
        return std::nullopt;
    }
    return capex_usd / saved / (hours_per_mean_year / 12);
}

std::optional<double> OwnershipCost::use_paid_back_in(double usd_per_hour, double months) const {
    // capex / (u rent - running(u)) = hours of the months
    const double margin = usd_per_hour - busy_energy + idle_energy;
    if (margin <= 0 || months <= 0) {
        return std::nullopt;
    }
    const double saved = capex_usd / (months * hours_per_mean_year / 12);
    return (saved + financing + space + spares + staff_and_support + idle_energy) / margin;
}

}  // namespace ridgeline
