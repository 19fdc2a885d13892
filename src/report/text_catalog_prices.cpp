#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "report/catalog_prices.h"
#include "report/offer_rows.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ridgeline::report {

std::string prices_text(const std::vector<ListedPrice>& prices, const Style& style) {
    std::string out;
    for (const ListedPrice& price : prices) {
        if (contains(price.kind, "cloud")) {
            continue;
        }
        const std::string amount = price.usd_high ? fmt::format("{} to {}", format_usd(price.usd),
                                                                format_usd(*price.usd_high))
                                                  : format_usd(price.usd);
        out += paragraph(
            "  ", fmt::format("{}: {} ({}, {})", price.kind, amount, price.date, price.source),
            style);
    }
    return out.empty() ? out : strong("Prices", style) + "\n" + out;
}

std::string purchase_text(const Catalog& catalog, const Accelerator& part, const Style& style) {
    const auto price = purchase_price(catalog, part);
    if (!price) {
        return {};
    }
    const std::string range =
        price->low < price->high
            ? fmt::format(" ({} to {})", format_usd(price->low), format_usd(price->high))
            : "";
    return strong("To buy", style) + "\n" +
           paragraph("  ",
                     fmt::format("{}{} each, {}", format_usd(price->usd_each), range,
                                 purchase_words(*price)),
                     style);
}

std::string purchases_text(const Catalog& catalog, const std::vector<const Accelerator*>& parts,
                           int count, const Style& style) {
    Table table({"to buy", ">GB", ">$ each", ">lowest", ">highest", fmt::format(">$ for {}", count),
                 "kind", ">date"});
    constexpr std::size_t of_all = 5;
    table.may_leave_out(of_all);
    bool known = false;
    for (const Accelerator* part : parts) {
        const auto price = purchase_price(catalog, *part);
        if (!price) {
            continue;
        }
        known = true;
        const auto usd = [](double amount) { return fmt::format("{:.0f}", amount); };
        table.add({part->id, fmt::format("{:g}", part->marketed_gb), usd(price->usd_each),
                   usd(price->low), usd(price->high), count > 1 ? usd(count * price->usd_each) : "",
                   price->kind.substr(0, price->kind.find(';')), price->date});
    }
    return known ? table.text(style) : std::string();
}

std::string rents_text(const Catalog& catalog, const Accelerator& part, const Style& style) {
    std::vector<const Offer*> list;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator != part.id) {
            continue;
        }
        const auto same = std::find_if(list.begin(), list.end(), [&offer](const Offer* other) {
            return std::tie(other->provider, other->count, other->kind) ==
                   std::tie(offer.provider, offer.count, offer.kind);
        });
        if (same == list.end()) {
            list.push_back(&offer);
        } else if (offer.usd_per_hour < (*same)->usd_per_hour) {
            *same = &offer;
        }
    }
    if (list.empty()) {
        return strong("To rent", style) + "\n  no offer known\n";
    }
    stable_order(list.begin(), list.end(), [](const Offer* a, const Offer* b) {
        return std::tuple(a->count, a->kind, a->usd_per_hour) <
               std::tuple(b->count, b->kind, b->usd_per_hour);
    });
    Table table({">count", "provider", ">kind", ">$/hour", ">each", ">date", "region", "caveat"});
    table.may_leave_out(6);
    table.may_leave_out(7);
    for (const OfferRow& row : offer_rows(list)) {
        const Offer* offer = row.first;
        table.add({counts_words(row), offer->provider, std::string(name_of(offer->kind)),
                   hours_words(row), fmt::format("{:.2f}", offer->usd_per_accelerator_hour()),
                   offer->date, offer->region,
                   offer->caveats.empty() ? "" : offer->caveats.front()});
    }
    return strong("To rent, whole instances, the cheapest of each provider", style) + "\n" +
           table.text(style, 2);
}

}  // namespace ridgeline::report
