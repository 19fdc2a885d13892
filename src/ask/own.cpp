#include "advise/hardware/ownership.h"
#include "ask/commands.h"
#include "ask/request.h"
#include "ask/site_options.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/svg.h"

namespace ridgeline::ask {

Result<Reply> answer_own(const World& world, const Request& request) {
    const auto figures = site_figures_of(request);
    if (!figures) {
        return tl::unexpected(figures.error());
    }
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    Query query;
    for (const auto& [flag, target] :
         {std::pair("--provider", &query.provider), std::pair("--region", &query.region)}) {
        const auto name = site_name_of(flag, world.catalog, request.text(flag + 2));
        if (!name) {
            return tl::unexpected(name.error());
        }
        *target = *name;
    }
    const auto owned = ridgeline::own(*cluster, world.catalog, *figures, query, today());
    if (!owned) {
        return tl::unexpected(owned.error());
    }
    Reply answer;
    if (const std::string& svg = request.text("svg"); !svg.empty()) {
        answer.files.push_back({"--svg", svg, report::svg_of(report::break_even_plot(*owned))});
    }
    answer.body = request.json() ? report::ownership_json(*owned, stamp_of(world.catalog))
                                 : report::ownership_text(*owned, request.style);
    return answer;
}

}  // namespace ridgeline::ask
