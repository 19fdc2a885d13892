#include "report/roofline.h"

#include "advise/placement/placement.h"
#include "ask/commands.h"
#include "ask/request.h"
#include "ask/workload_on.h"
#include "report/svg.h"

#include <optional>

namespace ridgeline::ask {
namespace {

Result<report::RooflineMachine> machine_of(const World& world, const WorkloadDocument& document,
                                           const Architecture& architecture, const Cluster& cluster,
                                           const std::string& plan) {
    report::RooflineMachine machine;
    machine.cluster = cluster;
    const Knowledge knowledge = knowledge_of(world);
    const auto placed =
        place_with(plan_choice(plan), knowledge, document, architecture, cluster, nullptr);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    machine.workload = placed->workload;
    machine.time = placed->estimate.time;
    machine.profile = profile_of(knowledge, *placed);
    return machine;
}

Result<report::RooflineAnswer> answer_of(const World& world, WorkloadDocument document,
                                         const Request& request) {
    const auto architecture = completed(document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    report::RooflineAnswer answer{*architecture, {}};
    bool any = false;
    std::optional<Error> first_problem;
    for (const std::string& name : request.texts("on")) {
        const auto cluster = cluster_named(world.catalog, name, request.on_command_line);
        if (!cluster) {
            return tl::unexpected(cluster.error());
        }
        const auto machine =
            machine_of(world, document, *architecture, *cluster, request.text("plan"));
        any = any || machine.has_value();
        if (machine) {
            answer.machines.push_back(*machine);
            continue;
        }
        first_problem = first_problem.value_or(machine.error());
        answer.machines.emplace_back().cluster = *cluster;
        answer.machines.back().problem = machine.error().text();
    }
    if (!any) {
        return tl::unexpected(*first_problem);
    }
    return answer;
}

}  // namespace

Result<Reply> answer_roofline(const World& world, const Request& request) {
    auto document = model_workload_of(request);
    if (!document) {
        return tl::unexpected(document.error());
    }
    const auto answer = answer_of(world, *document, request);
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    Reply out;
    if (const std::string& svg = request.text("svg"); !svg.empty()) {
        out.files.push_back({"--svg", svg, report::svg_of(report::roofline_plot(*answer))});
        out.messages = "wrote " + svg + "\n";
    }
    out.body = request.json() ? report::roofline_json(*answer, stamp_of(world.catalog))
                              : report::roofline_text(*answer, request.style);
    return out;
}

}  // namespace ridgeline::ask
