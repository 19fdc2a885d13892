#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/compare.h"
#include "ask/kernel_answer.h"
#include "ask/kernel_place.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// The hardware of the catalog for one kernel, in order.

namespace ridgeline::ask {
namespace {

bool allowed(const Query& query, const Accelerator& part) {
    const std::string vendor = lower(part.vendor);
    if (!allowed_by(lower(query.vendor), vendor)) {
        return false;
    }
    if (query.memory_per_accelerator_gib &&
        !matches_memory(part.marketed_gb, *query.memory_per_accelerator_gib,
                        query.memory_at_least)) {
        return false;
    }
    const bool named = is_among(part.id, query.accelerators);
    if ((!query.accelerators.empty() && !named) || is_excluded(query, part)) {
        return false;
    }
    // Boards and builds are forms of a part, no features of its chip.
    WorkloadProfile needs;
    for (const std::string& each : query.require) {
        if ((is_board(each) && !is_on_board(part, each)) ||
            (is_build(each) && !is_built_as(part, each))) {
            return false;
        }
        if (!is_board(each) && !is_build(each) && each != "used" && each != "new") {
            needs.must_have.push_back(each);
        }
    }
    return part.kind != "asic" && part.kind != "tpu" &&
           (needs.must_have.empty() || missing_features(needs, part).empty());
}

/// What a ranking leaves out, and why.
struct LeftOut {
    int small = 0;
    int without_units = 0;
    int dear = 0;
    int other = 0;  ///< they are not what was asked for
    int unsold = 0;
    int slow = 0;
    std::optional<Error> problem;             ///< of the first that has no estimate
    std::optional<report::KernelOn> largest;  ///< of those that hold less

