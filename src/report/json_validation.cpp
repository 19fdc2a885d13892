#include "report/json.h"
#include "report/validation_report.h"

namespace ridgeline::report {
namespace {

Json summary_of(const std::vector<ErrorSummary>& lines) {
    Json out = Json::array();
    for (const ErrorSummary& line : lines) {
        out.push_back({{"quantity", line.quantity},
                       {"rows", line.rows},
                       {"median_abs_error", line.median_abs_error},
                       {"p90_abs_error", line.p90_abs_error},
                       {"max_abs_error", line.max_abs_error},
                       {"bias", line.bias},
                       {"coverage", line.coverage}});
    }
    return out;
}

}  // namespace

std::string validation_json(const ValidationAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/validation/1", stamp);
    out["rows"] = Json::array();
    for (const ValidatedRow& row : answer.rows) {
        out["rows"].push_back(
            {{"id", row.id},
             {"quantity", row.quantity},
             {"metric", row.metric},
             {"kind", row.kind},
             {"measured", row.measured},
             {"predicted", row.predicted},
             {"low", row.low},
             {"high", row.high},
             {"relative_error", row.relative_error},
             {"inside", row.inside},
             {"fitted_on", row.fitted_on.empty() ? Json(nullptr) : Json(row.fitted_on)}});
    }
    out["summary"] = summary_of(answer.summary);
    if (!answer.uncalibrated.empty()) {
        out["summary_uncalibrated"] = summary_of(answer.uncalibrated);
    }
    if (answer.ranking) {
        out["ranking"] = {{"works", answer.ranking->works},
                          {"pairs", answer.ranking->pairs},
                          {"right", answer.ranking->right},
                          {"right_share", answer.ranking->right_share},
                          {"least_difference", least_difference}};
    }
    out["skipped"] = Json::array();
    for (const SkippedRow& row : answer.skipped) {
        out["skipped"].push_back({{"id", row.id}, {"reason", row.reason}});
    }
    put(out, "failed_gates", answer.failed_gates);
    return text_of(out);
}

}  // namespace ridgeline::report
