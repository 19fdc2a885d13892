#include "report/json.h"
#include "report/sweep.h"

namespace ridgeline::report {
namespace {

Json point_json(const SweepPoint& point, const std::optional<ScaleGain>& gain,
                const Architecture&) {
    Json out = {{"value", point.value}};
    if (!point.answer) {
        out["problem"] = point.problem;
        return out;
    }
    const EstimateAnswer& answer = *point.answer;
    const SweepFigures figures = figures_of(answer);
    out["hardware"] = json_of(answer.cluster);
    out["plan"] = plan_json(answer.workload);
    out["software"] = answer.workload.framework;
    if (answer.workload.task == Task::train) {
        out["micro_batch"] = answer.workload.batch.micro;
        out["global_batch"] = answer.workload.batch.global;
    }
    out["memory"] = {{"fits", answer.estimate.memory.fits},
                     {"verdict", name_of(answer.estimate.memory.verdict)},
                     {"peak_gib", answer.estimate.memory.process / gibibyte}};
    out["time"] = json_of(answer.estimate.time, answer.workload, answer.cluster);
    out["cost"] = json_of(answer.estimate.cost);
    out["compared_s"] = figures.seconds;
    put(out, "compared_usd", figures.usd);
    if (gain) {
        out["efficiency_ratio"] = gain->efficiency;
        out["marginal_efficiency_ratio"] = gain->marginal;
    }
    return out;
}

}  // namespace

std::string sweep_json(const SweepAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/sweep/1", stamp);
    out["field"] = answer.field;
    out["scaling"] = answer.fixed_batch ? "strong" : "weak";
    std::vector<std::optional<ScaleGain>> gains(answer.points.size());
    if (answer.field == "accelerators") {
        gains = gains_of(scale_points(answer));
    } else {
        out.erase("scaling");
    }
    out["points"] = Json::array();
    for (std::size_t i = 0; i < answer.points.size(); ++i) {
        const SweepPoint& point = answer.points[i];
        if (point.answer && !out.contains("compared")) {
            out["workload"] = json_of(point.answer->workload, answer.architecture);
            out["compared"] = figures_of(*point.answer).unit;
        }
        out["points"].push_back(point_json(point, gains[i], answer.architecture));
    }
    const auto limit = limit_of(answer);
    out["limit"] = nullptr;
    if (limit) {
        out["limit"] = {{"pays_up_to", limit->last_paying},
                        {"stops_at", limit->next},
                        {"ratio", limit->marginal},
                        {"sentence", limit_sentence(answer)}};
    }
    return text_of(out);
}

}  // namespace ridgeline::report
