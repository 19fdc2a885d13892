#pragma once

#include "advise/advice.h"
#include "advise/hardware/ownership.h"
#include "estimate/operator_profile.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

/// The recommended accelerator at another count, with the best plan there.
struct CountPoint {
    int count = 0;
    double work_per_s = 0;  ///< tokens a second, samples where there are none
    std::optional<double> total_s;
    std::optional<double> usd;  ///< of the run, else of a million tokens
};

/// One way of getting the recommended hardware and what the run (or an hour) costs that way.
struct WayToPay {
    std::string name;  ///< "on_demand", "spot", "reserved", "marketplace", "owned"
    const Offer* offer = nullptr;
    double utilization = 1;   ///< owned: of all hours
    double usd_per_hour = 0;  ///< all accelerators
    std::optional<double> usd_run, usd_run_low, usd_run_high;
    std::optional<double> break_even;  ///< utilisation above which owning is cheaper
};

/// One assumption, changed, and what becomes of the answer.
struct Sensitivity {
    std::string assumption;
    std::string change;
    std::string effect;
    std::vector<std::pair<std::string, double>> numbers;  ///< key with unit -> value
};

struct Risk {
    std::string kind;  ///< "technical", "cost", "schedule", "supply"
    std::string risk;
    std::string likelihood;  ///< "low", "medium", "high", "unknown"
    std::string effect;
    std::string mitigation;
};

/// What the buyer states about the run beside the workload; nothing is left out silently.
struct RunExtras {
    std::optional<double> storage_usd;
    std::optional<double> egress_usd;
    std::optional<double> lead_time_weeks;
};

/// Everything that a procurement report says. The recommendation is `advice.options.front()`;
/// without options the report tells why nothing fits.
struct Procurement {
    std::string title, author, date, command;
    Advice advice;
    std::optional<OwnershipAnswer> owned;
    Site site;
    PowerPlan power;
    std::vector<UsedFigure> site_figures;
    std::optional<double> run_kwh;         ///< of the building, with PUE
    std::optional<double> run_co2_kg;      ///< with the grid intensity given
    std::optional<double> run_energy_usd;  ///< of the building, where a price of energy is known
    double work_per_kwh = 0;               ///< tokens (else samples) for each kWh of the machines
    std::vector<WayToPay> ways;
    RunExtras extras;
    std::vector<CountPoint> scaling;
    std::vector<Sensitivity> sensitivities;
    std::vector<Risk> risks;
    std::vector<Provenance> provenance;
    std::optional<OperatorProfile> profile;  ///< for the roofline
};

/// The report of an advice. `figures` are the buyer's own.
Procurement procurement(Advice advice, const Knowledge& knowledge, const SiteFigures& figures);

/// What changes the answer: price, time, tokens, utilisation, kind of offer, electricity.
std::vector<Sensitivity> sensitivities_of(const Procurement& report);
/// What may go wrong, from the findings, the ranges and the age of prices.
std::vector<Risk> risks_of(const Procurement& report);

}  // namespace ridgeline
