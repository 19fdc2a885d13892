#pragma once

#include "advise/validation/ranking.h"
#include "advise/validation/validate.h"
#include "report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

/// One compared figure of an evidence row.
struct ValidatedRow {
    std::string kind;  ///< of prediction, from the general to the part
    std::string id;
    std::string quantity;
    std::string metric;
    double measured = 0;
    double predicted = 0;
    double low = 0;
    double high = 0;
    double relative_error = 0;
    bool inside = false;
    std::string
        fitted_on;  ///< what of the profiles rests on the row: listed, not scored; else empty
};

struct SkippedRow {
    std::string id;
    std::string reason;
};

struct ValidationAnswer {
    std::vector<ValidatedRow> rows;
    std::vector<ErrorSummary> summary;       ///< by quantity
    std::vector<ErrorSummary> uncalibrated;  ///< the same without calibrations of the user's own
    std::vector<ErrorSummary> breakdown;     ///< by quantity and quality, framework, metric
    std::optional<RankingSummary> ranking;   ///< of training steps; none: no two of one work
    std::vector<SkippedRow> skipped;
    std::vector<std::string> failed_gates;
};

/// worst  how many of the rows with the largest errors are listed
std::string validation_text(const ValidationAnswer& answer, int worst, const Style& style);
std::string validation_json(const ValidationAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
