#include "report/json.h"

namespace ridgeline::report {
namespace {

Json rejection_json(const Rejection& rejection) {
    Json json{{"accelerator", rejection.accelerator},
              {"count", rejection.count},
              {"reason", rejection.reason},
              {"message", rejection.message}};
    put_positive(json, "shortfall_gib", rejection.shortfall_gib);
    put(json, "would_fit_if", rejection.would_fit_if);
    return json;
}

}  // namespace

Json option_json(const Option& option, const Architecture& architecture) {
    Json json{{"rank", option.rank},
              {"accelerator", option.cluster.accelerator->id},
              {"count", option.cluster.count},
              {"nodes", option.cluster.nodes()},
              {"labels", option.labels},
              {"obtainable", option.unobtainable.empty()},
              {"barely", barely_fits(option.estimate.memory)},
              {"workload", json_of(option.workload, architecture)},
              {"plan", plan_json(option.workload)},
              {"memory", json_of(option.estimate.memory)},
              {"time", json_of(option.estimate.time, option.workload, option.cluster)},
              {"cost", json_of(option.estimate.cost)},
              {"findings", findings_json(option.findings)},
              {"why", option.why}};
    Json assumed = Json::array();
    for (const FilledDefault& filled : option.defaults) {
        assumed.push_back(
            Json{{"field", filled.field}, {"value", filled.value}, {"from", filled.from}});
    }
    json["defaults"] = assumed;
    put(json, "unobtainable", option.unobtainable);
    put(json, "purchase_usd", option.purchase_usd);
    return json;
}

Json query_json(const Advice& advice) {
    return Json{{"flags", flags_of(advice.query)},
                {"model", advice.architecture.id.empty() ? advice.architecture.name
                                                         : advice.architecture.id},
                {"objective", name_of(advice.query.objective)},
                {"assumptions", advice.assumptions}};
}

namespace {

Json ladders_json(const Advice& advice) {
    Json ladders = Json::array();
    for (const CardLadder& ladder : advice.ladders) {
        Json rungs = Json::array();
        for (const QuantRung& rung : ladder.rungs) {
            Json json{{"quantization", rung.quantization},
                      {"file_gib", rung.file / gibibyte},
                      {"needed_gib", rung.process / gibibyte},
                      {"headroom_gib", rung.headroom / gibibyte},
                      {"fits", rung.fits}};
            if (rung.fits) {
                json["tokens_per_s"] = rung.tokens_per_second;
                json["ttft_s"] = rung.ttft / second;
            }
            rungs.push_back(json);
        }
        ladders.push_back(Json{{"accelerator", ladder.accelerator},
                               {"hardware", ladder.name},
                               {"context_tokens", ladder.context},
                               {"rungs", rungs}});
    }
    return ladders;
}

}  // namespace

std::string advice_json(const Advice& advice, const Stamp& stamp) {
    Json json = document("ridgeline/advice/1", stamp);
    json["query"] = query_json(advice);
    json["options"] = Json::array();
    json["pareto"] = Json::array();
    for (const Option& option : advice.options) {
        json["options"].push_back(option_json(option, advice.architecture));
        if (option.pareto) {
            json["pareto"].push_back(option.rank);
        }
    }
    json["near_misses"] = list_of(advice.near_misses, rejection_json);
    json["rejections"] = list_of(advice.rejections, rejection_json);
    if (!advice.ladders.empty()) {
        json["ladders"] = ladders_json(advice);
    }
    json["findings"] = findings_json(advice.findings);
    json["searched"] = json_of(advice.searched);
    json["searched"]["feasible"] = advice.searched.evaluated;
    return text_of(json);
}

std::string comparison_json(const Comparison& comparison, std::string_view profile,
                            const Stamp& stamp) {
    Json json = document("ridgeline/comparison/1", stamp);
    put(json, "profile", profile);
    json["accelerators"] = Json::array();
    for (std::size_t i = 0; i < comparison.accelerators.size(); ++i) {
        Json one{{"id", comparison.accelerators[i]->id},
                 {"name", comparison.accelerators[i]->name}};
        if (comparison.counts[i] > 1) {
            one["count"] = comparison.counts[i];
        }
        for (const ComparisonRow& row : comparison.rows) {
            const auto& value = row.values[i];
            one[std::string(row.metric->id)] = value;
        }
        if (i < comparison.scores.size()) {
            one["score"] = comparison.scores[i];
        }
        if (i < comparison.missing.size() && !comparison.missing[i].empty()) {
            one["missing"] = comparison.missing[i];
        }
        for (const ComparisonFeature& feature : comparison.features) {
            one["features"][feature.name] = feature.values[i];
        }
        for (const ComparisonFit& fit : comparison.fits) {
            one["suits"][fit.profile->id] = {{"score", fit.scores[i]}, {"missing", fit.missing[i]}};
        }
        json["accelerators"].push_back(one);
    }
    json["notes"] = comparison.notes;
    return text_of(json);
}

}  // namespace ridgeline::report
