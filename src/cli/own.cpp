#include "advise/ownership.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/site_flags.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/svg.h"

#include <fmt/format.h>

namespace ridgeline::cli {

Result<Answer> run(const CommonOptions& common, const OwnOptions& options) {
    const auto figures = site_figures_of(options.site);
    if (!figures) {
        return tl::unexpected(figures.error());
    }
    const auto catalog = load_catalog_of(common);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    const auto cluster = cluster_named(*catalog, options.on);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    Query query;
    query.provider = lower(options.provider);
    query.region = lower(options.region);
    const auto owned = ridgeline::own(*cluster, *catalog, *figures, query, today());
    if (!owned) {
        return tl::unexpected(owned.error());
    }
    Answer answer;
    if (!options.svg.empty()) {
        const auto written = write_file("--svg", options.svg, report::svg_of(report::break_even_plot(*owned)));
        if (!written) {
            return tl::unexpected(written.error());
        }
    }
    answer.out = common.json ? report::ownership_json(*owned, stamp_of(*catalog))
                             : report::ownership_text(*owned, style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
