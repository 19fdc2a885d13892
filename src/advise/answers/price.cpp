#include "advise/answers/answer.h"
#include "advise/answers/cheaper_provider.h"
#include "advise/answers/rents.h"
#include "advise/answers/side_rents.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/configurations.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Replies about prices: rents by provider and number, and what is asked for a part that is sold.

namespace ridgeline {
namespace {

std::string lower_first(std::string text) {
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    }
    return text;
}

/// A machine is the thing that is bought, where nothing says that it is rented.
bool is_machine_sold(const Reading& reading) {
    const bool sold = reading.price_kind.empty() || reading.price_kind == "purchase";
    return !reading.machine.empty() && sold && !reading.rents_only && reading.providers.empty() &&
           !reading.deadline_s;
}

/// "$1,999 at its launch (msrp 2025-01)": what its maker asked for it.
std::string list_price_words(const Accelerator& part) {
    for (const ListedPrice& listed : part.prices) {
        if (lower(listed.kind).find("msrp") != std::string::npos) {
            return fmt::format("The list price of {} is {} ({} {}); ", part.id,
                               format_usd(listed.usd), listed.kind, listed.date);
        }
    }
    return fmt::format("No list price of {} is in the catalog; ", part.id);
}

/// Modules are sold in whole servers: what these cost over their modules; 1 for cards and for the
/// price of a system.
double server_ratio(const Catalog& catalog, const Accelerator& part, const PurchasePrice& price,
                    int count) {
    const OwnershipFigure* ratio = catalog.ownership.figure("server_cost_ratio");
    const bool bare =
        is_module(part) && price.basis != PurchaseBasis::system && count >= cards_of_node;
    return bare && ratio != nullptr ? ratio->value.value_or(1) : 1;
}

/// "about $544,000".
std::string about_words(const Reading& reading, double usd) {
    constexpr double round_to = 1000;
    return "about " + money_words(reading, std::round(usd / round_to) * round_to);
}

/// Of used parts, where those are asked for and known; else as `purchase_price` has it.
std::optional<PurchasePrice> asked_price(const Reading& reading, const Catalog& catalog,
                                         const Accelerator& part) {
    const auto used = asks(reading, "used") ? purchase_price(catalog, part, true) : std::nullopt;
    return used ? used : purchase_price(catalog, part);
}

/// "No price of 64 GB is in the catalog: ", where a computer is listed with another memory alone.
std::string other_memory_words(const Reading& reading, const std::vector<const Accelerator*>& forms,
                               bool first) {
    const double gb = reading.memory_gib.value_or(0);
    const bool other = gb > 0 && std::ranges::any_of(forms, [&](const Accelerator* form) {
                           return form != nullptr &&
                                  (is_computer(*form) || is_one_computer(*form)) &&
                                  form->marketed_gb != gb;
                       });
    return other ? fmt::format(
                       "{}o price of it with {:g} GB is in the catalog: ", first ? "N" : "; n", gb)
                 : std::string();
}

/// What a part costs to buy, behind what the headline says already; false: no dated price is known.
bool add_purchase(const Reading& reading, const Catalog& catalog, const Accelerator* part,
                  Answer& reply) {
    const auto price = part == nullptr ? std::nullopt : asked_price(reading, catalog, *part);
    if (!price) {
        return false;
    }
    const std::string id = sold_name(*part);
    const int count = reading.count.value_or(1);
    const double with_server = server_ratio(catalog, *part, *price, count);
    // Who names a machine asks for the price of the whole.
    const double all = count * (is_machine_sold(reading) ? with_server : 1);
    reply.values.push_back(
        {"purchase", price->low * all, price->usd_each * all, price->high * all, "USD", part->id});
    std::string& words = reply.headline;
    if (asks(reading, "used") && !price->used) {
        words += fmt::format("{}no used price of {} is in the catalog, new it was ",
                             words.empty() ? "" : "; ", id);
    }
    if (asks(reading, "list_price")) {
        words +=
            words.empty() ? list_price_words(*part) : "; " + lower_first(list_price_words(*part));
    }
    words += words.empty() || words.ends_with(' ') ? "" : "; ";
    const std::string parts = fmt::format("{}{} ({})", count > 1 ? fmt::format("{} x ", count) : "",
                                          id, purchase_words(*price));
    const std::string bare = money_words(reading, price->usd_each * count);
    const std::string whole = about_words(reading, price->usd_each * count * with_server);
    if (with_server > 1 && is_machine_sold(reading)) {
        words +=
            fmt::format("{} to buy as {}, {} of it for {}", whole, reading.machine, bare, parts);
    } else {
        words += fmt::format("{} to buy {}", bare, parts);
    }
    if (buys(reading)) {
        const std::string left = left_behind(*part);
        if (with_server > 1 && !is_machine_sold(reading)) {
            words +=
                count > cards_of_node
                    ? fmt::format(
                          ", {} with servers and network",
                          about_words(
                              reading,
                              capex_usd(make_cluster(catalog, *part, count), catalog).value_or(0)))
                    : fmt::format(", {} with its server", whole);
        }
        words += is_part_of_a_server(*part)
                     ? "; it is sold within whole servers alone, not as a card"
                     : "";
        words += left.empty() ? "" : "; " + left;
    }
    return true;
}

/// Prices to buy all that was named, `what` in words. Hardware for a number of hours is rented.
void add_purchases(const Reading& reading, const Catalog& catalog, bool rents,
                   std::string_view what, Answer& reply) {
    bool known = false;
    const bool rented = reading.deadline_s || reading.rents_only || !reading.providers.empty() ||
                        reading.alternatives_of == "price_kind" ||
                        (!reading.price_kind.empty() && reading.price_kind != "purchase");
    if (!rented || buys(reading) || (!rents && reply.values.empty())) {
        const auto forms = sold_forms(reading, catalog);
        reply.headline += other_memory_words(reading, forms, reply.headline.empty());
        for (const Accelerator* form : forms) {
            known = add_purchase(reading, catalog, form, reply) || known;
        }
    }
    if (buys(reading) && !known) {
        reply.headline = "No dated purchase price of it is in the catalog";
    } else if (!rented && !known && rents && reading.instances.empty()) {
        reply.headline += fmt::format("; no price to buy {} is known", what);
    }
    if (reply.headline.starts_with("no used") || reply.headline.starts_with("about")) {
        reply.headline.front() = static_cast<char>(reply.headline.front() - 'a' + 'A');
    }
}

/// Of providers that list no region, what a question of one leaves out where it is cheaper.
std::string unplaced_words(Reading reading, const Catalog& catalog,
                           const std::vector<const Offer*>& placed) {
    if (reading.region.empty()) {
        return "";
    }
    if (!placed.empty() && placed.front()->region.empty()) {
        return fmt::format("; {} is a seller of Europe and names no region: ask where they stand",
                           placed.front()->provider);
    }
    reading.region.clear();
    for (const Offer* offer : offers_of(reading, catalog)) {
        const double usd = hour_of(reading, *offer);
        if (!offer->region.empty() || offer->kind == PriceKind::spot) {
            continue;
        }
        return placed.empty() || usd < hour_of(reading, *placed.front())
                   ? fmt::format(
                         "; offers that name no region are left out, from {}/h ({}): ask "
                         "where they stand",
                         format_usd(usd), offer->provider)
                   : "";
    }
    return "";
}

/// Below the rent that was said is spot alone: what lasts, and is dearer.
std::string only_spot_words(const Reading& reading, const Catalog& catalog,
                            const std::vector<const Offer*>& within) {
    const auto is_spot = [](const Offer* offer) { return offer->kind == PriceKind::spot; };
    if (!reading.usd_per_hour || !reading.price_kind.empty() ||
        !std::ranges::all_of(within, is_spot)) {
        return {};
    }
    const auto all = offers_of(reading, catalog);
    const auto lasting = std::ranges::find_if_not(all, is_spot);
    return lasting == all.end()
               ? std::string("; all of it is spot, which may be taken away")
               : fmt::format(
                     "; all of it is spot, which may be taken away: else from {}/h ({}, {})",
                     format_usd(hour_of(reading, **lasting)), (*lasting)->provider,
                     name_of((*lasting)->kind));
}

}  // namespace

