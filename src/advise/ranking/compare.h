#pragma once

#include "spec/catalog.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A figure of an accelerator that comparisons and workload profiles name.
struct AcceleratorMetric {
    std::string_view id;    ///< "bandwidth_gb_per_s"
    std::string_view name;  ///< "memory bandwidth, GB/s"
    bool less_is_better = false;
    std::optional<double> (*value)(const Accelerator& accelerator, const Catalog& catalog);
    /// Whether the part is known to have none, where there is no value; absent: it is never known.
    bool (*lacks)(const Accelerator& accelerator) = nullptr;
    bool adds_up = false;  ///< several have the sum of it: memory, power, a price
};
/// A metric by its id; null: there is none.
const AcceleratorMetric* accelerator_metric(std::string_view id);

/// One line of a comparison; `best` indexes into values (-1: nobody is, or all are equal).
struct ComparisonRow {
    const AcceleratorMetric* metric = nullptr;
    std::string_view name;  ///< that of the metric, or of what several have
    std::vector<std::optional<double>> values;
    int best = -1;
    double weight = 0;  ///< of the workload profile; 0 without one
};

/// A property in words, as "yes" or "on by default".
struct ComparisonFeature {
    std::string name;
    std::vector<std::string> values;
};

/// How well each suits a kind of work.
struct ComparisonFit {
    const WorkloadProfile* profile = nullptr;
    std::vector<double> scores;        ///< 0 to 100
    std::vector<std::string> missing;  ///< must-haves each one lacks, joined
};

struct Comparison {
    std::vector<const Accelerator*> accelerators;
    std::vector<int> counts;  ///< of each, whose figures are those of all that add up
    std::vector<ComparisonRow> rows;
    std::vector<double> scores;        ///< by the profile, 0 to 100; empty without one
    std::vector<std::string> missing;  ///< must-haves each one lacks, joined; empty: none
    std::vector<ComparisonFeature> features;
    std::vector<ComparisonFit> fits;  ///< of every kind of work, when profiles are given
    std::vector<std::string> notes;   ///< errata and disagreements worth a line
};

/// Accelerators side by side; with a profile its metrics first, with weights and scores.
///
/// kinds   the kinds of work to judge suitability for
/// counts  how many of each stand against each other; empty: one of each
/// rents   dollars an hour of each, all of them, as told or of the instances that were named; zero
///         or none: the least that is listed
Comparison compare(std::span<const Accelerator* const> accelerators, const Catalog& catalog,
                   const WorkloadProfile* profile = nullptr,
                   std::span<const WorkloadProfile> kinds = {}, std::span<const int> counts = {},
                   std::span<const double> rents = {});

/// Weighted mean of each metric over the best of the catalog, 0 to 100. An unknown figure scores 0.
double profile_score(const WorkloadProfile& profile, const Accelerator& accelerator,
                     const Catalog& catalog);

/// Must-haves of a profile ("ecc", "nvlink", "mig", "fp64", "bf16", "fp8") that a part lacks.
std::vector<std::string> missing_features(const WorkloadProfile& profile,
                                          const Accelerator& accelerator);

}  // namespace ridgeline
