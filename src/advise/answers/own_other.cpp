#include "advise/answers/own.h"
#include "advise/answers/own_words.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Replies about owning one part against renting another.

namespace ridgeline {
void weigh_rents_of_forms(OwnershipAnswer& owned, std::span<const OwnershipAnswer> others) {
    const Accelerator& part = *owned.cluster.accelerator;
    const auto rate = [](const Accelerator& each) {
        return each.peak(ComputeType::bf16).value_or(FlopsPerSecond{});
    };
    for (const OwnershipAnswer& form : others) {
        const Accelerator& other = *form.cluster.accelerator;
        const RentedInstead* own = least_rent(owned);
        const RentedInstead* less = least_rent(form);
        const double used = use_of(owned);
        const bool no_worse = other.marketed_gb >= part.marketed_gb &&
                              other.memory_bandwidth >= part.memory_bandwidth &&
                              rate(other) >= rate(part);
        if (less != nullptr && no_worse &&
            (own == nullptr || rented_hour(*less, used) < rented_hour(*own, used))) {
            RentedInstead rent = *less;
            rent.other = &other;
            rent.break_even = owned.cost.break_even(rent.usd_per_accelerator_hour);
            owned.rented.insert(owned.rented.begin(), rent);
        }
    }
}

void weigh_named_instances(const std::vector<std::string>& instances, int count,
                           const Catalog& catalog, OwnershipAnswer& owned) {
    std::map<PriceKind, RentedInstead> of_kind;  // the cheapest of each
    for (const Offer& offer : catalog.offers) {
        const bool named = std::ranges::any_of(instances, [&](const std::string& name) {
            return is_of_instance(catalog, offer, name);
        });
        if (!named || offer.count < 1) {
            continue;
        }
        const int machines = (count + offer.count - 1) / offer.count;
        const double each = machines * offer.usd_per_hour / owned.cluster.count;
        const auto known = of_kind.find(offer.kind);
        if (known == of_kind.end() || each < known->second.usd_per_accelerator_hour) {
            of_kind.insert_or_assign(
                offer.kind, RentedInstead{&offer, machines, each, owned.cost.break_even(each)});
        }
    }
    if (!of_kind.empty()) {
        owned.rented.clear();
        std::ranges::transform(of_kind, std::back_inserter(owned.rented),
                               [](const auto& each) { return each.second; });
    }
}

namespace {

/// What decides the work: the matrix rate of training, else memory bandwidth; 0: not known.
double deciding_figure(bool trains, const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const auto peak = part.peak(ComputeType::bf16);
    return cluster.count * (trains ? (peak ? *peak / teraflop_per_second : 0)
                                   : part.memory_bandwidth / gigabyte_per_second);
}

}  // namespace

Answer reply_own_or_rent(const Reading& reading, const OwnershipAnswer& owned,
                         const Cluster& other) {
    const bool trains = reading.task == Task::train;
    const double used = use_of(owned);
    const int count = owned.cluster.count;
    const double own_hour = owned.cost.per_delivered_hour(used) * count;
    const std::string mine = fmt::format("{} x {}", count, short_name(*owned.cluster.accelerator));
    const std::string theirs = fmt::format("{} x {}", other.count, short_name(*other.accelerator));
    const RentedInstead* rent = least_rent(owned);
    Answer reply;
    reply.values = {{"owning", {}, own_hour, {}, "USD/h", owned.cluster.accelerator->id}};
    if (rent == nullptr) {
        reply.headline = fmt::format(
            "Owning {} costs {} for each hour of work at {:.0f} % use; no rent of {} is known.",
            mine, format_usd(own_hour), 100 * used, theirs);
        return reply;
    }
    const double rent_hour = rented_hour(*rent, used) * count;
    reply.values.push_back({"renting", {}, rent_hour, {}, "USD/h", other.accelerator->id});
    const double own_figure = deciding_figure(trains, owned.cluster);
    const double other_figure = deciding_figure(trains, other);
    const double faster = own_figure > 0 && other_figure > 0 ? other_figure / own_figure : 1;
    const double as_much = rent_hour / faster / count;  // for one of what is owned
    const bool buy = own_hour / count <= as_much;
    reply.choice =
        AnswerChoice{.accelerator = buy ? owned.cluster.accelerator->id : other.accelerator->id,
                     .count = buy ? count : other.count,
                     .usd_per_hour = buy ? own_hour : rent_hour,
                     .why = buy ? "buy" : "rent"};
    const std::string verdict = verdict_on(reading, owned, own_hour / count, as_much, used, *rent);
    const auto turn = owned.cost.break_even(as_much);
    reply.headline = fmt::format(
        "{}: {} {} cost {} owned{}, {} {} rented from {} ({}, {}/h); with {:.2g} times the {} "
        "as much work on it costs {}; memory is {:g} GB against {:g}{}.",
        verdict, life_words(owned.cost.years) + " of " + mine, busy_words(used),
        about_usd(owned.cost.total_usd(used)),
        reading.owned ? std::string() : fmt::format(" ({})", parts_words(owned, used)), theirs,
        about_usd(over_life(owned, used * rent_hour / count)), rent->offer->provider,
        name_of(rent->offer->kind), format_usd(rent->usd_per_accelerator_hour * count), faster,
        trains ? "matrix rate" : "memory bandwidth", about_usd(over_life(owned, used * as_much)),
        count * owned.cluster.accelerator->marketed_gb,
        other.count * other.accelerator->marketed_gb,
        turn && *turn >= 0.01 && *turn <= 1 ? "; owning pays above " + turning_use(*turn) : "");
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    return reply;
}

}  // namespace ridgeline
