#include "report/emit_report.h"
#include "report/json.h"

namespace ridgeline::report {

std::string emitted_json(const EmittedFile& file, const Placement& placed, const Stamp& stamp) {
    Json out = document("ridgeline/emitted/1", stamp);
    out["format"] = file.format;
    put(out, "path", file.path);
    out["text"] = file.text;
    out["replace"] = file.replace;
    out["hardware"] = json_of(placed.cluster);
    out["memory"] = {{"fits", placed.estimate.memory.fits},
                     {"needed_gib", placed.estimate.memory.process / gibibyte},
                     {"capacity_gib", placed.estimate.memory.capacity / gibibyte}};
    return text_of(out);
}

}  // namespace ridgeline::report
