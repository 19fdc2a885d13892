#include "advise/answers/own.h"
#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/standing.h"
#include "advise/search/search.h"
#include "ask/router.h"
#include "base/text.h"
#include "report/option_words.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Hardware that a question leaves open and its answer rests on.

namespace ridgeline::ask {
namespace {

ReadSide side_of(const Cluster& cluster, bool rented) {
    ReadSide side;
    side.accelerator = cluster.accelerator->id;
    side.ids = {side.accelerator};
    side.count = cluster.count;
    side.rented = rented;
    return side;
}

}  // namespace

std::string Router::choose_to_own() {
    if (reading_.model.empty()) {
        return "";
    }
    Question bought = asked_;
    bought.query.buy = true;
    bought.query.by_hour = false;
    bought.query.objective = Objective::price;
    bought.query.provider.clear();
    bought.query.price_kind.clear();
    const auto advice = advice_on(bought, world_, AdviceExtent::options);
    if (!advice || advice->options.empty()) {
        return "";
    }
    // Owning is weighed against a rent: what is rented too goes first.
    const auto rented =
        std::find_if(advice->options.begin(), advice->options.end(),
                     [](const Option& option) { return option.estimate.cost.offer.has_value(); });
    const Cluster& owned =
        (rented == advice->options.end() ? advice->options.front() : *rented).cluster;
    reading_.accelerators = {owned.accelerator->id};
    reading_.count = owned.count;
    if (!asked_.query.provider.empty()) {
        Question let = asked_;
        let.query.buy = false;
        let.query.objective = Objective::cost;
        const auto elsewhere = advice_on(let, world_, AdviceExtent::options);
        if (elsewhere && !elsewhere->options.empty()) {
            // The provider may rent something else for the same work.
            reading_.sides = {side_of(owned, false),
                              side_of(elsewhere->options.front().cluster, true)};
            return "";
        }
    }
    asked_.query.accelerators = reading_.accelerators;
    asked_.query.exact_accelerators = reading_.count;
    return fmt::format("Weighed on {}, which does it. ", cards_words(owned));
}

ReadSide Router::with_enough(ReadSide side) const {
    constexpr int most = 32;
    for (int count = 1; !reading_.model.empty() && !side.count && count <= most; count *= 2) {
        Reading one = reading_;
        one.sides.clear();
        one.accelerators = side.ids;
        one.count = count;
        one.owned = false;
        const auto held = reply_fit(one, query_of(one), tools_);
        if (held && held->verdict != "no") {
            side.count = count;
            break;
        }
    }
    return side;
}

std::string Router::owned_sides() {
    const bool asked = reading_.months || reading_.usd_per_kwh || reading_.hours_per_day ||
                       asks(reading_, "energy");
    if (!asked || reading_.budget_usd || reading_.sides.size() != 2) {
        return {};
    }
    SiteFigures figures = figures_said();
    figures.given.erase("card_price_usd");  // what is weighed is not there
    figures.given.try_emplace("residual_share", 0);
    std::string words;
    std::vector<double> totals;
    for (const ReadSide& side : reading_.sides) {
        const auto cluster = cluster_of(side);
        if (!cluster || !stands_at_a_desk(*cluster->accelerator)) {
            return {};
        }
        const auto owned = ridgeline::own(*cluster, world_.catalog, figures, asked_.query, date_);
        if (!owned || !owned->price_dated.empty() || owned->inputs.server_kw <= 0) {
            return {};
        }
        const double used = use_of(*owned);
        const double total = owned->cost.total_usd(used);
        const double power = total - owned->cost.capex_usd * cluster->count;
        words += fmt::format("{}{} {}{}: {} to buy and {} of electricity",
                             words.empty() ? fmt::format("Owned for {} at {:.3g} hours a day, ",
                                                         life_words(owned->cost.years), 24 * used)
                                           : "; ",
                             cards_words(*cluster),
                             words.empty() ? (cluster->count == 1 ? "costs " : "cost ") : "",
                             format_usd(std::round(total)), format_usd(std::round(total - power)),
                             format_usd(std::round(power)));
        totals.push_back(total);
    }
    return fmt::format("{}: {:.0f} % {}. ", words, 100 * std::abs(1 - totals[0] / totals[1]),
                       totals[0] < totals[1] ? "less for the first" : "more for the first");
}

std::string Router::weighed_against_rent(const AnswerChoice& bought) {
    const Accelerator* part = world_.catalog.accelerator(bought.accelerator);
    if (part == nullptr || reading_.deadline_s) {
        return {};
    }
    const auto sum = std::exchange(reading_.budget_usd, std::nullopt);  // it is no card's price
    const SiteFigures figures = figures_said();
    reading_.budget_usd = sum;
    Query anywhere = asked_.query;
    anywhere.buy = false;
    const auto owned = ridgeline::own(make_cluster(world_.catalog, *part, bought.count),
                                      world_.catalog, figures, anywhere, date_);
    if (!owned || least_rent(*owned) == nullptr) {
        return {};
    }
    assume_owning(reading_, *owned);
    return reply_own(reading_, *owned).headline + " ";
}

std::string Router::cheapest_of_an_hour(const Advice& advice) const {
    constexpr double clearly_less = 0.8;
    const Query& query = asked_.query;
    const bool sought = reading_.objective == Objective::cost &&
                        query.objective == Objective::cost && !query.by_hour && !query.buy &&
                        !query.owned && query.workload.task == Task::train;
    const bool bounded = reading_.tokens || reading_.samples || query.deadline_s ||
                         query.budget_usd || query.budget_usd_per_hour;
    if (!sought || bounded || advice.options.empty()) {
        return {};
    }
    const double rent = advice.options.front().estimate.cost.usd_per_hour;
    Question hourly = asked_;
    hourly.query.objective = Objective::rent;
    const auto found = advice_on(hourly, world_, AdviceExtent::options);
    if (rent <= 0 || !found || found->options.empty()) {
        return {};
    }
    const Option& least = found->options.front();
    const double usd = least.estimate.cost.usd_per_hour;
    return usd > 0 && usd <= clearly_less * rent && least.unobtainable.empty()
               ? fmt::format(
                     " That is by what the work costs; by the hour the cheapest is {} at "
                     "{}: {}.",
                     report::hardware_words(least), report::rent_words(least),
                     report::rate_words(least))
               : std::string();
}

std::string Router::on_markets(const Advice& advice) const {
    constexpr double clearly_less = 0.8;
    const Query& query = asked_.query;
    const Option& best = advice.options.front();
    const auto& offer = best.estimate.cost.offer;
    const bool by_money = query.objective == Objective::cost || query.objective == Objective::rent;
    if (!by_money || query.buy || query.owned || !query.price_kind.empty() || !offer ||
        offer->kind != PriceKind::on_demand || !best.value) {
        return {};
    }
    Question let = asked_;
    let.query.price_kind = name_of(PriceKind::marketplace);
    const auto market = advice_on(let, world_, AdviceExtent::options);
    if (!market || market->options.empty()) {
        return {};
    }
    const Option& less = market->options.front();
    const bool worth = less.unobtainable.empty() && less.value && less.estimate.cost.offer &&
                       *less.value <= clearly_less * *best.value &&
                       standing(let.query, less) <= standing(query, best);
    return worth ? fmt::format(
                       " On a marketplace, whose hosts set the rent, {} at {}/h ({}) does "
                       "it for less.",
                       report::hardware_words(less), format_usd(less.estimate.cost.usd_per_hour),
                       less.estimate.cost.offer->provider)
                 : std::string();
}

}  // namespace ridgeline::ask