bool buys(const Reading& reading) {
    return reading.price_kind == "purchase" || reading.buy || is_machine_sold(reading);
}

std::vector<const Accelerator*> sold_forms(const Reading& reading, const Catalog& catalog) {
    std::vector<const Accelerator*> forms;
    const auto add = [&](const Accelerator* part) {
        if (part != nullptr && std::ranges::find(forms, part) == forms.end()) {
            forms.push_back(part);
        }
    };
    for (const std::string& id : reading.accelerators) {
        const Accelerator* part = catalog.accelerator(id);
        add(part);
        // Every memory has its price, where none was said.
        if (part != nullptr && !reading.memory_gib && assumed_of(reading, "memory_gib")) {
            for (const Accelerator* other : configurations(catalog, *part)) {
                add(other);
            }
        }
    }
    // Forms of one part stand in the order of their price, what was named apart as it was named.
    const auto usd = [&](const Accelerator* part) {
        const auto price = asked_price(reading, catalog, *part);
        return price ? price->usd_each : std::numeric_limits<double>::infinity();
    };
    const bool alike = std::ranges::all_of(forms, [&](const Accelerator* form) {
        return same_family(*form, *forms.front()) || form == forms.front();
    });
    if (alike) {
        stable_order(forms.begin(), forms.end(),
                     [&](const Accelerator* a, const Accelerator* b) { return usd(a) < usd(b); });
    }
    return forms;
}

