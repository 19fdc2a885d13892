#include "base/text.h"
#include "cli/commands.h"
#include "data/load.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ridgeline::cli {
namespace {

Result<Answer> show(const CommonOptions& common, const Catalog& catalog, const std::string& id) {
    const report::Stamp stamp = stamp_of(catalog);
    const report::Style style = style_of(common);
    Answer answer;
    if (const Machine* machine = catalog.machine(id)) {
        answer.out = common.json ? report::machine_json(*machine, stamp)
                                 : report::machine_text(*machine, catalog, style);
        return answer;
    }
    const auto accelerator = accelerator_named(catalog, id, "catalog show");
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    answer.out = common.json ? report::accelerator_json(**accelerator, stamp)
                             : report::accelerator_text(**accelerator, catalog, style);
    return answer;
}

Result<Answer> check(const CommonOptions& common, const Catalog& catalog, const std::string& file) {
    const auto accelerator = load_accelerator(file, catalog);
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    Answer answer;
    answer.out = common.json ? report::accelerator_json(*accelerator, stamp_of(catalog))
                             : fmt::format("{}: {} is a complete entry\n", file, accelerator->id);
    return answer;
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const CatalogOptions& options) {
    if (options.subject.empty() && options.verb == "show") {
        return usage_error(
            "catalog show", "no id was given", "`ridgeline catalog list` shows all.");
    }
    const auto catalog = load_catalog_of(common);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    if (options.verb == "show") {
        return show(common, *catalog, options.subject);
    }
    if (options.verb == "check" && !options.subject.empty()) {
        return check(common, *catalog, options.subject);
    }
    if (options.verb == "check") {
        Answer answer;
        answer.out =
            fmt::format("{} accelerators, {} machines, {} links, {} offers: all complete\n",
                        catalog->accelerators.size(),
                        catalog->machines.size(),
                        catalog->links.size(),
                        catalog->offers.size());
        return answer;
    }
    const auto kind =
        kind_to_list("catalog",
                     options.subject,
                     options.kind,
                     {"accelerators", "machines", "links", "storage", "offers", "claims"});
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    Answer answer;
    answer.out = common.json ? report::catalog_list_json(*catalog, *kind, stamp_of(*catalog))
                             : report::catalog_list_text(*catalog, *kind, style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
