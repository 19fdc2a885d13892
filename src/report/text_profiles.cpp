#include "base/text.h"
#include "estimate/families/families.h"
#include "report/catalog_report.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {

std::string model_text(const ModelAnswer& model, const Style& style) {
    const Architecture& architecture = model.architecture;
    std::string out = strong(architecture.name, style) + "  " + architecture.id + "\n";
    const long long total = model.parameters.total;
    const bool counted = !architecture.stacks.empty() || has_program(architecture);
    out += fmt::format(
        "  {:<24}{}{}\n", "parameters",
        total > 0 ? grouped(static_cast<double>(total)) : "not published",
        !counted                             ? (total > 0 ? ", as published" : "")
        : architecture.typical               ? " (a typical shape of this size)"
        : !architecture.published_parameters ? ""
        : *architecture.published_parameters == total
            ? ", as published"
            : ", published " + grouped(static_cast<double>(*architecture.published_parameters)));
    if (model.parameters.active != total) {
        out += fmt::format("  {:<24}{}\n", "active for one token",
                           grouped(static_cast<double>(model.parameters.active)));
    }
    if (model.kv_bytes_per_token > 0) {
        out += fmt::format("  {:<24}{} bytes a token at 16 bits\n", "KV cache",
                           grouped(model.kv_bytes_per_token));
    }
    if (model.forward_flops_per_token > 0) {
        out += paragraph(fmt::format("  {:<24}", "forward"),
                         fmt::format("{:.4g} GFLOP a token at {} tokens of context",
                                     model.forward_flops_per_token / 1e9, grouped(model.context)),
                         style);
    }
    out += "\n";
    Table table({"group", ">shape gives", ">count", ">parameters", ">share"});
    for (const ParameterGroup& group : model.parameters.groups) {
        const double sum = group.parameters * group.count;
        table.add({group.name, grouped(group.parameters), grouped(group.count), grouped(sum),
                   fmt::format("{:.1f} %", 100 * sum / static_cast<double>(std::max(1LL, total)))});
    }
    out += table.text(style);
    if (!architecture.source.empty()) {
        out += "\n" + wrap("source: " + architecture.source, style.width, 2) + "\n";
    }
    return out;
}

std::string profiles_list_text(const Profiles& profiles, std::string_view kind) {
    std::string out;
    if (kind == "software") {
        for (const SoftwareProfile& software : profiles.software) {
            out += fmt::format("{:<24}{}\n", software.id, software.name);
        }
    } else if (kind == "workloads") {
        for (const WorkloadProfile& workload : profiles.workloads) {
            out += fmt::format("{:<24}{}\n", workload.id, workload.name);
        }
    } else {
        for (const std::string& id : profiles.model_ids) {
            out += id + "\n";
        }
    }
    return out;
}

std::string workload_profile_text(const WorkloadProfile& profile, const Style& style) {
    std::string out = strong(profile.name, style) + "  " + profile.id + "\n";
    out += "  " + wrap(profile.why, 76, 2) + "\n";
    out += fmt::format("  decides: {}\n", profile.critical_metric);
    const std::string must = joined(profile.must_have, ", ");
    out += fmt::format("  must have: {}\n", must.empty() ? "nothing" : must);
    for (const WorkloadProfile::Weight& weight : profile.weights) {
        out += fmt::format("  {:<34}{:>5.0f} %  {}\n", weight.metric, 100 * weight.weight,
                           bar(weight.weight, 30, style));
    }
    return out;
}

std::string software_text(const SoftwareProfile& software) {
    std::string out = fmt::format("{}  {}\n", software.name, software.id);
    const auto line = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) {
            out += fmt::format("  {:<24}{}\n", name, value);
        }
    };
    const auto yes_no = [](bool value) { return value ? "yes" : "no"; };
    line("inherits from", software.inherits);
    line("attention", name_of(software.kernels.attention.kernel));
    line("compiled", yes_no(software.defaults.compiled));
    line("loss", name_of(software.kernels.loss.kernel));
    line("weights", name_of(software.defaults.weights));
    line("master weights", yes_no(software.defaults.master_weights));
    line("optimizer", name_of(software.defaults.optimizer_implementation));
    line("recompute", name_of(software.defaults.recompute));
    line("sharding", name_of(software.defaults.sharding));
    for (const std::string& source : software.sources) {
        out += "  " + wrap("source: " + source, 76, 4) + "\n";
    }
    return out;
}

}  // namespace ridgeline::report
