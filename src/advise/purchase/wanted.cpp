#include "advise/purchase/wanted.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

// Which hardware a sum is spent on where no work is named, and what an hour of it rents.

namespace ridgeline {

double dense_tflops(const Query& query, const Profiles& profiles, const Accelerator& part) {
    if (profiles.in_doubles(query.profile)) {
        const double units =
            part.peak(ComputeType::fp64) ? *part.peak(ComputeType::fp64) / teraflop_per_second : 0;
        const double lanes =
            part.peak_vector_fp64 ? *part.peak_vector_fp64 / teraflop_per_second : 0;
        return std::max(units, lanes);
    }
    const auto bf16 = part.peak(ComputeType::bf16);
    const auto rate = bf16 ? bf16 : part.peak(ComputeType::fp16);
    return rate ? *rate / teraflop_per_second : 0;
}

bool by_memory(const Query& query) { return query.objective == Objective::memory; }

namespace {

/// Codes in double precision ask for no newer types of numbers, and few parts have units for them:
/// any since Pascal, the oldest that a current compiler (CUDA 12) builds for.
constexpr int oldest_year = 2020;
constexpr int oldest_year_of_doubles = 2016;

/// Whether a whole computer is an answer: one was asked for, by what it is or by who makes it.
bool may_be_computer(const Query& query) {
    return by_memory(query) || !query.vendor.empty() ||
           std::ranges::any_of(query.require, [](const std::string& each) {
               return each == "computer" || each == "laptop" || is_product_line(each);
           });
}

}  // namespace

bool wanted(const Query& query, const Profiles& profiles, const Accelerator& part) {
    const bool named = std::ranges::find(query.accelerators, part.id) != query.accelerators.end();
    return named || (!is_excluded(query, part) && query.accelerators.empty() &&
                     (part.kind == "gpu" || (may_be_computer(query) && is_one_computer(part))) &&
                     (by_memory(query) ||
                      part.year >= (profiles.in_doubles(query.profile) ? oldest_year_of_doubles
                                                                       : oldest_year)) &&
                     !is_embedded(part) && is_as_required(part, query.require) &&
                     draws_at_most(part, query.max_watts) &&
                     allowed_by(lower(query.vendor), lower(part.vendor)) &&
                     dense_tflops(query, profiles, part) > 0 &&
                     part.marketed_gb >= (query.memory_at_least ? 1 : 1 - memory_tolerance) *
                                             query.memory_per_accelerator_gib.value_or(0) &&
                     part.memory_bandwidth.base() >= query.least_bytes_per_s);
}

namespace {

/// An hour of `count` that costs at most so much: on demand, else at a marketplace; nothing: none
/// is listed.
std::optional<Rentable> hour_within(const Query& query, const Knowledge& knowledge,
                                    const Accelerator& part, int count, double usd_per_hour) {
    const Catalog& catalog = knowledge.catalog;
    const int per_node = make_cluster(catalog, part, count).per_node;
    for (const std::string_view kind : {"on_demand", "marketplace"}) {
        Query of_kind = query;
        of_kind.price_kind = query.price_kind.empty() ? kind : query.price_kind;
        const Offer* offer = cheapest_offer(catalog, of_kind, part, count, per_node);
        const bool whole = offer != nullptr && offer->count <= count;
        if (!whole || rent_of(*offer, count) > usd_per_hour) {
            continue;
        }
        Rentable rented;
        rented.offer = offer;
        rented.part = &part;
        rented.instances = count / offer->count;
        rented.hours = hours_of_a_month;
        rented.tflops = count * dense_tflops(query, knowledge.profiles, part);
        rented.pflop_hours = rented.hours * rented.tflops / 1000;
        return rented;
    }
    return std::nullopt;
}

double usd_an_hour(const Rentable& rented) { return rented.instances * rented.offer->usd_per_hour; }

}  // namespace

std::vector<Rentable> rents_within(const Query& query, const Knowledge& knowledge,
                                   double usd_per_hour) {
    std::vector<Rentable> list;
    for (const Accelerator& part : knowledge.catalog.accelerators) {
        if (!wanted(query, knowledge.profiles, part)) {
            continue;
        }
        // Cards without links between them are no faster machine.
        const int most = query.max_accelerators.value_or(is_module(part) ? cards_of_a_server : 1);
        std::optional<Rentable> best;
        for (int count = query.exact_accelerators.value_or(1);
             count <= query.exact_accelerators.value_or(most); ++count) {
            const auto rented = hour_within(query, knowledge, part, count, usd_per_hour);
            best = rented ? rented : best;
        }
        if (best) {
            list.push_back(*best);
        }
    }
    const bool cheapest = query.objective == Objective::price;
    stable_order(list.begin(), list.end(), [&](const Rentable& a, const Rentable& b) {
        return cheapest
                   ? usd_an_hour(a) < usd_an_hour(b)
                   : std::pair(-a.tflops, usd_an_hour(a)) < std::pair(-b.tflops, usd_an_hour(b));
    });
    return list;
}

void note_oldest_rent(BudgetAnswer& answer, std::string_view today) {
    for (const Rentable& rented : answer.rent) {
        if (const auto age = days_between(rented.offer->date, today)) {
            answer.oldest_rent_days = std::max(*age, answer.oldest_rent_days.value_or(0));
        }
    }
}

BudgetAnswer hourly_answer(const Query& query, const Knowledge& knowledge, double usd_per_hour) {
    BudgetAnswer answer;
    answer.recommendation = "rent";
    answer.usd_per_hour = usd_per_hour;
    answer.usd = usd_per_hour * hours_of_a_month;
    answer.by_month = true;
    answer.in_doubles = knowledge.profiles.in_doubles(query.profile);
    answer.rent = rents_within(query, knowledge, usd_per_hour);
    const double fastest =
        answer.rent.empty() ? 0 : std::ranges::max(answer.rent, {}, &Rentable::tflops).tflops;
    Query spot = query;
    spot.price_kind = "spot";
    spot.objective = Objective::time;
    const auto taken_away = query.price_kind.empty() ? rents_within(spot, knowledge, usd_per_hour)
                                                     : std::vector<Rentable>{};
    if (!taken_away.empty() && taken_away.front().tflops > fastest) {
        answer.taken_away = taken_away.front();
    }
    // The cheapest stays in the list, however slow it is.
    if (answer.rent.size() > rentals_shown) {
        const auto cheapest = std::ranges::min_element(answer.rent, {}, usd_an_hour);
        const auto last = answer.rent.begin() + rentals_shown - 1;
        std::iter_swap(last, std::max(cheapest, last));
        answer.rent.resize(rentals_shown);
    }
    note_oldest_rent(answer, knowledge.today);
    return answer;
}

}  // namespace ridgeline
