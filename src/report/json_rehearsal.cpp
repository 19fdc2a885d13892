#include "advise/validation/rehearsed_fit.h"
#include "report/json.h"
#include "report/rehearsal_report.h"
#include "report/trace_report.h"

namespace ridgeline::report {
namespace {

double gib_of(Bytes bytes) { return bytes / gibibyte; }

Json rehearsal_part_json(const RehearsedDevice& device, const Rehearsal& rehearsal) {
    Json json = {{"process", device.process},
                 {"rank", device.rank},
                 {"device", device.device},
                 {"allocated_gib", gib_of(device.allocated)},
                 {"reserved_gib", gib_of(device.reserved)},
                 {"process_gib", gib_of(device.reserved + rehearsal.context)},
                 {"peak_phase", device.phase},
                 {"peak_step", device.step},
                 {"allocation_retries", device.retries},
                 {"phases", Json::array()},
                 {"peak_tensors", Json::array()}};
    for (const RehearsedPhase& phase : device.phases) {
        json["phases"].push_back({{"phase", phase.phase},
                                  {"step", phase.step},
                                  {"allocated_gib", gib_of(phase.allocated)},
                                  {"reserved_gib", gib_of(phase.reserved)},
                                  {"process_gib", gib_of(phase.reserved + rehearsal.context)}});
    }
    for (const RehearsedGroup& group : device.groups) {
        Json row = {{"kind", group.kind}, {"gib", gib_of(group.bytes)}, {"blocks", group.blocks}};
        put(row, "line", group.line);
        put(row, "module", group.module);
        json["peak_tensors"].push_back(row);
    }
    return json;
}

Json rehearsal_part_json(const Rehearsal& rehearsal) {
    Json json = {{"accelerator", rehearsal.accelerator},
                 {"count", rehearsal.count},
                 {"fit", word_of(rehearsal.fit)},
                 {"capacity_gib", gib_of(rehearsal.capacity)},
                 {"context_gib", gib_of(rehearsal.context)},
                 {"devices", Json::array()}};
    for (const RehearsedDevice& device : rehearsal.told().devices) {
        json["devices"].push_back(rehearsal_part_json(device, rehearsal));
    }
    if (const std::string remedy = rehearsed_remedy(rehearsal); !remedy.empty()) {
        json["remedy"] = remedy;
    }
    json["assumed_reads"] = Json::array();
    for (const RehearsedRead& read : rehearsal.values.reads) {
        if (read.assumed > 0) {
            json["assumed_reads"].push_back({{"line", read.at},
                                             {"operator", read.by},
                                             {"reads", read.reads},
                                             {"assumed", read.assumed}});
        }
    }
    json["assumed_sizes"] = rehearsal.told().assumed;
    json["not_rehearsed"] = not_rehearsed(rehearsal);
    json["saved_files"] = rehearsal.told().saved;
    json["torch"] = rehearsal.values.torch;
    json["steps"] = rehearsal.told().steps;
    json["rehearsal_s"] = rehearsal.seconds;
    return json;
}

Json rehearsal_part_json(const LargestValue& value) {
    Json json = {{"name", value.name}, {"flag", value.flag}};
    put(json, "largest", value.largest);
    put(json, "does_not_fit", value.refused);
    put(json, "ended", value.ended);
    return json;
}

Json rehearsal_part_json(const TriedChange& change) {
    Json json = {{"change", change.change}};
    if (!change.ended.empty()) {
        json["ended"] = change.ended;
        return json;
    }
    json["fit"] = word_of(change.fit);
    json["allocated_gib"] = gib_of(change.allocated);
    json["reserved_gib"] = gib_of(change.reserved);
    return json;
}

Json rehearsal_part_json(const FormulaDifference& difference) {
    Json json = {{"allocated_gib", gib_of(difference.allocated)},
                 {"reserved_gib", gib_of(difference.reserved)},
                 {"kinds", Json::array()}};
    for (const KindOfTensors& kind : difference.kinds) {
        json["kinds"].push_back({{"kind", kind.kind},
                                 {"rehearsed_gib", gib_of(kind.rehearsed)},
                                 {"by_formula_gib", gib_of(kind.estimated)}});
    }
    return json;
}

}  // namespace

std::string rehearsal_json(const RehearsalAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/rehearsal/1", stamp);
    out["command"] = answer.command;
    out["cards"] = Json::array();
    for (std::size_t i = 0; i < answer.cards.size(); ++i) {
        Json card = rehearsal_part_json(answer.cards[i]);
        if (i < answer.largest.size() && answer.largest[i]) {
            card["max"] = rehearsal_part_json(*answer.largest[i]);
        }
        if (i < answer.steps_taken.size() && answer.steps_taken[i]) {
            card["time"] = step_json(*answer.steps_taken[i]);
        }
        if (i < answer.tried.size() && !answer.tried[i].empty()) {
            card["tried"] = list_of(answer.tried[i], [&](const TriedChange& change) {
                return rehearsal_part_json(change);
            });
        }
        if (i < answer.difference.size() && answer.difference[i]) {
            card["by_formulas"] = rehearsal_part_json(*answer.difference[i]);
        }
        out["cards"].push_back(card);
    }
    if (!answer.cards.empty() && answer.cards.front().trace) {
        const OperatorTrace& trace = *answer.cards.front().trace;
        out["operators"] = operators_json(trace);
        out["collectives"] = collectives_json(trace);
        out["unknown_operators"] = trace.unknown_names;
    }
    put(out, "snapshot", answer.snapshot);
    put(out, "scratch", answer.scratch);
    return text_of(out);
}

}  // namespace ridgeline::report
