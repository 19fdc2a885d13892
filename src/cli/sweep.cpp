#include "cli/sweep.h"

#include "advise/plans.h"
#include "advise/scaling.h"
#include "base/text.h"
#include "cli/output_file.h"
#include "cli/placed.h"
#include "report/svg.h"
#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ridgeline::cli {
namespace {

const std::vector<std::string> fields{
    "accelerators", "sequence", "batch", "micro-batch", "concurrency", "rank"};

struct Sweep {
    std::string field;
    std::vector<double> sizes;
};

Result<Sweep> sweep_named(const std::string& text) {
    const std::size_t sign = text.find('=');
    Sweep sweep{.field = text.substr(0, sign), .sizes = {}};
    if (std::find(fields.begin(), fields.end(), sweep.field) == fields.end()) {
        const std::string hint = did_you_mean(sweep.field, fields);
        return usage_error(
            "--sweep",
            fmt::format("no field \"{}\"", sweep.field),
            hint.empty() ? "Fields: accelerators, sequence, batch, micro-batch, concurrency, rank."
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

void set_size(WorkloadDocument& document, const std::string& field, int size) {
    if (field == "sequence") {
        document.sequence_length = size;
    } else if (field == "batch") {
        document.global_batch = size;
    } else if (field == "micro-batch") {
        document.micro_batch = size;
    } else if (field == "rank") {
        document.lora_rank = size;
        document.has_lora = true;
    } else if (field == "concurrency") {
        if (!document.serving) {
            document.serving.emplace();
        }
        document.serving->concurrency = size;
    }
}

/// The same kind of nodes, more or fewer of them.
Cluster resized(const World& world, const Cluster& cluster, int count) {
    const int per_node = cluster.nodes() > 1 && count > cluster.per_node ? cluster.per_node : 0;
    return make_cluster(world.catalog, *cluster.accelerator, count, per_node, cluster.machine);
}

report::SweepPoint point_of(const World& world,
                            const EstimateOptions& options,
                            const WorkloadDocument& document,
                            const Architecture& architecture,
                            const Cluster& cluster,
                            bool best_plan) {
    report::SweepPoint point;
    const Offer* offer = offer_for(world.catalog, cluster, options.price_kind);
    const auto placed = best_plan ? place_best(world, document, architecture, cluster, offer)
                                  : place(world, document, architecture, cluster, offer);
    if (placed) {
        point.answer = *placed;
    } else {
        point.problem = placed.error().text();
    }
    return point;
}

}  // namespace

Result<Answer> run_sweep(const CommonOptions& common,
                         const EstimateOptions& options,
                         const World& world,
                         const WorkloadDocument& document,
                         const Architecture& architecture,
                         const Cluster& cluster) {
    const auto sweep = sweep_named(options.sweep);
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
        set_size(trial, sweep->field, static_cast<int>(size));
        const Cluster place_here =
            counts ? resized(world, cluster, static_cast<int>(size)) : cluster;
        answer.points.push_back(point_of(
            world, options, trial, architecture, place_here, counts || options.plan == "auto"));
        answer.points.back().value = size;
        any = any || report::scale_points(answer).back().runs;
    }
    Answer out;
    if (!options.svg.empty()) {
        const auto written =
            write_file("--svg", options.svg, report::svg_of(report::sweep_plot(answer)));
        if (!written) {
            return tl::unexpected(written.error());
        }
        out.messages = "wrote " + options.svg + "\n";
    }
    out.out = common.json ? report::sweep_json(answer, stamp_of(world.catalog))
                          : report::sweep_text(answer, style_of(common));
    out.exit_code = any ? 0 : 3;
    return out;
}

}  // namespace ridgeline::cli
