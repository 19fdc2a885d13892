#include "report/json.h"
#include "report/roofline.h"

namespace ridgeline::report {
namespace {

Json roof_json(const Roof& roof) {
    return {{"type", name_of(roof.type)},
            {"peak_tflops", roof.peak / teraflop_per_second},
            {"bandwidth_gb_per_s", roof.bandwidth / gigabyte_per_second},
            {"ridge_point_flop_per_byte", roof.ridge_point()}};
}

Json operator_json(const TimedOperator& op, double total) {
    return {{"operator", op.name},
            {"phase", op.phase},
            {"class", name_of(op.operator_class)},
            {"type", name_of(op.type)},
            {"tflop", op.flops / 1e12},
            {"gb", op.bytes / 1e9},
            {"s", op.seconds},
            {"intensity_flop_per_byte", op.intensity()},
            {"attained_tflops", op.flops / op.seconds / 1e12},
            {"attained_gb_per_s", op.bytes / op.seconds / 1e9},
            {"kernel_share_ratio", op.seconds / total},
            {"bound", name_of(op.bound)}};
}

Json machine_json(const RooflineMachine& machine, const Architecture& architecture) {
    Json out = {{"hardware", json_of(machine.cluster)}};
    if (!machine.problem.empty()) {
        out["problem"] = machine.problem;
        return out;
    }
    const OperatorProfile& profile = machine.profile;
    out["workload"] = json_of(machine.workload, architecture);
    out["step_s"] = profile.step / second;
    out["mfu"] = machine.time.mfu;
    out["roofs"] = Json::array();
    for (const Roof& roof : profile.roofs) {
        out["roofs"].push_back(roof_json(roof));
    }
    out["bound_share_ratio"] = Json::object();
    for (std::size_t i = 0; i < profile.bound_share.size(); ++i) {
        out["bound_share_ratio"][std::string(name_of(static_cast<Bound>(i)))] =
            profile.bound_share[i];
    }
    const double total = kernel_seconds(profile);
    out["operators"] = Json::array();
    for (const TimedOperator& op : merged_operators(profile)) {
        out["operators"].push_back(operator_json(op, total));
    }
    return out;
}

}  // namespace

std::string roofline_json(const RooflineAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/roofline/1", stamp);
    out["machines"] = Json::array();
    for (const RooflineMachine& machine : answer.machines) {
        out["machines"].push_back(machine_json(machine, answer.architecture));
    }
    return text_of(out);
}

}  // namespace ridgeline::report
