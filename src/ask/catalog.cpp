#include "advise/hardware/offers.h"
#include "advise/query.h"
#include "ask/commands.h"
#include "ask/question_options.h"
#include "base/lists.h"
#include "data/load.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace ridgeline::ask {
namespace {

Result<Reply> show(const Request& request, const Catalog& catalog, const std::string& id) {
    const report::Stamp stamp = stamp_of(catalog);
    const report::Style style = request.style;
    Reply answer;
    if (const Machine* machine = catalog.machine(id)) {
        answer.body = request.json() ? report::machine_json(*machine, stamp)
                                     : report::machine_text(*machine, catalog, style);
        return answer;
    }
    if (const Link* link = catalog.link(id)) {
        answer.body = request.json() ? report::link_json(*link, catalog, stamp)
                                     : report::link_text(*link, catalog, style);
        return answer;
    }
    if (const Storage* storage = catalog.storage_kind(id)) {
        answer.body = request.json() ? report::storage_json(*storage, stamp)
                                     : report::storage_text(*storage, catalog, style);
        return answer;
    }
    if (const Offer* offer = catalog.offer(id)) {
        answer.body =
            request.json() ? report::offer_json(*offer, stamp) : report::offer_text(*offer, style);
        return answer;
    }
    const NamedHardware named = catalog.named(id);
    if (named.is_family() && named.machines.empty() && catalog.accelerator(id) == nullptr) {
        answer.body = request.json() ? report::family_json(named.accelerators, stamp)
                                     : report::family_text(named.accelerators, style);
        return answer;
    }
    const auto accelerator = accelerator_named(catalog, id, "catalog show");
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    answer.body = request.json() ? report::accelerator_json(**accelerator, catalog, stamp)
                                 : report::accelerator_text(**accelerator, catalog, style);
    return answer;
}

Result<Reply> check(const Request& request, const Catalog& catalog, const std::string& file) {
    const auto path = request.file("catalog check", file);
    if (!path) {
        return tl::unexpected(path.error());
    }
    const auto accelerator = load_accelerator(*path, catalog);
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    Reply answer;
    answer.body = request.json()
                      ? report::accelerator_json(*accelerator, catalog, stamp_of(catalog))
                      : fmt::format("{}: {} is a complete entry\n", file, accelerator->id);
    return answer;
}

/// Leaves the offers that the flags ask for.
Result<void> choose_offers(Catalog& catalog, const Request& request) {
    const std::string& part_name = request.text("part");
    const auto provider = site_name_of("--provider", catalog, request.text("provider"));
    if (!provider) {
        return tl::unexpected(provider.error());
    }
    std::vector<std::string> parts;
    if (!part_name.empty()) {
        for (const Accelerator* part : catalog.named(part_name).accelerators) {
            parts.push_back(part->id);
        }
        if (parts.empty()) {
            const auto part = accelerator_named(catalog, part_name, "--part");
            if (!part) {
                return tl::unexpected(part.error());
            }
            parts.push_back((*part)->id);
        }
    }
    double count = 0;
    if (request.given("count")) {
        const auto number = number_of("--count", request.text("count"), 1, 4096);
        if (!number) {
            return tl::unexpected(number.error());
        }
        count = *number;
    }
    double most_days = 1e9;
    if (request.given("max-age")) {
        const auto seconds = duration_of("--max-age", request.text("max-age"));
        if (!seconds) {
            return tl::unexpected(seconds.error());
        }
        most_days = *seconds / 86400;
    }
    const std::string now = today();
    std::erase_if(catalog.offers, [&](const Offer& offer) {
        const auto age = days_between(offer.date, now);
        return (!parts.empty() && !is_among(offer.accelerator, parts)) ||
               (count > 0 && offer.count != count) || !allowed_by(*provider, offer.provider) ||
               (most_days < 1e9 && (!age || static_cast<double>(*age) > most_days));
    });
    return {};
}

}  // namespace

Result<Reply> answer_catalog(const World& world, const Request& request) {
    const std::string& verb = request.text("verb");
    const std::string& subject = request.text("subject");
    if (subject.empty() && verb == "show") {
        return usage_error("catalog show", "no id was given",
                           "`ridgeline catalog list` shows all.");
    }
    if (verb == "show") {
        return show(request, world.catalog, subject);
    }
    if (verb == "check" && !subject.empty()) {
        return check(request, world.catalog, subject);
    }
    if (verb == "check") {
        Reply answer;
        answer.body =
            request.json()
                ? report::catalog_check_json(world.catalog, stamp_of(world.catalog))
                : fmt::format("{} accelerators, {} machines, {} links, {} offers: all complete\n",
                              world.catalog.accelerators.size(), world.catalog.machines.size(),
                              world.catalog.links.size(), world.catalog.offers.size());
        return answer;
    }
    const auto kind = kind_to_list("catalog", subject, request.text("kind"),
                                   {report::catalog_kinds.begin(), report::catalog_kinds.end()});
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    const bool narrows = request.given("part") || request.given("count") ||
                         request.given("provider") || request.given("max-age");
    if (narrows && *kind != "offers") {
        return usage_error("catalog list",
                           "--part, --count, --provider and --max-age choose offers",
                           "Write `ridgeline catalog list offers`.");
    }
    Catalog chosen = world.catalog;
    if (const auto left = choose_offers(chosen, request); narrows && !left) {
        return tl::unexpected(left.error());
    }
    Reply answer;
    answer.body = request.json() ? report::catalog_list_json(chosen, *kind, stamp_of(chosen))
                                 : report::catalog_list_text(chosen, *kind, request.style);
    return answer;
}

}  // namespace ridgeline::ask
