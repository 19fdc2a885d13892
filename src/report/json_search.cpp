#include "report/json.h"

namespace ridgeline::report {

Json json_of(const Searched& searched) {
    return {{"plans", searched.plans},
            {"evaluated", searched.evaluated},
            {"too_large", searched.too_large},
            {"pruned_by_memory_bound", searched.memory_bound},
            {"pruned_by_time_bound", searched.time_bound},
            {"pruned_as_dominated", searched.dominated},
            {"stopped", searched.stopped}};
}

Json front_json(const Workload& base, const std::vector<FoundPlan>& front) {
    Json out = Json::array();
    for (const FoundPlan& found : front) {
        const Workload plan = with_plan(base, found);
        out.push_back(
            {{"plan", plan_json(plan)},
             {"label", plan_line(plan)},
             {"micro_batch", plan.batch.micro},
             {"global_batch", plan.batch.global},
             {"step_s", found.step},
             {"samples_per_s", 1 / found.seconds_per_sample},
             {"peak_gib", found.process / gibibyte.base()},
             {"headroom_gib", found.headroom_gib},
             {"energy_ratio", found.energy_per_sample / front.front().energy_per_sample}});
    }
    return out;
}

}  // namespace ridgeline::report
