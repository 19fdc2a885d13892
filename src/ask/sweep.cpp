#include "ask/sweep.h"

#include "advise/hardware/cluster.h"
#include "advise/placement/largest.h"
#include "advise/placement/placement.h"
#include "advise/validation/scaling.h"
#include "base/lists.h"
#include "base/text.h"
#include "report/svg.h"
#include "report/sweep.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ridgeline::ask {
namespace {

/// What a sweep may vary: the machine, or any whole number of the workload.
std::vector<std::string> fields() {
    std::vector<std::string> names{"accelerators"};
    for (const WorkloadField& field : workload_fields()) {
        if (field.type == FieldType::whole || field.option == "concurrency" || field.is_length()) {
            names.emplace_back(field.option);
        }
    }
    return names;
}

struct Sweep {
    std::string field;
    std::vector<double> sizes;
};

Result<Sweep> sweep_named(const std::string& text) {
    const std::size_t sign = text.find('=');
    Sweep sweep{.field = text.substr(0, sign), .sizes = {}};
    const std::vector<std::string> known = fields();
    if (!is_among(sweep.field, known)) {
        const std::string hint = did_you_mean(sweep.field, known);
        return usage_error(
            "--sweep", fmt::format("no field \"{}\"", sweep.field),
            hint.empty()
                ? "Fields: accelerators, sequence, batch, micro-batch, concurrency, rank, ..."
                : hint);
    }
    const auto sizes = sizes_named(sign == std::string::npos ? "" : text.substr(sign + 1));
    if (!sizes) {
        return usage_error("--sweep",
                           fmt::format("found \"{}\", expected FIELD=LOW..HIGH or FIELD=A,B,C of "
                                       "whole numbers that ascend",
                                       text),
                           "Example: --sweep accelerators=8..16384.");
    }
    sweep.sizes = *sizes;
    return sweep;
}

/// The same kind of nodes, more or fewer of them.
Cluster resized(const World& world, const Cluster& cluster, int count) {
    const int per_node = cluster.nodes() > 1 && count > cluster.per_node ? cluster.per_node : 0;
    return make_cluster(world.catalog, *cluster.accelerator, count, per_node, cluster.machine);
}

report::SweepPoint point_of(const World& world, const Request& request,
                            const WorkloadDocument& document, const Architecture& architecture,
                            const Cluster& cluster) {
    report::SweepPoint point;
    const Knowledge knowledge = knowledge_of(world);
    const Offer* offer = offer_for(world.catalog, cluster, request.text("price"));
    const auto placed = place_with(plan_choice(request.text("plan")), knowledge, document,
                                   architecture, cluster, offer);
    if (placed) {
        point.answer = *placed;
    } else {
        point.problem = placed.error().text();
    }
    return point;
}

}  // namespace

Result<Reply> run_sweep(const Request& request, const World& world,
                        const WorkloadDocument& document, const Architecture& architecture,
                        const Cluster& cluster) {
    const auto sweep = sweep_named(request.text("sweep"));
    if (!sweep) {
        return tl::unexpected(sweep.error());
    }
    const bool counts = sweep->field == "accelerators";
    report::SweepAnswer answer{.field = sweep->field,
                               .architecture = architecture,
                               .fixed_batch = document.global_batch.has_value(),
                               .points = {}};
    bool any = false;
    for (const double size : sweep->sizes) {
        if (counts && size > 1e6) {
            return usage_error("--sweep", "more than 1e6 accelerators", "");
        }
        WorkloadDocument trial = document;
        set_size(trial, sweep->field, static_cast<int>(size), false);
        const Cluster place_here =
            counts ? resized(world, cluster, static_cast<int>(size)) : cluster;
        answer.points.push_back(point_of(world, request, trial, architecture, place_here));
        answer.points.back().value = size;
        any = any || report::scale_points(answer).back().runs;
    }
    Reply out;
    if (const std::string& svg = request.text("svg"); !svg.empty()) {
        out.files.push_back({"--svg", svg, report::svg_of(report::sweep_plot(answer))});
        out.messages = "wrote " + svg + "\n";
    }
    out.body = request.json() ? report::sweep_json(answer, stamp_of(world.catalog))
                              : report::sweep_text(answer, request.style);
    out.exit_code = any ? 0 : 3;
    return out;
}

}  // namespace ridgeline::ask
