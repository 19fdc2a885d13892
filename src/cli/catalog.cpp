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
    if (const Link* link = catalog.link(id)) {
        answer.out = common.json ? report::link_json(*link, catalog, stamp)
                                 : report::link_text(*link, catalog, style);
        return answer;
    }
    if (const Storage* storage = catalog.storage_kind(id)) {
        answer.out = common.json ? report::storage_json(*storage, stamp)
                                 : report::storage_text(*storage, catalog, style);
        return answer;
    }
    if (const Offer* offer = catalog.offer(id)) {
        answer.out =
            common.json ? report::offer_json(*offer, stamp) : report::offer_text(*offer, style);
        return answer;
    }
    const NamedHardware named = catalog.named(id);
    if (named.is_family() && named.machines.empty() && catalog.accelerator(id) == nullptr) {
        answer.out = common.json ? report::family_json(named.accelerators, stamp)
                                 : report::family_text(named.accelerators, style);
        return answer;
    }
    const auto accelerator = accelerator_named(catalog, id, "catalog show");
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    answer.out = common.json ? report::accelerator_json(**accelerator, catalog, stamp)
                             : report::accelerator_text(**accelerator, catalog, style);
    return answer;
}

Result<Answer> check(const CommonOptions& common, const Catalog& catalog, const std::string& file) {
    const auto accelerator = load_accelerator(file, catalog);
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    Answer answer;
    answer.out = common.json ? report::accelerator_json(*accelerator, catalog, stamp_of(catalog))
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
    const auto kind = kind_to_list(
        "catalog",
        options.subject,
        options.kind,
        {"accelerators", "machines", "links", "storage", "offers", "claims", "errata"});
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    Answer answer;
    answer.out = common.json ? report::catalog_list_json(*catalog, *kind, stamp_of(*catalog))
                             : report::catalog_list_text(*catalog, *kind, style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
