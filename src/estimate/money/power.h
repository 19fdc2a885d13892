#pragma once

#include "base/quantity.h"
#include "spec/machine.h"
#include "spec/ownership.h"

#include <optional>
#include <span>

namespace ridgeline {

/// Heat of what is drawn, BTU an hour for each kW.
inline constexpr double btu_per_hour_per_kw = 3412.14;

inline constexpr double hours_per_year = 8760;

/// Maximum power of one machine: its data sheet where the catalog has it, else 1.8 times the limits
/// of its accelerators (DGX H100 1.82, DGX B200 1.79, DGX A100 2.03; vendor data sheets).
Watts node_power_of(const Cluster& cluster);

/// Where the machines stand. Figures without a source in the catalog come from the user.
struct Site {
    double load_factor = 0.75;  ///< average draw over the maximum while computing
    double pue = 1;
    double rack_kw = 10;         ///< what one rack may draw
    double circuit_volts = 208;  ///< of one feed; 120 V 15 A is a US household circuit
    double circuit_amperes = 30;
    std::optional<double> grid_gco2_per_kwh;
};

/// Power and heat of a cluster.
struct PowerPlan {
    int nodes = 0;
    double node_kw = 0;       ///< maximum of one machine
    double it_kw = 0;         ///< maximum of all
    double average_kw = 0;    ///< of all while computing
    double facility_kw = 0;   ///< the average with cooling and losses
    double btu_per_hour = 0;  ///< heat at the maximum: 3412.14 a kW
    int nodes_per_rack = 0;   ///< 0: one machine exceeds the rack's limit
    int racks = 0;            ///< 0 when it does
    int circuits_per_node =
        0;                    ///< feeds loaded to 80 % (NEC 210.19, continuous load), no redundancy
    double kwh_per_year = 0;  ///< of the building, at full utilisation
    std::optional<double> tonnes_co2_per_year;
    double peak_tflops_per_watt =
        0;  ///< bf16 (else fp16) dense over the machine's maximum; 0: unknown
};
PowerPlan power_plan(const Cluster& cluster, const Site& site);

/// What a lowered power limit costs.
struct PowerCap {
    double watts = 0;                 ///< of one accelerator
    double time_factor = 1;           ///< of the run
    double energy_factor = 1;         ///< of the accelerators' energy
    double time_factor_measured = 0;  ///< of the nearest measured point of that part; 0: none
    const PowerCapPoint* measured = nullptr;
};

/// Time and energy under a limit of `watts` an accelerator. Model: a fifth of the limit is static,
/// the rest is spent with the cube of the clock (voltage follows it), so the clock falls to the
/// cube root. Pessimistic where work waits for memory or stays below its limit: measured points lie
/// between this and no loss at all.
///
/// watts  below the default limit of the part and above its static share
PowerCap power_cap(const Accelerator& accelerator, double watts,
                   std::span<const PowerCapPoint> measured);

}  // namespace ridgeline
