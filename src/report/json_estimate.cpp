#include "advise/search/remedies.h"
#include "report/json.h"
#include "report/step_report.h"

namespace ridgeline::report {

Json provenance_json(const std::vector<Provenance>& provenance) {
    Json out = Json::array();
    for (const Provenance& entry : provenance) {
        out.push_back({{"figure", entry.figure},
                       {"value", entry.value},
                       {"tier", name_of(entry.tier)},
                       {"source", entry.source},
                       {"date", entry.date}});
    }
    return out;
}

std::string estimate_json(const EstimateAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/estimate/1", stamp);
    out["workload"] = json_of(answer.workload, answer.architecture);
    out["defaults"] = Json::array();
    for (const FilledDefault& filled : answer.defaults) {
        out["defaults"].push_back(
            {{"field", filled.field}, {"value", filled.value}, {"from", filled.from}});
    }
    out["hardware"] = json_of(answer.cluster);
    out["memory"] = json_of(answer.estimate.memory);
    out["time"] = json_of(answer.estimate.time, answer.workload, answer.cluster);
    if (answer.workload.task == Task::inference && answer.workload.serving) {
        const TimeEstimate& time = answer.estimate.time;
        out["time"]["ttft_low_s"] = time.ttft / second * answer.ttft_band.low;
        out["time"]["ttft_high_s"] = time.ttft / second * answer.ttft_band.high;
        out["time"]["tpot_low_s"] = time.tpot / second * answer.tpot_band.low;
        out["time"]["tpot_high_s"] = time.tpot / second * answer.tpot_band.high;
    }
    out["cost"] = json_of(answer.estimate.cost);
    out["findings"] = findings_json(answer.findings);
    out["provenance"] = provenance_json(answer.provenance);
    if (!answer.largest.empty()) {
        out["largest"] = Json::object();
        for (const auto& [field, value] : answer.largest) {
            out["largest"][field] = value;
        }
    }
    if (answer.step) {
        out["timeline"] = step_json(*answer.step);
    }
    if (answer.searched) {
        out["searched"] = json_of(*answer.searched);
    }
    if (!answer.front.empty()) {
        out["front"] = front_json(answer.workload, answer.front);
    }
    return text_of(out);
}

std::string remedies_json(const EstimateAnswer& before, const std::vector<Remedy>& remedies,
                          const Stamp& stamp) {
    Json out = document("ridgeline/remedies/1", stamp);
    out["workload"] = json_of(before.workload, before.architecture);
    out["hardware"] = json_of(before.cluster);
    out["memory"] = json_of(before.estimate.memory);
    out["remedies"] = Json::array();
    for (const Remedy& remedy : remedies) {
        out["remedies"].push_back(
            {{"change", remedy.change},
             {"flags", remedy.flags},
             {"fits", remedy.fits},
             {"saved_gib", (remedy.before.memory.process - remedy.after.memory.process) / gibibyte},
             {"peak_gib", remedy.after.memory.process / gibibyte},
             {"step_s", remedy.after.time.step / second},
             {"time_ratio", remedy.after.time.step / remedy.before.time.step}});
    }
    return text_of(out);
}

}  // namespace ridgeline::report
