#include "advise/offers.h"
#include "base/text.h"
#include "cli/advise_query.h"
#include "cli/commands.h"
#include "data/load.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Leaves the offers that the flags ask for.
Result<void> choose_offers(Catalog& catalog, const CatalogOptions& options) {
    std::vector<std::string> parts;
    if (!options.part.empty()) {
        for (const Accelerator* part : catalog.named(options.part).accelerators) {
            parts.push_back(part->id);
        }
        if (parts.empty()) {
            const auto part = accelerator_named(catalog, options.part, "--part");
            if (!part) {
                return tl::unexpected(part.error());
            }
            parts.push_back((*part)->id);
        }
    }
    double count = 0;
    if (!options.count.empty()) {
        const auto number = number_of("--count", options.count, 1, 4096);
        if (!number) {
            return tl::unexpected(number.error());
        }
        count = *number;
    }
    double most_days = 1e9;
    if (!options.max_age.empty()) {
        const auto seconds = duration_of("--max-age", options.max_age);
        if (!seconds) {
            return tl::unexpected(seconds.error());
        }
        most_days = *seconds / 86400;
    }
    const std::string now = today();
    std::erase_if(catalog.offers, [&](const Offer& offer) {
        const auto age = days_between(offer.date, now);
        return (!parts.empty() && std::ranges::find(parts, offer.accelerator) == parts.end()) ||
               (count > 0 && offer.count != count) ||
               (!options.provider.empty() && offer.provider != lower(options.provider)) ||
               (most_days < 1e9 && (!age || static_cast<double>(*age) > most_days));
    });
    return {};
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const CatalogOptions& options) {
    if (options.subject.empty() && options.verb == "show") {
        return usage_error(
            "catalog show", "no id was given", "`ridgeline catalog list` shows all.");
    }
    auto catalog = load_catalog_of(common);
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
    const bool narrows = !options.part.empty() || !options.count.empty() ||
                         !options.provider.empty() || !options.max_age.empty();
    if (narrows && *kind != "offers") {
        return usage_error("catalog list",
                           "--part, --count, --provider and --max-age choose offers",
                           "Write `ridgeline catalog list offers`.");
    }
    if (const auto chosen = choose_offers(*catalog, options); narrows && !chosen) {
        return tl::unexpected(chosen.error());
    }
    Answer answer;
    answer.out = common.json ? report::catalog_list_json(*catalog, *kind, stamp_of(*catalog))
                             : report::catalog_list_text(*catalog, *kind, style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
