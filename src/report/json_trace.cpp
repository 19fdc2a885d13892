#include "report/json.h"
#include "report/rehearsal_report.h"
#include "report/trace_report.h"
#include "spec/measurement.h"

namespace ridgeline::report {
namespace {

std::string_view phase_word(TracedPhase phase) {
    switch (phase) {
        case TracedPhase::forward:
            return "forward";
        case TracedPhase::backward:
            return "backward";
        case TracedPhase::optimizer:
            return "optimizer";
    }
    return "";
}

Json traced_json(const TracedPlace& place) {
    Json json = {{"accelerator", place.cluster.accelerator->id}, {"count", place.cluster.count}};
    if (place.needed && place.fit) {
        json["fit"] = word_of(*place.fit);
        json["process_gib"] = *place.needed / gibibyte;
        json["capacity_gib"] = place.cluster.accelerator->capacity() / gibibyte;
    }
    json["time"] = step_json(place.time);
    if (place.usd_per_hour > 0) {
        json["usd_per_hour"] = place.usd_per_hour;
        json["usd_per_1000_steps"] = 1000 * place.usd_per_step();
        json["offer"] = place.offer->id;
    }
    return json;
}

}  // namespace

Json operators_json(const OperatorTrace& trace) {
    Json out = Json::array();
    for (const TracedOperator& op : trace.operators) {
        Json row = {{"name", op.name},          {"class", name_of(op.operator_class)},
                    {"type", name_of(op.type)}, {"phase", phase_word(op.phase)},
                    {"flops", op.flops.base()}, {"bytes", op.traffic.base()},
                    {"kernels", op.kernels},    {"count", op.count}};
        if (op.k > 0) {
            row["m"] = op.m;
            row["n"] = op.n;
            row["k"] = op.k;
            row["products"] = op.products;
        }
        out.push_back(std::move(row));
    }
    return out;
}

Json collectives_json(const OperatorTrace& trace) {
    Json out = Json::array();
    for (const TracedCollective& collective : trace.collectives) {
        out.push_back({{"operation", name_of(collective.operation)},
                       {"bytes", collective.size.base()},
                       {"ranks", collective.ranks},
                       {"count", collective.count}});
    }
    return out;
}

Json step_json(const TimeEstimate& time) {
    Json json = {{"step_s", time.step / second},
                 {"step_low_s", time.step / second * time.band.low},
                 {"step_high_s", time.step / second * time.band.high},
                 {"evidence_rows", time.band.evidence_rows},
                 {"bound", name_of(time.bound)},
                 {"components", Json::array()}};
    for (const TimeComponent& component : time.components) {
        json["components"].push_back({{"name", component.name},
                                      {"seconds", component.time / second},
                                      {"bound", name_of(component.bound)}});
    }
    return json;
}

std::string trace_json(const TraceAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/trace/1", stamp);
    out["file"] = answer.file;
    out["form"] = answer.trace.form;
    put(out, "rehearsed_on", answer.rehearsed_on);
    if (!answer.measured_on.empty()) {
        out["measured_on"] = answer.measured_on;
        out["measured_kernels_s"] = answer.trace.measured / second;
        out["measured_step_s"] = answer.trace.wall / second;
    }
    double flops = 0, bytes = 0;
    for (const TracedOperator& op : answer.trace.operators) {
        flops += op.flops.base() * op.count;
        bytes += op.traffic.base() * op.count;
    }
    out["flops"] = flops;
    out["bytes"] = bytes;
    out["kernels"] = answer.trace.launches();
    out["unknown_operators"] = answer.trace.unknown_names;
    out["places"] = list_of(answer.places, traced_json);
    return text_of(out);
}

}  // namespace ridgeline::report