namespace {

/// Of one kind of hardware, or of several that are asked for together.
Answer price_of_one(const Reading& reading, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    auto offers = offers_of(reading, catalog);
    Answer reply;
    const std::string limit = keep_to_limit(reading, offers);
    if (asks(reading, "good_price")) {
        return reply_good_price(reading, offers, catalog);
    }
    if (offers.empty()) {
        reply.headline = no_rent_words(reading, catalog, reply);
    } else {
        const Accelerator* part = catalog.accelerator(offers.front()->accelerator);
        const bool rack = part != nullptr && reading.count.value_or(1) > cards_of_node &&
                          reading.count == part->scale_up.max_domain &&
                          std::ranges::all_of(offers, [&](const Offer* offer) {
                              return offer->count < *reading.count;
                          });
        add_rents(reading, offers,
                  rack ? fmt::format("No offer of a whole rack of {} is listed; single machines: ",
                                     *reading.count) +
                             limit
                       : limit,
                  catalog, reply);
        if (reading.usd_per_month && !reading.providers_excluded.empty()) {
            reply.headline +=
                fmt::format("; {} a month instead of {}",
                            format_usd(hours_of_a_month * hour_of(reading, *offers.front())),
                            format_usd(*reading.usd_per_month));
        }
        reply.headline += limit.empty() ? only_spot_words(reading, catalog, offers) : "";
        reply.headline += buys(reading) ? "" : older_lists(reading, offers, catalog);
        reply.headline += buys(reading) ? "" : unplaced_words(reading, catalog, offers);
    }
    // Who buys reads the price to buy first.
    const std::string rents = buys(reading) ? std::exchange(reply.headline, "") : "";
    add_purchases(reading, catalog, !offers.empty(), "it", reply);
    const bool bought =
        std::ranges::find(reply.values, "purchase", &AnswerValue::quantity) != reply.values.end();
    if (!rents.empty()) {
        reply.headline += (reply.headline.empty() ? "" : "; ") + lower_first(rents);
    }
    reply.headline += !reply.headline.empty() ? std::string(".")
                      : reading.accelerators.empty()
                          ? std::string("No price of it is known.")
                          : fmt::format("No price of {} is known.", reading.accelerators.front());
    if (offers.empty() && bought && !buys(reading) &&
        reply.headline.find(" rent") == std::string::npos &&
        reply.headline.find("/h (") == std::string::npos) {
        reply.headline += " No rent of it is listed.";
    }
    return reply;
}

/// Their rents in one sentence, then what each costs to buy.
Answer price_of_each(const Reading& reading, const std::vector<Reading>& sides,
                     const AnswerTools& tools) {
    Answer all;
    if (!is_rented_plainly(reading)) {
        for (const Reading& side : sides) {
            const Answer one = price_of_one(side, tools);
            all.headline += (all.headline.empty() ? "" : " ") + one.headline;
            all.values.insert(all.values.end(), one.values.begin(), one.values.end());
            all.choice = all.choice ? all.choice : one.choice;
        }
        return all;
    }
    const Catalog& catalog = tools.knowledge.catalog;
    const std::string rents = rents_of_sides(sides, catalog, all);
    all.headline = buys(reading) ? "" : rents;
    for (const Reading& side : sides) {
        add_purchases(side, catalog, !rents.empty(), side.accelerators.front(), all);
    }
    all.headline += buys(reading) && !rents.empty()
                        ? (all.headline.empty() ? rents : "; " + lower_first(rents))
                        : "";
    all.headline += all.headline.empty() ? "No price of them is known." : ".";
    return all;
}

}  // namespace

Answer reply_price(const Reading& reading, const AnswerTools& tools) {
    const auto sides = each_side(reading, tools.knowledge.catalog);
    return sides.size() > 1 ? price_of_each(reading, sides, tools)
                            : price_of_one(sides.front(), tools);
}

}  // namespace ridgeline
