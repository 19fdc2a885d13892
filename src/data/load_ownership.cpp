#include "base/text.h"
#include "data/catalog_reader.h"
#include "spec/words.h"

#include <fmt/format.h>

// What owning hardware costs (catalog/ownership.json), and the hourly prices that articles state
// (catalog/price_claims.json).

namespace ridgeline {
namespace {

constexpr Range dollars{0.0001, 1e9};
constexpr Range part_watts{1, 1e6};

std::string known_part(Reader& row, const Catalog& catalog) {
    const std::string word = row.text("accelerator");
    if (word.empty() || catalog.accelerator(word) != nullptr) {
        return word;
    }
    std::vector<std::string> ids;
    for (const Accelerator& part : catalog.accelerators) {
        ids.push_back(part.id);
    }
    row.fail("accelerator", fmt::format("no accelerator \"{}\" in the catalog", printable(word)),
             did_you_mean(word, ids));
    return word;
}

Purchase read_purchase(Reader& row, const Catalog& catalog) {
    Purchase purchase;
    purchase.accelerator = known_part(row, catalog);
    // A package that software sees as several devices was bought whole.
    const Accelerator* part = catalog.accelerator(purchase.accelerator);
    purchase.usd_each =
        row.number("usd_each", dollars) / (part != nullptr ? part->devices_seen : 1);
    purchase.basis = row.optional_choice("basis", purchase_words()).value_or(PurchaseBasis::card);
    purchase.date = row.text("date");
    purchase.source = row.text("source");
    purchase.note = row.text_or("note", "");
    row.reject_unknown();
    return purchase;
}

OwnershipFigure read_figure(Reader& row) {
    OwnershipFigure figure{.id = row.text("id"),
                           .meaning = row.text("meaning"),
                           .unit = row.text("unit"),
                           .value = row.optional_number("value"),
                           .date = row.text_or("date", ""),
                           .source = row.text("source")};
    row.reject_unknown();
    return figure;
}

MarketRate read_market(Reader& row, const Catalog& catalog) {
    MarketRate rate{.accelerator = known_part(row, catalog),
                    .kw_each = row.number("kw_each", positive),
                    .usd_per_hour_hyperscaler = row.number("usd_per_hour_hyperscaler", dollars),
                    .usd_per_hour_neocloud = row.number("usd_per_hour_neocloud", dollars),
                    .usd_per_hour_rental = row.number("usd_per_hour_rental", dollars),
                    .date = row.text("date"),
                    .source = row.text("source")};
    row.reject_unknown();
    return rate;
}

PowerCapPoint read_cap(Reader& row, const Catalog& catalog) {
    PowerCapPoint point{.accelerator = known_part(row, catalog),
                        .cap_watts = row.number("cap_watts", part_watts),
                        .default_watts = row.number("default_watts", part_watts),
                        .speed = row.number("speed", Range{0.01, 1.05}),
                        .work = row.text("work"),
                        .date = row.optional_text("date").value_or(""),
                        .source = row.text("source")};
    row.reject_unknown();
    return point;
}

PriceClaim read_claim(Reader& row, const Catalog& catalog) {
    PriceClaim claim;
    claim.provider = row.text("provider");
    claim.instance_type = row.text("instance_type");
    claim.accelerator = row.has("accelerator") ? known_part(row, catalog) : std::string();
    claim.count = row.integer("count", Range{1, 4096});
    claim.claimed_usd_per_hour = row.optional_number("claimed_usd_per_hour", dollars);
    claim.claimed_usd_per_hour_high = row.optional_number("claimed_usd_per_hour_high", dollars);
    claim.claimed_by = row.text("claimed_by");
    claim.offer = row.text_or("offer", "");
    if (!claim.offer.empty() && catalog.offer(claim.offer) == nullptr) {
        row.fail("offer", fmt::format("no offer \"{}\" in the catalog", printable(claim.offer)));
    }
    for (Reader& past : row.objects("earlier")) {
        claim.earlier.push_back({.usd_per_hour = past.number("usd_per_hour", dollars),
                                 .since = past.text_or("since", ""),
                                 .source = past.text("source")});
        past.reject_unknown();
    }
    claim.verdict = row.text("verdict");
    row.reject_unknown();
    return claim;
}

}  // namespace

void read_ownership(Reader& document, Catalog& catalog) {
    check_schema(document, "ridgeline/ownership-facts/1");
    OwnershipFacts& facts = catalog.ownership;
    for (Reader& row : document.objects("purchases")) {
        facts.purchases.push_back(read_purchase(row, catalog));
    }
    for (Reader& row : document.objects("figures")) {
        facts.figures.push_back(read_figure(row));
    }
    for (Reader& row : document.objects("market")) {
        facts.market.push_back(read_market(row, catalog));
    }
    for (Reader& row : document.objects("power_caps")) {
        facts.power_caps.push_back(read_cap(row, catalog));
    }
    document.reject_unknown();
}

void read_price_claims(Reader& document, Catalog& catalog) {
    check_schema(document, "ridgeline/price-claims/1");
    for (Reader& row : document.objects("claims")) {
        catalog.price_claims.push_back(read_claim(row, catalog));
    }
    document.reject_unknown();
}

}  // namespace ridgeline
