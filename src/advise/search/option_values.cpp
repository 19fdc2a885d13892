#include "advise/search/option_values.h"

#include "advise/hardware/desk.h"
#include "advise/search/search.h"
#include "advise/search/spending.h"

#include <limits>

namespace ridgeline {

std::optional<double> time_value(const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    if (has_length(option)) {
        return time.total / second;
    }
    const double rate = option.estimate.time.work_per_second();
    return rate > 0 ? std::optional(1e6 / rate) : std::nullopt;
}

std::optional<double> cost_value(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    if (!cost.offer) {
        return std::nullopt;
    }
    if (has_length(option)) {
        return cost.usd_total;
    }
    const double rate = option.estimate.time.work_per_second();
    return rate > 0 ? std::optional(cost.usd_per_hour / 3600 / rate * 1e6) : std::nullopt;
}

std::optional<double> rent_value(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    return cost.offer ? std::optional(cost.usd_per_hour) : std::nullopt;
}

std::optional<double> energy_value(const Option& option) {
    const CostEstimate& cost = option.estimate.cost;
    if (cost.watts <= 0) {
        return std::nullopt;  // nobody tells what it draws
    }
    if (has_length(option)) {
        return cost.kwh;
    }
    const double rate = option.estimate.time.work_per_second();
    return rate > 0 ? std::optional(cost.watts / rate * 1e6 / 3.6e6) : std::nullopt;
}

double or_last(const std::optional<double>& value) {
    return value.value_or(std::numeric_limits<double>::infinity());
}

std::string_view objective_unit(const Query& query, const Option& option) {
    const bool run = has_length(option);
    const bool tokens = option.estimate.time.tokens_per_second > 0;
    const std::string_view seconds = run      ? "seconds of the run"
                                     : tokens ? "seconds per million tokens"
                                              : "seconds per million samples";
    if (query.owned && query.objective == Objective::cost) {
        return seconds;
    }
    switch (query.objective) {
        case Objective::cost:
            return run             ? "dollars of the run"
                   : query.by_hour ? "dollars an hour"
                   : tokens        ? "dollars per million tokens"
                                   : "dollars per million samples";
        case Objective::time:
            return seconds;
        case Objective::energy:
            return run      ? "kWh of the run"
                   : tokens ? "kWh per million tokens"
                            : "kWh per million samples";
        case Objective::price:
            return "dollars to buy";
        case Objective::rent:
            return "dollars an hour";
        case Objective::memory:
            return "1/GiB of all";
    }
    return {};
}

namespace {

/// What it costs to buy; beside whole computers a card is weighed with the computer around it,
/// where one is asked for.
std::optional<double> bought_whole(const Search& search, const Option& option) {
    const Query& query = search.query;
    const bool around = query.computer_usd > 0 && !query.budget_usd &&
                        !is_one_computer(*option.cluster.accelerator);
    const double computer =
        around ? computer_around(search.knowledge.catalog, option.cluster.count) : 0;
    return option.purchase_usd ? std::optional(*option.purchase_usd + computer) : std::nullopt;
}

}  // namespace

std::optional<double> objective_value(const Search& search, const Option& option) {
    switch (search.query.objective) {
        case Objective::cost:
            // What is owned costs nothing more: time decides.
            return search.query.owned                            ? time_value(option)
                   : search.query.by_hour && !has_length(option) ? rent_value(option)
                                                                 : cost_value(option);
        case Objective::time:
            return time_value(option);
        case Objective::energy:
            return energy_value(option);
        case Objective::price:
            return bought_whole(search, option);
        case Objective::rent:
            return rent_value(option);
        case Objective::memory:
            return gibibyte / (option.cluster.accelerator->capacity() * option.cluster.count);
    }
    return std::nullopt;
}

}  // namespace ridgeline
