#pragma once

#include "advise/advice.h"
#include "advise/finding.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What a rule looks at. References outlive the call.
struct RuleContext {
    const Architecture& architecture;
    const Workload& workload;
    const Cluster& cluster;
    const Estimate& estimate;
    const Catalog& catalog;
    const SoftwareProfile* software = nullptr;
    const Query* query = nullptr;  ///< when the answer belongs to a question
    std::string_view today = {};   ///< YYYY-MM-DD; empty: the age of prices is not judged
};

/// One rule: pure, deterministic, and silent (empty) when it does not apply.
struct Rule {
    std::string_view name;
    std::optional<Finding> (*check)(const RuleContext& context);
};

/// All rules, most serious subjects first.
std::span<const Rule> rules();
const Rule* rule_named(std::string_view name);

/// What the rules find, errors first, then warnings, then notes.
std::vector<Finding> apply_rules(const RuleContext& context);

/// Findings about a question as a whole: a typical architecture, nothing fits.
std::vector<Finding> question_findings(const Query& query, const Architecture& architecture,
                                       const Advice& advice);

}  // namespace ridgeline
