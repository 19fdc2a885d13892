#include "report/json.h"
#include "report/sharing_report.h"

namespace ridgeline::report {

std::string sharing_json(const SharedCard& card, const Stamp& stamp) {
    Json out = document("ridgeline/sharing/1", stamp);
    out["hardware"] = json_of(card.cluster);
    out["memory"] = {{"fits", card.fits},
                     {"needed_gib", card.needed / gibibyte},
                     {"capacity_gib", card.capacity / gibibyte}};
    out["time"] = {{"busy_ratio", card.demand}, {"stretch_ratio", card.stretch()}};
    out["slices_fit"] = card.slices_fit;
    out["workloads"] = Json::array();
    for (const SharedWorkload& each : card.workloads) {
        Json one = {{"workload", json_of(each.workload, each.architecture)},
                    {"needs_gib", each.needs / gibibyte},
                    {"busy_ratio", each.busy},
                    {"time", json_of(each.alone.time, each.workload, card.cluster)}};
        put_positive(one, "memory_share_ratio", each.claim);
        if (each.slice != nullptr && each.sliced) {
            one["slice"] = {{"accelerator", each.slice->id},
                            {"peak_gib", each.sliced->memory.process / gibibyte},
                            {"time", json_of(each.sliced->time, each.workload, card.cluster)}};
        }
        out["workloads"].push_back(std::move(one));
    }
    return text_of(out);
}

}  // namespace ridgeline::report
