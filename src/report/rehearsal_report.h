#pragma once

#include "estimate/results.h"
#include "report/report.h"
#include "spec/rehearsal.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

/// A script rehearsed on one or more kinds of cards.
struct RehearsalAnswer {
    std::vector<std::string> command;
    int steps = 2;
    std::vector<Rehearsal> cards;
    std::vector<std::optional<LargestValue>> largest;          ///< of each card, with --max
    std::vector<std::optional<TimeEstimate>> steps_taken;      ///< time of a step on each card
    std::vector<std::vector<TriedChange>> tried;               ///< on each card
    std::vector<std::optional<FormulaDifference>> difference;  ///< on each card, with --workload
    std::string scratch;   ///< where files went; empty: they were removed
    std::string snapshot;  ///< file for torch's memory viewer; empty: none
};

std::string rehearsal_text(const RehearsalAnswer& answer, const Style& style);
std::string rehearsal_json(const RehearsalAnswer& answer, const Stamp& stamp);

/// "fits", "barely", "does not fit".
std::string_view word_of(RehearsedFit fit);
/// What the figures do not cover, each a clause for "not rehearsed: ...".
std::vector<std::string> not_rehearsed(const Rehearsal& rehearsal);

}  // namespace ridgeline::report
