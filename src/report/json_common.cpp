#include "report/json.h"
#include "report/json_money.h"
#include "spec/words.h"

#include <string>

namespace ridgeline::report {
namespace {

Json component_json(const Component& component) {
    Json inputs = Json::object();
    for (const FormulaInput& input : component.inputs) {
        if (!input.name.empty()) {
            inputs[std::string(input.name)] = input.value;
        }
    }
    Json out = {{"name", component.name},
                {"gib", component.size / gibibyte},
                {"formula", component.formula},
                {"inputs", inputs}};
    put(out, "source", component.source);
    return out;
}

Json finding_json(const Finding& finding) {
    static constexpr const char* severities[] = {"info", "warning", "error"};
    Json numbers = Json::object();
    for (const auto& [key, value] : finding.numbers) {
        numbers[key] = value;
    }
    return {{"rule", finding.rule},
            {"severity", severities[static_cast<int>(finding.severity)]},
            {"message", finding.message},
            {"numbers", numbers},
            {"source", finding.source}};
}

}  // namespace

Json document(const std::string& schema, const Stamp& stamp) {
    return {{"schema", schema},
            {"version", stamp.version},
            {"catalog", {{"version", stamp.catalog_version}, {"prices_date", stamp.prices_date}}}};
}

void put_true(Json& json, const char* key, bool value) {
    if (value) {
        json[key] = true;
    }
}

void put(Json& json, const char* key, std::string_view text) {
    if (!text.empty()) {
        json[key] = text;
    }
}

void put(Json& json, const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) {
        json[key] = texts;
    }
}

Json findings_json(const std::vector<Finding>& findings) { return list_of(findings, finding_json); }

Json json_of(const MemoryEstimate& memory) {
    const auto gib = [](Bytes size) { return size / gibibyte; };
    Json out = {{"fits", memory.fits},
                {"verdict", name_of(memory.verdict)},
                {"capacity_gib", gib(memory.capacity)},
                {"peak_gib", gib(memory.process)},
                {"low_gib", gib(memory.process) * memory.band.low},
                {"high_gib", gib(memory.process) * memory.band.high},
                {"headroom_gib", gib(memory.headroom())}};
    put(out, "verdict_cause", text_of(memory.barely_by));
    if (memory.host > Bytes{}) {
        out["host_gib_per_node"] = gib(memory.host);
    }
    out["components"] = Json::array();
    out["instants"] = Json::array();
    if (memory.peak_instant < memory.instants.size()) {
        const Instant& peak = memory.instants[memory.peak_instant];
        out["peak_instant"] = peak.name;
        for (const Component& component : peak.components) {
            out["components"].push_back(component_json(component));
        }
    }
    out["peak_stage"] = memory.peak_stage;
    out["counters"] = {{"allocated_gib", gib(memory.allocated)},
                       {"reserved_gib", gib(memory.reserved)},
                       {"process_gib", gib(memory.process)}};
    for (const Instant& instant : memory.instants) {
        out["instants"].push_back({{"name", instant.name}, {"gib", gib(instant.total)}});
    }
    put_positive(out, "kv_capacity_tokens", memory.kv_capacity_tokens);
    return out;
}

Json json_of(const LongRun& run) {
    return {{"steps_s", run.steps / second},
            {"evaluation_s", run.evaluation / second},
            {"checkpoints_s", run.checkpoints / second},
            {"restarts_s", run.restarts / second},
            {"low_s", run.low / second},
            {"high_s", run.high / second},
            {"goodput_ratio", run.goodput},
            {"interruptions", run.interruptions},
            {"between_interruptions_s", run.between_interruptions / second},
            {"checkpoint_gib", run.checkpoint / gibibyte},
            {"checkpoint_write_s", run.checkpoint_write / second},
            {"checkpoint_interval_s", run.checkpoint_interval / second},
            {"spot", run.spot},
            {"tier", name_of(run.tier)},
            {"source", run.source}};
}

