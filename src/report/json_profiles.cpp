#include "report/catalog_report.h"
#include "report/json.h"
#include "spec/words.h"

namespace ridgeline::report {

std::string model_json(const ModelAnswer& model, const Stamp& stamp) {
    const Architecture& architecture = model.architecture;
    Json out = document("ridgeline/model/1", stamp);
    out["id"] = architecture.id;
    out["name"] = architecture.name;
    if (model.parameters.total > 0) {
        out["parameters"] = model.parameters.total;
        out["active_parameters"] = model.parameters.active;
    }
    put(out, "published_parameters", architecture.published_parameters);
    put_true(out, "typical", architecture.typical);
    out["groups"] = Json::array();
    for (const ParameterGroup& group : model.parameters.groups) {
        out["groups"].push_back({{"name", group.name},
                                 {"parameters", static_cast<long long>(group.parameters)},
                                 {"count", static_cast<long long>(group.count)}});
    }
    out["kv_bytes_per_token"] = model.kv_bytes_per_token;
    out["forward_flops_per_token"] = model.forward_flops_per_token;
    out["context_tokens"] = model.context;
    out["source"] = architecture.source;
    return text_of(out);
}

std::string profiles_list_json(const Profiles& profiles, std::string_view kind,
                               const Stamp& stamp) {
    Json out = document("ridgeline/profiles/1", stamp);
    Json& list = out[std::string(kind)];
    list = Json::array();
    if (kind == "software") {
        for (const SoftwareProfile& software : profiles.software) {
            list.push_back({{"id", software.id}, {"name", software.name}});
        }
    } else if (kind == "workloads") {
        for (const WorkloadProfile& workload : profiles.workloads) {
            list.push_back({{"id", workload.id}, {"name", workload.name}});
        }
    } else {
        for (const std::string& id : profiles.model_ids) {
            list.push_back({{"id", id}});
        }
    }
    return text_of(out);
}

std::string profiles_check_json(const Profiles& profiles, const Stamp& stamp) {
    Json out = document("ridgeline/profiles-check/1", stamp);
    out["models"] = profiles.model_ids.size();
    out["software"] = profiles.software.size();
    out["workloads"] = profiles.workloads.size();
    return text_of(out);
}

std::string software_json(const SoftwareProfile& software, const Stamp& stamp) {
    Json out = document("ridgeline/software-answer/1", stamp);
    out["id"] = software.id;
    out["name"] = software.name;
    out["inherits"] = software.inherits.empty() ? Json(nullptr) : Json(software.inherits);
    out["defaults"] = {
        {"attention", name_of(software.kernels.attention.kernel)},
        {"compile", software.defaults.compiled},
        {"loss", name_of(software.kernels.loss.kernel)},
        {"cuda_graphs", software.runtime.cuda_graphs()},
        {"weights", name_of(software.defaults.weights)},
        {"master_weights", software.defaults.master_weights},
        {"optimizer_implementation", name_of(software.defaults.optimizer_implementation)},
        {"recompute", name_of(software.defaults.recompute)},
        {"sharding", name_of(software.defaults.sharding)},
        {"double_quantization", software.kernels.adapter.double_quantization()}};
    out["sources"] = software.sources;
    return text_of(out);
}

std::string workload_profile_json(const WorkloadProfile& profile, const Stamp& stamp) {
    Json out = document("ridgeline/workload-profile-answer/1", stamp);
    out["id"] = profile.id;
    out["name"] = profile.name;
    out["critical_metric"] = profile.critical_metric;
    out["must_have"] = profile.must_have;
    out["weights"] = Json::object();
    for (const WorkloadProfile::Weight& weight : profile.weights) {
        out["weights"][weight.metric] = weight.weight;
    }
    out["why"] = profile.why;
    return text_of(out);
}

}  // namespace ridgeline::report
