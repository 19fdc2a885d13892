#pragma once

#include "advise/advice.h"
#include "advise/finding.h"
#include "advise/placement/placement.h"
#include "advise/ranking/compare.h"
#include "advise/search/remedies.h"
#include "estimate/estimate.h"
#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/workload.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

/// What every JSON document says about its origin.
struct Stamp {
    std::string version;
    std::string catalog_version;
    std::string prices_date;
};

/// How text is drawn.
struct Style {
    bool color = false;
    bool unicode = false;   ///< box characters may be used
    bool bars = false;      ///< on a terminal
    bool answered = false;  ///< a reply with its reading stands above the page already
    bool explain = false;   ///< formulas with their inputs, instants, defaults, provenance
    int width = 80;
};

using EstimateAnswer = Placement;

std::string estimate_text(const EstimateAnswer& answer, const Style& style);
/// The same behind a reply that told time and cost: the parts of the time, of memory one line.
std::string time_first_text(const EstimateAnswer& answer, const Style& style);
std::string estimate_json(const EstimateAnswer& answer, const Stamp& stamp);
/// A resolved workload as a workload document.
std::string workload_json(const Workload& workload, const Architecture& architecture);

/// What a search of plans looked at, a sentence; and the Pareto front that it found.
std::string searched_text(const Searched& searched, const Style& style);
std::string front_text(const Workload& base, const std::vector<FoundPlan>& front,
                       const Style& style);

/// At most one screen of 80 columns unless `style.explain`.
std::string advice_text(const Advice& advice, const Style& style);
std::string advice_json(const Advice& advice, const Stamp& stamp);

/// Accelerators side by side, of a workload profile where one was named.
std::string comparison_text(const Comparison& comparison, std::string_view profile,
                            const Style& style);
std::string comparison_json(const Comparison& comparison, std::string_view profile,
                            const Stamp& stamp);

std::string remedies_text(const EstimateAnswer& before, const std::vector<Remedy>& remedies,
                          const Style& style);
std::string remedies_json(const EstimateAnswer& before, const std::vector<Remedy>& remedies,
                          const Stamp& stamp);

/// "warning: ..." lines, filled to the width.
std::string findings_text(const std::vector<Finding>& findings, const Style& style);

/// "llama-3.1-8b, qlora, hf-trainer" of a workload.
std::string workload_line(const Architecture& architecture, const Workload& workload);
/// "8 x NVIDIA H100 SXM5 80GB (1 node)".
std::string cluster_line(const Cluster& cluster);
/// "tp8 pp2 fsdp4, full recompute" in the allowed short forms.
std::string plan_line(const Workload& workload);

}  // namespace ridgeline::report
