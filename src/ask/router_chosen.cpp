#include "advise/search/search.h"
#include "ask/router.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace ridgeline::ask
