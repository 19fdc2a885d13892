#pragma once

#include "advise/query.h"
#include "spec/catalog.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ridgeline {

/// Of a month that is paid whole: a twelfth of 365 days.
inline constexpr double hours_of_a_month = 730;

/// "1 month", "2.5 months".
std::string months_words(double months);
/// Of how long something is owned: "10 months", "1 year", "2.5 years".
std::string life_words(double years);

/// The offer that rents `count` accelerators for the least money an hour, or null. Every command
/// takes its rent from here.
///
/// Instances are rented whole and as they are listed: one that holds the cluster's node, or several
/// of them for several nodes. Instances of one accelerator are never put together to a machine; the
/// trays of a rack-scale part are. A cluster of a provider's own machine is priced by that machine
/// alone. Without a price kind on-demand offers come first, then marketplaces; stale ones are last.
///
/// machine  set: only its provider's offers of that instance, where it is a cloud node
const Offer* cheapest_offer(const Catalog& catalog, const Query& query,
                            const Accelerator& accelerator, int count, int per_node,
                            const Machine* machine = nullptr);

/// What the market paid for contracts of years, as an offer of `count` that nobody lists; nothing:
/// it is not known.
std::optional<Offer> market_contract(const Catalog& catalog, std::string_view accelerator,
                                     int count);

/// Whether a region is the one that is wanted, or lies there: "europe-west4" in "eu".
bool lies_in(std::string_view region, std::string_view wanted);
/// Whether its region lies there or, where it tells none, its seller is at home there.
bool is_offered_in(const Offer& offer, std::string_view wanted);
/// "germany": a country of which it is known what its regions are called.
bool is_country(std::string_view name);

/// Whether an offer is of the instance that was named: a machine of the catalog, the letters of the
/// offer's own type, or the family that it begins with ("p5", "a3").
bool is_of_instance(const Catalog& catalog, const Offer& offer, std::string_view instance);

/// Dollars an hour for `count` accelerators by an offer: whole instances, as many as hold them.
double rent_of(const Offer& offer, int count);

/// Forms of one part: "h100-sxm5-80gb" and "h100-nvl-94gb".
bool same_family(const Accelerator& a, const Accelerator& b);

/// How many listings of the catalog name a part; several counts at one price are one.
std::ptrdiff_t times_listed(const Catalog& catalog, const Accelerator& part);

/// How many providers rent a part out, in whatever number.
int renters_of(const Catalog& catalog, const Accelerator& part);
/// What fewer providers rent out may not be had on the day that it is wanted.
inline constexpr int least_renters = 3;

/// Of several forms of a family the one that most providers rent out, then that most offers list;
/// null: there is none.
const Accelerator* most_listed(const Catalog& catalog, std::span<const Accelerator* const> forms);

/// What one accelerator costs to buy. Every command takes it from here.
struct PurchasePrice {
    double usd_each = 0;  ///< the middle of what the newest sources of the best kind state
    double low = 0;
    double high = 0;
    PurchaseBasis basis = PurchaseBasis::card;
    bool used = false;
    bool current = false;  ///< of the year of the catalog's newest prices or the year before
    std::string kind;      ///< "street", "msrp", "used", "system; DGX B200, 379,273 for 8"
    std::string date;      ///< as its source dates it: "2026", "2025-03"
    std::string source;
    int months_old = 0;  ///< before the newest prices of the catalog
};

/// "2025-03", with its age behind it where that is more than a year: "2025-03, 18 months old".
std::string dated_words(const PurchasePrice& price);

/// The newest price of a new part, else of a used one; nothing when none is listed. Of one year,
/// dealings come before street prices, street prices before list prices.
///
/// used  set: of used parts alone, or of new ones alone
std::optional<PurchasePrice> purchase_price(const Catalog& catalog, const Accelerator& accelerator,
                                            std::optional<bool> used = std::nullopt);

/// Whether used parts alone, or new ones alone, are asked for; neither: nothing.
std::optional<bool> used_wanted(const std::vector<std::string>& require);
std::optional<bool> used_wanted(const Query& query);

/// "street 2026, new", "msrp 2020-09, new, not current".
std::string purchase_words(const PurchasePrice& price);

/// Why `count` of a part cannot be had, as far as the catalog knows: "no offer known". Empty when a
/// dated offer names it with that count on one machine (or as whole machines), or when it is sold
/// today: cards one by one, modules by the machine.
///
/// whole  an instance that is larger than what is asked will do
std::string unobtainable(const Catalog& catalog, const Query& query, const Accelerator& accelerator,
                         int count, int per_node, bool whole = false);

/// Beyond this age a price is said to be stale; one provider cut prices by 44 % in a day.
inline constexpr long prices_stale_after_days = 90;

/// Days from one YYYY-MM-DD to another; nothing when either is not such a date.
std::optional<long> days_between(std::string_view from, std::string_view to);

}  // namespace ridgeline
