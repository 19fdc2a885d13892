#pragma once

#include <optional>

namespace ridgeline {

/// What owning is computed from; everything is for one accelerator unless its name says otherwise.
struct OwnershipInputs {
    int accelerators = 1;
    double price_usd = 0;          ///< as bought
    double server_cost_ratio = 1;  ///< 1 when the price is that of a system
    double network_share = 0;      ///< of the cluster's cost, 0 to below 1
    double years = 5;
    double residual_share = 0;  ///< of the capital, left at the end
    double financing_rate = 0;  ///< interest a year on the average book value
    double server_kw = 0;       ///< maximum of the machine for one accelerator
    double load_factor = 0.75;  ///< average draw over the maximum while computing
    double idle_factor = 0;     ///< draw over the maximum while waiting
    double pue = 1;
    double usd_per_kwh = 0;
    double colocation_usd_per_kw_month = 0;  ///< of the maximum power; 0: a room of one's own
    double spares_share_per_year = 0;        ///< of the capital
    double staff_usd_per_year = 0;           ///< of all accelerators together
    double support_usd_per_year = 0;         ///< of all accelerators together
};

/// Cost of owning one accelerator, in dollars an hour of the calendar; `busy` counts only while it
/// computes and `idle` only while it waits.
struct OwnershipCost {
    double capex_usd = 0;  ///< one accelerator with its part of server and network
    double capital = 0;
    double financing = 0;
    double space = 0;
    double spares = 0;
    double staff_and_support = 0;
    double busy_energy = 0;
    double idle_energy = 0;
    double years = 0;
    int accelerators = 1;

    [[nodiscard]] double fixed() const {
        return capital + financing + space + spares + staff_and_support;
    }
    /// Dollars per hour of work at a utilisation above 0 and at most 1.
    [[nodiscard]] double per_delivered_hour(double utilization) const;
    /// Dollars of all accelerators over all years.
    [[nodiscard]] double total_usd(double utilization) const;
    /// Utilisation at which an hour of work costs as much as renting one for `usd_per_hour`; above
    /// 1: renting is cheaper however busy it is; nothing: the energy alone costs more than the
    /// rent.
    [[nodiscard]] std::optional<double> break_even(double usd_per_hour) const;
    /// Months after which what was paid for the hardware equals the rent that it saved, running
    /// costs taken off; nothing: renting costs less than running it. Its value then is not counted.
    [[nodiscard]] std::optional<double> payback_months(double usd_per_hour,
                                                       double utilization) const;
    /// The utilisation at which `payback_months` are so many; above 1: not even at all hours;
    /// nothing: an hour of work costs more in energy than the rent.
    [[nodiscard]] std::optional<double> use_paid_back_in(double usd_per_hour, double months) const;
};

/// Straight-line model of facts/ownership: capital (price x server / (1 - network share) less the
/// residual) over the life, space for the maximum power, energy for the average.
OwnershipCost ownership_cost(const OwnershipInputs& inputs);

}  // namespace ridgeline
