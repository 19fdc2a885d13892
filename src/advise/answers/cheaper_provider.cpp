#include "advise/answers/cheaper_provider.h"

#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace ridgeline {

double hour_of(const Reading& reading, const Offer& offer) {
    return reading.count ? rent_of(offer, *reading.count) : offer.usd_per_accelerator_hour();
}

std::string kind_in_words(const std::string& kind) {
    return kind == "on_demand"     ? "on demand"
           : kind == "spot"        ? "as spot"
           : kind == "marketplace" ? "on a marketplace"
                                   : kind;
}

const Offer& steady_of(const std::vector<const Offer*>& offers) {
    for (const PriceKind kind :
         {PriceKind::on_demand, PriceKind::reserved, PriceKind::marketplace}) {
        if (const auto found = std::ranges::find(offers, kind, &Offer::kind);
            found != offers.end()) {
            return **found;
        }
    }
    return *offers.front();
}

std::vector<const Offer*> cheapest_of_kinds(const Reading& reading,
                                            const std::vector<const Offer*>& offers) {
    std::vector<const Offer*> kinds;
    for (const Offer* offer : offers) {
        if (std::ranges::find(kinds, offer->kind, &Offer::kind) == kinds.end()) {
            kinds.push_back(offer);
        }
    }
    if (!reading.best_only) {
        const Offer* steady = &steady_of(offers);
        std::stable_partition(kinds.begin(), kinds.end(),
                              [&](const Offer* offer) { return offer->kind == steady->kind; });
    }
    return kinds;
}

namespace {

/// The cheapest of a part at each provider that was named, of one kind (nothing: of any that lasts)
/// and, where no number was said, of one count; who lists none is left out.
std::vector<const Offer*> offers_alike(const Reading& reading,
                                       const std::vector<const Offer*>& offers,
                                       const std::string& id, std::optional<PriceKind> kind,
                                       int count) {
    std::vector<const Offer*> own;
    for (const std::string& name : reading.providers) {
        const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer* offer) {
            return offer->provider == name && offer->accelerator == id &&
                   (kind ? offer->kind == kind : offer->kind != PriceKind::spot) &&
                   (reading.count || offer->count == count);
        });
        if (found != offers.end()) {
            own.push_back(*found);
        }
    }
    return own;
}

}  // namespace

std::string cheaper_provider(const Reading& reading, const std::vector<const Offer*>& offers) {
    std::set<int> counts;
    for (const Offer* offer : offers) {
        counts.insert(reading.count.value_or(offer->count));
    }
    std::vector<const Offer*> best;
    for (const auto kind : {std::optional(PriceKind::on_demand), std::optional(PriceKind::reserved),
                            std::optional(PriceKind::marketplace), std::optional(PriceKind::spot),
                            std::optional<PriceKind>()}) {
        if (!kind && best.size() > 1) {
            break;
        }
        for (const std::string& id : reading.accelerators) {
            for (const int count : counts) {
                auto own = offers_alike(reading, offers, id, kind, count);
                best = own.size() > best.size() ? std::move(own) : best;
            }
        }
    }
    if (best.size() < 2) {
        return {};
    }
    const auto hour = [&](const Offer* offer) {
        return reading.count ? hour_of(reading, *offer) : offer->usd_per_hour;
    };
    const auto kind_of = [](const Offer* offer) {
        return " " + kind_in_words(std::string(name_of(offer->kind)));
    };
    stable_order(best.begin(), best.end(),
                 [&](const Offer* a, const Offer* b) { return hour(a) < hour(b); });
    const Offer& first = *best.front();
    const bool alike = std::all_of(best.begin(), best.end(),
                                   [&](const Offer* each) { return each->kind == first.kind; });
    const int count = reading.count.value_or(first.count);
    const bool even = format_usd(hour(best[1])) == format_usd(hour(&first));
    std::string words =
        even ? fmt::format("{} and {} ask the same for {} x {}{}: {}/h", first.provider,
                           best[1]->provider, count, first.accelerator, kind_of(&first),
                           format_usd(hour(&first)))
             : fmt::format("{} is the cheap{} for {} x {}{}: {}/h", first.provider,
                           best.size() > 2 ? "est" : "er", count, first.accelerator,
                           kind_of(&first), format_usd(hour(&first)));
    for (std::size_t i = even ? 2 : 1; i < best.size(); ++i) {
        words += fmt::format("{} {} at {}{}", i == 1 ? " against" : ",", format_usd(hour(best[i])),
                             best[i]->provider, alike ? "" : kind_of(best[i]));
    }
    for (const std::string& name : reading.providers) {  // what is no like of it is told apart
        const auto less = std::find_if(offers.begin(), offers.end(), [&](const Offer* offer) {
            return offer->provider == name && offer->accelerator == first.accelerator &&
                   (reading.count || offer->count == count) && offer->kind != first.kind &&
                   offer->kind != PriceKind::spot && hour(offer) < hour(&first);
        });
        if (less != offers.end()) {
            words += fmt::format("; {}{}{} {}/h", name, even ? " is the cheaper" : "",
                                 kind_of(*less), format_usd(hour(*less)));
        }
    }
    return words;
}

}  // namespace ridgeline