Json json_of(const ServedLoad& load) {
    const auto spread = [](const LoadSpread& of) {
        return Json{{"mean_s", of.mean}, {"p50_s", of.p50}, {"p90_s", of.p90}, {"p99_s", of.p99}};
    };
    Json out{{"requests", load.requests},
             {"ttft", spread(load.ttft)},
             {"tpot", spread(load.tpot)},
             {"end_to_end", spread(load.end_to_end)},
             {"requests_per_s", load.requests_per_second},
             {"tokens_per_s", load.tokens_per_second},
             {"preemptions", load.preemptions}};
    put(out, "goodput_requests_per_s", load.goodput);
    put(out, "largest_requests_per_s", load.largest_rate);
    return out;
}

Json json_of(const TimeEstimate& time, const Workload& workload, const Cluster& cluster) {
    const double tokens = time.tokens_per_second;  // none where samples are counted
    Json out = {
        {"step_s", time.step / second},
        {"low_s", time.step / second * time.band.low},
        {"high_s", time.step / second * time.band.high},
        {"tokens_per_s", tokens > 0 ? Json(tokens) : Json()},
        {"tokens_per_s_per_accelerator", tokens > 0 ? Json(tokens / cluster.count) : Json()},
        {"samples_per_s", time.samples_per_second},
        {"mfu", time.mfu},
        {"bound", name_of(time.bound)}};
    if (time.total / second > 0) {
        out["total_s"] = time.total / second;
    }
    if (time.run) {
        out["run"] = json_of(*time.run);
    }
    if (time.round) {
        const TuningRound& round = *time.round;
        out["round"] = {{"prompts", round.prompts},
                        {"answers_per_prompt", round.answers},
                        {"rollout_s", round.rollout / second},
                        {"scoring_s", round.scoring / second},
                        {"update_s", round.update / second},
                        {"sync_s", round.sync / second},
                        {"overlapped", round.overlapped}};
    }
    out["components"] = Json::array();
    for (const TimeComponent& component : time.components) {
        out["components"].push_back({{"name", component.name},
                                     {"s", component.time / second},
                                     {"bound", name_of(component.bound)}});
    }
    if (workload.task == Task::inference && workload.serving) {
        out["ttft_s"] = time.ttft / second;
        out["tpot_s"] = time.tpot / second;
        out["requests_per_s"] = time.requests_per_second;
        if (time.load) {
            out["load"] = json_of(*time.load);
        }
    }
    return out;
}

Json json_of(const Offer& offer) {
    Json out{{"id", offer.id},
             {"provider", offer.provider},
             {"instance_type", offer.instance_type},
             {"accelerator", offer.accelerator},
             {"count", offer.count},
             {"region", offer.region},
             {"kind", name_of(offer.kind)},
             {"usd_per_hour", offer.usd_per_hour},
             {"date", offer.date},
             {"source", offer.source}};
    put(out, "caveats", offer.caveats);
    return out;
}

Json json_of(const CostEstimate& cost) {
    Json out = Json::object();
    if (cost.offer) {
        out["usd_per_hour"] = cost.usd_per_hour;
        if (cost.usd_total > 0) {
            out["usd_total"] = cost.usd_total;
            out["low_usd"] = cost.usd_total_low;
            out["high_usd"] = cost.usd_total_high;
        }
        put_positive(out, "usd_per_million_tokens", cost.usd_per_million_tokens);
        put_positive(out, "usd_per_sample", cost.usd_per_sample);
    }
    const bool drawn = cost.watts > 0;  // else nobody tells what it draws
    out["kwh"] = drawn ? Json(cost.kwh) : Json(nullptr);
    out["power_w"] = drawn ? Json(cost.watts) : Json(nullptr);
    if (cost.offer) {
        out["instances"] = cost.instances;
        out["idle_accelerators"] = cost.idle_accelerators;
        out["offer"] = json_of(*cost.offer);
    }
    return out;
}

}  // namespace ridgeline::report