    void tell(const Query& query, report::KernelAnswer& answer) const {
        if (dear > 0) {
            answer.left_out.push_back(fmt::format(
                "{} cost more than {} or have no known price", dear,
                format_usd(query.budget_usd.value_or(query.budget_usd_per_hour.value_or(0)))));
        }
        if (small > 0) {
            answer.left_out.push_back(fmt::format("{} kinds of hardware hold less memory", small));
        }
        if (other > 0 && answer.places.empty()) {
            answer.left_out.push_back(fmt::format("{} are not what was asked for", other));
        }
        if (slow > 0) {
            answer.left_out.push_back(fmt::format("{} are not surely as fast as asked", slow));
        }
        if (unsold > 0) {
            answer.left_out.push_back(
                fmt::format("{} are not known to be sold or rented (--all)", unsold));
        }
        if (without_units > 0) {
            answer.left_out.push_back(
                fmt::format("{} have no known rate of {}", without_units, name_of(answer.type)));
        }
    }
};

void try_part(const World& world, const Query& query, const Accelerator& part,
              report::KernelAnswer& answer, LeftOut& left_out) {
    const int count = query.exact_accelerators.value_or(1);
    Cluster cluster = make_cluster(world.catalog, part, count,
                                   std::min(count, std::max(1, part.scale_up.max_domain)));
    // Only what can be had is recommended; a processor is there.
    Query had = query;
    had.buy = answer.buys;
    if (query.accelerators.empty() && !query.all && part.kind != "cpu" &&
        !unobtainable(world.catalog, had, part, count, cluster.per_node).empty()) {
        ++left_out.unsold;
        return;
    }
    if (!query.exact_accelerators && part.kind != "cpu") {
        constexpr int one_machine = 8;
        cluster = cluster_holding(world, answer.kernel, answer.type, cluster, one_machine);
    }
    auto estimate = kernel_estimate_on(world, answer.kernel, answer.type, cluster);
    if (!estimate) {
        left_out.problem = left_out.problem ? left_out.problem : std::optional(estimate.error());
        ++left_out.without_units;
        return;
    }
    if (!estimate->fits) {
        ++left_out.small;
        if (!left_out.largest || left_out.largest->estimate.capacity < estimate->capacity) {
            left_out.largest = report::KernelOn{.cluster = cluster, .estimate = *estimate};
        }
        return;
    }
    report::KernelOn on{.cluster = cluster, .estimate = std::move(*estimate)};
    add_kernel_price(world, query.price_kind, on);
    const double most = query.budget_usd.value_or(query.budget_usd_per_hour.value_or(0));
    const double usd = query.budget_usd ? on.usd_to_buy : on.usd_per_hour;
    if (most > 0 && (usd <= 0 || usd > most)) {
        ++left_out.dear;
    } else if (answer.buys && on.usd_to_buy <= 0 && part.kind != "cpu") {
        ++left_out.unsold;
    } else {
        answer.places.push_back(std::move(on));
    }
}

/// Who asks for hardware for double precision has more of it to do than one kernel: parts without
/// units for it go behind those that have them, whatever their memory moves.
bool lacks_units(const report::KernelOn& on, ComputeType type) {
    return type == ComputeType::fp64 && on.cluster.accelerator->kind != "cpu" &&
           !has_feature(*on.cluster.accelerator, "fp64").value_or(false);
}

/// The fastest first; by money what does most for it, of what keeps a pace what costs least, and
/// what has no known price last.
void order_places(report::KernelAnswer& answer, bool by_money, bool paced) {
    const auto usd = [&](const report::KernelOn& on) {
        return paced         ? (answer.buys ? on.usd_to_buy : on.usd_per_hour)
               : answer.buys ? on.usd_for_speed()
                             : on.usd_per_million();
    };
    stable_order(answer.places.begin(), answer.places.end(), [&](const auto& a, const auto& b) {
        if (lacks_units(a, answer.type) != lacks_units(b, answer.type)) {
            return lacks_units(b, answer.type);
        }
        const bool priced = usd(a) > 0, other = usd(b) > 0;
        if (by_money && priced != other) {
            return priced;
        }
        return by_money && priced ? usd(a) < usd(b) : a.seconds() < b.seconds();
    });
}

/// What is sold and does most for its price, of what keeps a pace the cheapest, beside a ranking
/// by rent.
void add_sold(report::KernelAnswer& answer, bool paced) {
    const auto usd = [paced](const report::KernelOn& on) {
        return paced ? on.usd_to_buy : on.usd_for_speed();
    };
    for (const report::KernelOn& on : answer.places) {
        const bool sold = on.usd_to_buy > 0 && !is_module(*on.cluster.accelerator) &&
                          !lacks_units(on, answer.type);
        if (sold && (!answer.to_buy || usd(on) < usd(*answer.to_buy))) {
            answer.to_buy = on;
        }
    }
}

/// Leaves out what runs the kernel less often a second than asked; false: all of it does, and
/// stays.
bool leave_out_slow(double runs_per_s, std::vector<report::KernelOn>& places, LeftOut& left_out) {
    // What keeps it at the slow end of its range, else what does so in the middle.
    for (const bool surely : {true, false}) {
        const auto slow = [&](const report::KernelOn& on) {
            return on.seconds() * (surely ? on.estimate.high : 1) * runs_per_s > 1;
        };
        if (!std::ranges::all_of(places, slow)) {
            left_out.slow = static_cast<int>(std::erase_if(places, slow));
            return true;
        }
    }
    return false;
}

/// The first `top`; the best CPU stays in sight beside the accelerators.
void keep_top(std::vector<report::KernelOn>& places, std::size_t top) {
    top = std::min(places.size(), top);
    const auto is_cpu = [](const auto& on) { return on.cluster.accelerator->kind == "cpu"; };
    const auto cpu = std::ranges::find_if(places, is_cpu);
    if (cpu != places.end() && cpu - places.begin() >= static_cast<long>(top)) {
        std::swap(places[top - (top > 1 ? 1 : 0)], *cpu);
        places.resize(top + (top > 1 ? 0 : 1));
    } else {
        places.resize(top);
    }
}

}  // namespace

Result<report::KernelAnswer> kernel_ranked(const World& world, const Query& query) {
    report::KernelAnswer answer;
    answer.kernel = *query.workload.kernel;
    answer.type = kernel_type(query.workload);
    answer.ranked = true;
    answer.buys = query.buy || query.budget_usd;
    LeftOut left_out;
    for (const Accelerator& part : world.catalog.accelerators) {
        if (!allowed(query, part) || part.memory_bandwidth.base() <= 0) {
            ++left_out.other;
            continue;
        }
        try_part(world, query, part, answer, left_out);
    }
    if (answer.places.empty() && left_out.unsold > 0) {
        Query any = query;
        any.all = true;
        return kernel_ranked(world, any);
    }
    if (answer.places.empty() && left_out.largest) {
        answer.places.push_back(std::move(*left_out.largest));
        left_out.tell(query, answer);
        return answer;
    }
    if (answer.places.empty()) {
        left_out.tell(query, answer);
        return tl::unexpected(left_out.problem.value_or(
            Error{ErrorKind::input, "kernel",
                  "no hardware of the catalog is left: " + joined(answer.left_out, ", "), ""}));
    }
    // Of what is fast enough the cheapest; of what is too slow, the fastest.
    const bool paced = query.requests_per_s && query.accelerators.empty() &&
                       leave_out_slow(*query.requests_per_s, answer.places, left_out);
    const bool money =
        paced || query.objective == Objective::cost || query.objective == Objective::price;
    order_places(answer, money, paced);
    const report::KernelOn& first = answer.places.front();
    answer.by_cost = money && (answer.buys ? first.usd_to_buy : first.usd_per_hour) > 0;
    if (!answer.buys && query.accelerators.empty() && !query.exact_accelerators) {
        add_sold(answer, paced);
    }
    keep_top(answer.places, static_cast<std::size_t>(std::max(1, query.top)));
    left_out.tell(query, answer);
    return answer;
}

}  // namespace ridgeline::ask
