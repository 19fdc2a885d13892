#pragma once

#include "report/json_value.h"
#include "report/report.h"
#include "spec/words.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

/// {"schema", "version", "catalog"} that each document begins with.
Json document(const std::string& schema, const Stamp& stamp);
/// Two-space indented text with a final newline. A figure that is infinite or no number is a
/// defect.
std::string text_of(const Json& json);

/// A list of what `json` makes of each.
template <typename All, typename Make>
Json list_of(const All& all, const Make& json) {
    Json list = Json::array();
    for (const auto& each : all) {
        list.push_back(json(each));
    }
    return list;
}
Json findings_json(const std::vector<Finding>& findings);
/// Sets `key` where there is a value, a text or list that is not empty.
template <typename T>
void put(Json& json, const char* key, const std::optional<T>& value) {
    if (value) {
        json[key] = *value;
    }
}
/// Sets `key` to a number above 0.
template <typename Number>
void put_positive(Json& json, const char* key, Number value) {
    if (value > 0) {
        json[key] = value;
    }
}
/// Sets `key` where that is so.
void put_true(Json& json, const char* key, bool value);
void put(Json& json, const char* key, std::string_view text);
void put(Json& json, const char* key, const std::vector<std::string>& texts);

Json json_of(const Workload& workload, const Architecture& architecture);
Json json_of(const Cluster& cluster);
Json json_of(const MemoryEstimate& memory);
Json json_of(const TimeEstimate& time, const Workload& workload, const Cluster& cluster);
Json json_of(const LongRun& run);
Json json_of(const ServedLoad& load);
Json json_of(const CostEstimate& cost);
Json option_json(const Option& option, const Architecture& architecture);
Json query_json(const Advice& advice);
Json provenance_json(const std::vector<Provenance>& provenance);
Json json_of(const Searched& searched);
/// The plans of a front; `base` is the workload that they go into.
Json front_json(const Workload& base, const std::vector<FoundPlan>& front);
/// The parallel plan and what is traded for memory.
Json plan_json(const Workload& workload);

}  // namespace ridgeline::report
