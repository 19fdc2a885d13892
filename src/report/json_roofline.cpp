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
    out["roofs"] = list_of(profile.roofs, roof_json);
    out["bound_share_ratio"] = Json::object();
    for (std::size_t i = 0; i < profile.bound_share.size(); ++i) {
        out["bound_share_ratio"][std::string(name_of(static_cast<Bound>(i)))] =
            profile.bound_share[i];
    }
    const double total = kernel_seconds(profile);
    out["operators"] = list_of(merged_operators(profile),
                               [&](const TimedOperator& op) { return operator_json(op, total); });
    return out;
}

}  // namespace

std::string roofline_json(const RooflineAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/roofline/1", stamp);
    out["machines"] = list_of(answer.machines, [&](const RooflineMachine& machine) {
        return machine_json(machine, answer.architecture);
    });
    return text_of(out);
}

}  // namespace ridgeline::report
