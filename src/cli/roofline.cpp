#include "report/roofline.h"

#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/placed.h"
#include "cli/workload_flags.h"
#include "report/svg.h"

#include <optional>

namespace ridgeline::cli {
namespace {

Result<report::RooflineMachine> machine_of(const World& world,
                                           const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Cluster& cluster,
                                           const std::string& plan) {
    report::RooflineMachine machine;
    machine.cluster = cluster;
    const auto placed = plan == "auto" ? place_best(world, document, architecture, cluster, nullptr)
                                       : place(world, document, architecture, cluster, nullptr);
    if (!placed) {
        return tl::unexpected(placed.error());
    }
    machine.workload = placed->workload;
    machine.time = placed->estimate.time;
    machine.profile = profile_of(world, *placed);
    return machine;
}

Result<report::RooflineAnswer> answer_of(const World& world,
                                         WorkloadDocument document,
                                         const RooflineOptions& options) {
    const auto architecture = completed(document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    report::RooflineAnswer answer{*architecture, {}};
    bool any = false;
    std::optional<Error> first_problem;
    for (const std::string& name : options.on) {
        const auto cluster = cluster_named(world.catalog, name);
        if (!cluster) {
            return tl::unexpected(cluster.error());
        }
        const auto machine = machine_of(world, document, *architecture, *cluster, options.plan);
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

Result<Answer> run(const CommonOptions& common, const RooflineOptions& options) {
    auto document = workload_of(options.workload);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (document->task == Task::kernel) {
        return input_error("task",
                           "found \"kernel\", expected train or inference",
                           "A single kernel is one point; `ridgeline validate` times it.");
    }
    if (options.on.empty()) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb:8.");
    }
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    const auto answer = answer_of(*world, *document, options);
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    Answer out;
    if (!options.svg.empty()) {
        const auto written =
            write_file("--svg", options.svg, report::svg_of(report::roofline_plot(*answer)));
        if (!written) {
            return tl::unexpected(written.error());
        }
        out.messages = "wrote " + options.svg + "\n";
    }
    out.out = common.json ? report::roofline_json(*answer, stamp_of(world->catalog))
                          : report::roofline_text(*answer, style_of(common));
    return out;
}

}  // namespace ridgeline::cli
