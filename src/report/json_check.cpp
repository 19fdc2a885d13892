#include "advise/search/remedies.h"
#include "report/check_report.h"
#include "report/json.h"

namespace ridgeline::report {

std::string_view name_of(CheckVerdict verdict) {
    switch (verdict) {
        case CheckVerdict::fits:
            return "fits";
        case CheckVerdict::may_not_fit:
            return "may not fit";
        case CheckVerdict::not_judged:
            return "not judged";
        case CheckVerdict::does_not_fit:
            return "does not fit";
    }
    return "does not fit";
}

std::string check_json(const CheckAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/check/1", stamp);
    out["subject"] = answer.subject;
    out["hardware"] = answer.hardware;
    out["verdict"] = name_of(answer.verdict);
    out["strict"] = answer.strict;
    out["steps"] = Json::array();
    for (const CheckedStep& step : answer.steps) {
        Json each = {{"step", step.step},
                     {"what", step.what},
                     {"verdict", name_of(step.verdict)},
                     {"counts", step.counts},
                     {"low_gib", step.low_gib},
                     {"peak_gib", step.peak_gib},
                     {"high_gib", step.high_gib},
                     {"free_gib", step.free_gib}};
        if (step.running < step.requests) {
            each["running"] = step.running;
            each["requests"] = step.requests;
        }
        if (step.served_per_s < step.requests_per_s) {
            each["served_per_s"] = step.served_per_s;
            each["requests_per_s"] = step.requests_per_s;
        }
        out["steps"].push_back(each);
    }
    out["remedies"] = Json::array();
    for (const Remedy& remedy : answer.remedies) {
        out["remedies"].push_back(
            {{"change", remedy.change}, {"flags", remedy.flags}, {"fits", remedy.fits}});
    }
    out["open"] = answer.open;
    out["uncounted"] = answer.uncounted;
    return text_of(out);
}

}  // namespace ridgeline::report
